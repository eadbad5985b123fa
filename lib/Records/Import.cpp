//===- Import.cpp - Records from files and other databases
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "Zstd.h"
#include "ucmoh/Records/RecordsFile.h"
#include "ucmoh/Records/TemporaryFile.h"
#include "llvm/ADT/StringMap.h"

using namespace ucmoh;
using llvm::StringRef;

namespace {
/// Adds the lines of one file, whose content is `text`.
class Importer {
public:
  Importer(Records &records, StringRef text) : records(records), rest(text) {}

  llvm::Error run();
  /// Where `run` stopped, from 1.
  int64_t getLine() const { return line; }
  int64_t getAdded() const { return added; }

private:
  StringRef nextLine();
  llvm::Error add(const Records::Workload &workload);
  llvm::Error add(const Records::Machine &machine);
  llvm::Error add(Records::Row row);
  llvm::Error compare(const RecordsHeader &header, StringRef body);

  Records &records;
  StringRef rest;
  int64_t line = 0, rows = 0, added = 0;
  llvm::StringSet<> workloads;
  llvm::StringMap<std::string> machines; // the last of each name
};
} // namespace

StringRef Importer::nextLine() {
  StringRef text;
  std::tie(text, rest) = rest.split('\n');
  ++line;
  return text;
}

llvm::Error Importer::add(const Records::Workload &workload) {
  llvm::Expected<std::string> id = records.addWorkload(workload);
  if (id)
    workloads.insert(*id);
  return id.takeError();
}

llvm::Error Importer::add(const Records::Machine &machine) {
  return records.addMachine(machine).moveInto(machines[machine.name]);
}

llvm::Error Importer::add(Records::Row row) {
  auto machine = machines.find(row.machine);
  if (machine == machines.end())
    return llvm::createStringError("no line before this one defines the machine '" + row.machine +
                                   "'");
  if (!workloads.contains(row.workload))
    return llvm::createStringError("no line before this one defines the workload '" + row.workload +
                                   "'");
  row.machine = machine->second;
  llvm::Expected<int64_t> count = records.addRows(row);
  if (!count)
    return count.takeError();
  added += *count;
  ++rows;
  return llvm::Error::success();
}

llvm::Error Importer::compare(const RecordsHeader &header, StringRef body) {
  if (header.rows && rows != *header.rows)
    return llvm::createStringError(llvm::Twine(rows) + " rows, but the first line says " +
                                   llvm::Twine(*header.rows) +
                                   "; the file is truncated or was edited: get it again");
  std::string hash = header.hash ? hashOfLines(body) : "";
  if (!header.hash || *header.hash == hash)
    return llvm::Error::success();
  line = 1;
  return llvm::createStringError("the hash is '" + *header.hash + "', but that of the lines is '" +
                                 hash + "'; the file is damaged or was edited: get it again");
}

llvm::Error Importer::run() {
  llvm::Expected<RecordsHeader> header = readHeader(nextLine());
  if (!header)
    return header.takeError();
  StringRef body = rest;
  while (!rest.empty()) {
    llvm::Expected<RecordsLine> content = readLine(nextLine());
    if (!content)
      return content.takeError();
    if (llvm::Error error = std::visit([&](auto &part) { return add(std::move(part)); }, *content))
      return error;
  }
  return compare(*header, body);
}

/// The file's content, decompressed.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> load(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return llvm::createStringError(path + ": " + file.getError().message());
  StringRef data = (*file)->getBuffer();
  if (!zstd::isCompressed(data))
    return std::move(*file);
  auto content = spill([&](llvm::raw_ostream &stream) { return zstd::decompress(data, stream); });
  if (!content)
    return llvm::createStringError(path + ": " + llvm::toString(content.takeError()) +
                                   "; the file is truncated or damaged: get it again");
  return content;
}

llvm::Expected<int64_t> ucmoh::importRecords(Records &records, StringRef path) {
  auto content = load(path);
  if (!content)
    return content.takeError();
  Importer importer(records, (*content)->getBuffer());
  if (llvm::Error error = records.transaction([&] { return importer.run(); }))
    return llvm::createStringError(path + ":" + llvm::Twine(importer.getLine()) + ": " +
                                   llvm::toString(std::move(error)));
  return importer.getAdded();
}

llvm::Expected<int64_t> ucmoh::mergeRecords(Records &records, Records &other) {
  int64_t added = 0;
  auto addWorkload = [&](const Records::Workload &workload) {
    return records.addWorkload(workload).takeError();
  };
  auto addMachine = [&](const Records::Machine &machine) {
    return records.addMachine(machine).takeError();
  };
  auto addRow = [&](const Records::Row &row) -> llvm::Error {
    llvm::Expected<int64_t> count = records.addRows(row);
    if (!count)
      return count.takeError();
    added += *count;
    return llvm::Error::success();
  };
  auto addAll = [&]() -> llvm::Error {
    if (llvm::Error error = other.forEachWorkload({}, addWorkload))
      return error;
    if (llvm::Error error = other.forEachMachine({}, addMachine))
      return error;
    return other.forEachRow({}, addRow);
  };
  if (llvm::Error error = records.transaction([&] { return other.snapshot(addAll); }))
    return error;
  return added;
}
