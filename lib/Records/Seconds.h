//===- Seconds.h - Repeats as text
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RECORDS_SECONDS_H
#define UCMOH_LIB_RECORDS_SECONDS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace ucmoh {

/// A JSON array. Each number has as few digits as read back to the same bits.
std::string printSeconds(llvm::ArrayRef<double> seconds);

} // namespace ucmoh

#endif // UCMOH_LIB_RECORDS_SECONDS_H
