//===- Json.h - JSON as rows have it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RECORDS_JSON_H
#define UCMOH_LIB_RECORDS_JSON_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace ucmoh {

/// Like json::parse, whose recursion would crash on a long row of brackets.
llvm::Expected<llvm::json::Value> parseShallowJson(llvm::StringRef text);

/// A JSON array. Each number has as few digits as read back to the same bits.
std::string printSeconds(llvm::ArrayRef<double> seconds);

} // namespace ucmoh

#endif // UCMOH_LIB_RECORDS_JSON_H
