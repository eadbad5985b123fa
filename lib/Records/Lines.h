//===- Lines.h - Records as JSON lines
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RECORDS_LINES_H
#define UCMOH_LIB_RECORDS_LINES_H

#include "ucmoh/Records/Records.h"
#include <optional>
#include <variant>

namespace ucmoh {

/// The first line of a file. Files that are not exports may leave out hash and number of rows;
/// then these are not checked.
struct RecordsHeader {
  static constexpr llvm::StringLiteral schema = "ucmoh-records-1";
  std::optional<std::string> hash; ///< `hashOfLines` of what follows
  std::string created;             ///< ISO 8601
  std::vector<std::string> machines;
  std::optional<int64_t> rows;
};

/// 16 hexadecimal digits.
std::string hashOfLines(llvm::StringRef lines);

std::string printHeader(const RecordsHeader &header);
llvm::Expected<RecordsHeader> readHeader(llvm::StringRef line);

void printLine(const Records::Workload &workload, llvm::raw_ostream &stream);
void printLine(const Records::Machine &machine, llvm::raw_ostream &stream);
/// A line has the machine's name in the place of its id.
void printLine(const Records::Row &row, llvm::StringRef machineName, llvm::raw_ostream &stream);

using RecordsLine = std::variant<Records::Workload, Records::Machine, Records::Row>;

/// A row has the machine's name in the place of its id.
llvm::Expected<RecordsLine> readLine(llvm::StringRef line);

} // namespace ucmoh

#endif // UCMOH_LIB_RECORDS_LINES_H
