//===- Export.cpp - Records to a file of JSON lines
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "Zstd.h"
#include "ucmoh/Records/RecordsFile.h"
#include "ucmoh/Records/TemporaryFile.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ucmoh;
using llvm::StringRef;

static std::string now() {
  return llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr)));
}

/// Machines and rows. The rows of a machine follow it at once: machines of one name stay apart.
static llvm::Error printRows(Records &records, const Records::Filter &filter,
                             llvm::ArrayRef<Records::Machine> machines, llvm::raw_ostream &stream,
                             int64_t &count) {
  std::string current, name;
  auto next = machines.begin();
  auto startNextMachine = [&] {
    printLine(*next, stream);
    current = next->id();
    name = (next++)->name;
  };
  llvm::Error error = records.forEachRow(filter, [&](const Records::Row &row) {
    while (current != row.machine && next != machines.end())
      startNextMachine();
    printLine(row, name, stream);
    ++count;
    return llvm::Error::success();
  });
  while (next != machines.end())
    startNextMachine();
  return error;
}

/// All lines but the first. Fills `header` but for its hash.
static llvm::Error printBody(Records &records, const Records::Filter &filter,
                             llvm::raw_ostream &stream, RecordsHeader &header) {
  std::vector<Records::Machine> machines;
  auto keepMachine = [&](const Records::Machine &machine) {
    if (header.machines.empty() || header.machines.back() != machine.name)
      header.machines.push_back(machine.name);
    machines.push_back(machine);
    return llvm::Error::success();
  };
  auto printWorkload = [&](const Records::Workload &workload) {
    printLine(workload, stream);
    return llvm::Error::success();
  };
  header.created = now();
  header.rows = 0;
  return records.snapshot([&]() -> llvm::Error {
    if (llvm::Error error = records.forEachMachine(filter, keepMachine))
      return error;
    if (llvm::Error error = records.forEachWorkload(filter, printWorkload))
      return error;
    return printRows(records, filter, machines, stream, *header.rows);
  });
}

static llvm::Error writeToStandardOutput(llvm::ArrayRef<StringRef> pieces) {
  for (StringRef piece : pieces)
    llvm::outs() << piece;
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  llvm::outs().clear_error();
  return code ? llvm::createStringError("standard output: " + code.message())
              : llvm::Error::success();
}

llvm::Error ucmoh::exportRecords(Records &records, const Records::Filter &filter, StringRef path) {
  RecordsHeader header;
  auto body =
      spill([&](llvm::raw_ostream &stream) { return printBody(records, filter, stream, header); });
  if (!body)
    return body.takeError();
  StringRef lines = (*body)->getBuffer();
  header.hash = hashOfLines(lines);
  std::string first = printHeader(header);
  if (path == "-")
    return writeToStandardOutput({first, lines});
  return writeAtomically(path, [&](llvm::raw_ostream &stream) -> llvm::Error {
    if (path.ends_with(".zst"))
      return zstd::compress({first, lines}, stream);
    stream << first << lines;
    return llvm::Error::success();
  });
}
