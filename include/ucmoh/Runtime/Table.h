//===- Table.h - What was measured, for people
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_TABLE_H
#define UCMOH_RUNTIME_TABLE_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ucmoh {

/// One row per op of a report of `runFunction`, and a last line with the total and the verdict.
void printTable(const llvm::json::Object &report, llvm::raw_ostream &stream);

/// Columns as wide as their widest cell; the first row is the heading. A cell may reach into an
/// empty one behind it.
void printColumns(llvm::ArrayRef<std::vector<std::string>> rows, llvm::raw_ostream &stream);

/// "284.1 us", "1.250 ms"; "-" for none.
std::string formatSeconds(std::optional<double> seconds);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_TABLE_H
