//===- ShallowJson.h - JSON that cannot exhaust the stack
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RECORDS_SHALLOWJSON_H
#define UCMOH_LIB_RECORDS_SHALLOWJSON_H

#include "llvm/Support/JSON.h"

namespace ucmoh {

/// Like json::parse, whose recursion would crash on a long row of brackets.
llvm::Expected<llvm::json::Value> parseShallowJson(llvm::StringRef text);

} // namespace ucmoh

#endif // UCMOH_LIB_RECORDS_SHALLOWJSON_H
