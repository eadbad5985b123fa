//===- RecordLines.cpp - Measurements as JSON lines
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Measure/RecordLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <zstd.h>

using namespace ucmoh;
namespace json = llvm::json;

static constexpr llvm::StringLiteral schemaName = "ucmoh-records-1";

static llvm::Error fail(const llvm::Twine &why) { return llvm::createStringError(why); }

/// The content of a compressed file. It is read as a stream: its frame need not say its size.
static llvm::Expected<std::string> decompress(llvm::StringRef bytes) {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  std::string text, part(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  size_t left = 1;
  while (in.pos < in.size) {
    ZSTD_outBuffer out{part.data(), part.size(), 0};
    left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left))
      return fail(llvm::Twine("cannot be decompressed: ") + ZSTD_getErrorName(left));
    text.append(part, 0, out.pos);
    // What the last input makes may be more than one part.
    for (; in.pos == in.size && left && out.pos == out.size; text.append(part, 0, out.pos)) {
      out.pos = 0;
      left = ZSTD_decompressStream(context.get(), &out, &in);
    }
  }
  if (left)
    return fail("is truncated");
  return text;
}

static std::string stringAt(const json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

static bool addMachine(const json::Object &object, Records &records) {
  RecordedMachine machine{stringAt(object, "name"), stringAt(object, "ir")};
  bool isValid = !machine.name.empty() && !machine.ir.empty();
  if (llvm::none_of(records.machines, [&](auto &other) { return other.name == machine.name; }))
    records.machines.push_back(std::move(machine));
  return isValid;
}

static bool addWorkload(const json::Object &object, Records &records) {
  RecordedWorkload workload{stringAt(object, "id"),
                            stringAt(object, "name"),
                            stringAt(object, "ir"),
                            object.getInteger("flops").value_or(0),
                            {}};
  if (const json::Object *tags = object.getObject("tags"))
    workload.tags = *tags;
  bool isValid = !workload.id.empty() && !workload.ir.empty();
  if (llvm::none_of(records.workloads, [&](auto &other) { return other.id == workload.id; }))
    records.workloads.push_back(std::move(workload));
  return isValid;
}

static bool addRow(const json::Object &object, Records &records) {
  RecordedRow row{stringAt(object, "workload"), stringAt(object, "machine"),
                  stringAt(object, "choice"),   stringAt(object, "run"),
                  stringAt(object, "error"),    {}};
  const json::Array *seconds = object.getArray("seconds");
  if (row.workload.empty() || row.choice.empty() || !seconds)
    return false;
  for (const json::Value &value : *seconds) {
    row.seconds.push_back(value.getAsNumber().value_or(0));
    if (!(row.seconds.back() > 0))
      return false;
  }
  records.rows.push_back(std::move(row));
  return true;
}

static llvm::Error addLine(llvm::StringRef line, Records &records) {
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value)
    return value.takeError();
  if (const json::Object *object = value->getAsObject()) {
    if (const json::Object *machine = object->getObject("machine"))
      return addMachine(*machine, records) ? llvm::Error::success() : fail("not a machine");
    if (const json::Object *workload = object->getObject("workload"))
      return addWorkload(*workload, records) ? llvm::Error::success() : fail("not a workload");
    if (const json::Object *row = object->getObject("row"))
      return addRow(*row, records) ? llvm::Error::success() : fail("not a measurement");
  }
  return fail("neither machine, workload nor row");
}

/// The number of rows that the first line promises.
static llvm::Expected<int64_t> checkHeader(llvm::StringRef line, llvm::StringRef content) {
  llvm::Expected<json::Value> header = json::parse(line);
  if (!header)
    return header.takeError();
  const json::Object *object = header->getAsObject();
  if (!object || object->getString("schema") != schemaName)
    return fail("the schema is not " + schemaName);
  uint64_t hash = 0;
  if (object->getString("hash").value_or("").getAsInteger(16, hash) ||
      hash != llvm::xxh3_64bits(content))
    return fail("the content does not have the hash of the first line: it was cut or changed");
  return object->getInteger("rows").value_or(-1);
}

static llvm::Error readText(llvm::StringRef text, Records &records) {
  auto [first, content] = text.split('\n');
  llvm::Expected<int64_t> count = checkHeader(first, content);
  if (!count)
    return count.takeError();
  records.hash = records.hash * 31 + llvm::xxh3_64bits(content);
  size_t before = records.rows.size(), number = 1;
  for (llvm::StringRef line : llvm::split(content, '\n')) {
    ++number;
    if (line.empty())
      continue;
    if (llvm::Error error = addLine(line, records))
      return fail("line " + llvm::Twine(number) + ": " + llvm::toString(std::move(error)));
  }
  if (*count >= 0 && static_cast<int64_t>(records.rows.size() - before) != *count)
    return fail("the first line promises " + llvm::Twine(*count) + " rows, there are " +
                llvm::Twine(records.rows.size() - before));
  return llvm::Error::success();
}

llvm::Error ucmoh::readRecordLines(llvm::StringRef path, Records &records) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail("cannot read '" + path + "': " + buffer.getError().message());
  llvm::Expected<std::string> text =
      path.ends_with(".zst") ? decompress((*buffer)->getBuffer()) : (*buffer)->getBuffer().str();
  llvm::Error error = text ? readText(*text, records) : text.takeError();
  return error ? fail(path + ": " + llvm::toString(std::move(error))) : llvm::Error::success();
}
