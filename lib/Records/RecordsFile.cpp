//===- RecordsFile.cpp - Exports of records, written and read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Records/RecordsFile.h"
#include "Lines.h"
#include "ucmoh/Support/Files.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include <zstd.h>

using namespace ucmoh;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Compression
//===----------------------------------------------------------------------===//

/// The highest level that does not ask readers for more memory than usual.
static constexpr int compressionLevel = 19;

static llvm::Error failure(size_t status) {
  return llvm::createStringError("zstd: " + llvm::Twine(ZSTD_getErrorName(status)));
}

/// Whether `data` starts as compressed data does.
static bool isCompressed(StringRef data) { return data.starts_with("\x28\xB5\x2F\xFD"); }

/// Writes `pieces`, one behind the other, as one frame.
static llvm::Error compress(llvm::ArrayRef<StringRef> pieces, llvm::raw_ostream &stream) {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, compressionLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::vector<char> buffer(ZSTD_CStreamOutSize());
  for (const StringRef &piece : pieces) {
    ZSTD_EndDirective mode = &piece == &pieces.back() ? ZSTD_e_end : ZSTD_e_continue;
    ZSTD_inBuffer input{piece.data(), piece.size(), 0};
    size_t remaining = 1;
    while (mode == ZSTD_e_end ? remaining != 0 : input.pos < input.size) {
      ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
      remaining = ZSTD_compressStream2(context.get(), &output, &input, mode);
      if (ZSTD_isError(remaining))
        return failure(remaining);
      stream.write(buffer.data(), output.pos);
    }
  }
  return llvm::Error::success();
}

static llvm::Error decompress(StringRef data, llvm::raw_ostream &stream) {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  std::vector<char> buffer(ZSTD_DStreamOutSize());
  ZSTD_inBuffer input{data.data(), data.size(), 0};
  size_t expected = 0;
  // A full buffer may leave output of the last input behind.
  for (bool more = !data.empty(); more;) {
    ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
    expected = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(expected))
      return failure(expected);
    stream.write(buffer.data(), output.pos);
    more = input.pos < input.size || (expected != 0 && output.pos == output.size);
  }
  if (expected != 0)
    return llvm::createStringError("the compressed data ends early");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

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

llvm::Error ucmoh::exportRecords(Records &records, const Records::Filter &filter, StringRef path) {
  RecordsHeader header;
  auto body =
      spill([&](llvm::raw_ostream &stream) { return printBody(records, filter, stream, header); });
  if (!body)
    return body.takeError();
  StringRef lines = (*body)->getBuffer();
  header.hash = hashOfLines(lines);
  std::string first = printHeader(header);
  return writeAtomically(path, [&](llvm::raw_ostream &stream) -> llvm::Error {
    if (path.ends_with(".zst"))
      return compress({first, lines}, stream);
    stream << first << lines;
    return llvm::Error::success();
  });
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

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
  if (!isCompressed(data))
    return std::move(*file);
  auto content = spill([&](llvm::raw_ostream &stream) { return decompress(data, stream); });
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
