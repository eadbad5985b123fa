//===- LinesRead.cpp - Records from JSON lines
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "ShallowJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace ucmoh;
using llvm::StringRef;
namespace json = llvm::json;

std::string ucmoh::hashOfLines(StringRef lines) {
  return llvm::utohexstr(llvm::xxh3_64bits(lines), /*LowerCase=*/true, /*Width=*/16);
}

namespace ucmoh {
static bool fromJSON(const json::Value &value, RecordsHeader &header, json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("hash", header.hash) && mapper.map("rows", header.rows) &&
         mapper.mapOptional("created", header.created) &&
         mapper.mapOptional("machines", header.machines);
}

static bool fromJSON(const json::Value &value, Records::Machine &machine, json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("name", machine.name) && mapper.map("cpu", machine.cpu) &&
         mapper.map("ir", machine.ir);
}

static bool fromJSON(const json::Value &value, Records::Workload &workload, json::Path path) {
  json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("name", workload.name) || !mapper.map("ir", workload.ir) ||
      !mapper.map("flops", workload.flops))
    return false;
  const json::Object *tags = value.getAsObject()->getObject("tags");
  if (!tags) {
    path.field("tags").report("expected object");
    return false;
  }
  workload.tags = *tags;
  return true;
}

static bool fromJSON(const json::Value &value, Records::Row &row, json::Path path) {
  json::ObjectMapper mapper(value, path);
  std::optional<std::string> error;
  bool good = mapper && mapper.map("workload", row.workload) &&
              mapper.map("machine", row.machine) && mapper.map("target", row.target) &&
              mapper.map("intrinsic", row.intrinsic) && mapper.map("choice", row.choice) &&
              mapper.map("program", row.program) && mapper.map("seconds", row.seconds) &&
              mapper.map("error", error) && mapper.map("run", row.run) &&
              mapper.map("versions", row.versions) && mapper.map("time", row.time);
  row.error = error.value_or("");
  return good;
}
} // namespace ucmoh

llvm::Expected<RecordsHeader> ucmoh::readHeader(StringRef line) {
  llvm::Expected<json::Value> value = parseShallowJson(line);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  std::optional<StringRef> schema = object ? object->getString("schema") : std::nullopt;
  if (!value)
    llvm::consumeError(value.takeError());
  if (!schema)
    return llvm::createStringError("no header of records; name a file that 'export' wrote");
  if (*schema != RecordsHeader::schema)
    return llvm::createStringError("schema '" + *schema + "', but this program reads '" +
                                   RecordsHeader::schema +
                                   "'; export again with a program of this version");
  RecordsHeader header;
  json::Path::Root root("header");
  if (!fromJSON(*value, header, root))
    return root.getError();
  return header;
}

/// Rows refer to a workload by its id.
static llvm::Error checkId(const json::Value &value, const Records::Workload &workload) {
  std::optional<StringRef> id = value.getAsObject()->getString("id");
  if (id == workload.id())
    return llvm::Error::success();
  return llvm::createStringError("the workload's id is '" + id.value_or("") +
                                 "', but the hash of its ir is '" + workload.id() + "'");
}

template <typename Kind>
static llvm::Expected<RecordsLine> read(const json::Value &value, StringRef name) {
  Kind kind;
  json::Path::Root root(name);
  if (!fromJSON(value, kind, root))
    return root.getError();
  return kind;
}

llvm::Expected<RecordsLine> ucmoh::readLine(StringRef line) {
  llvm::Expected<json::Value> value = parseShallowJson(line);
  if (!value)
    return value.takeError();
  if (const json::Object *object = value->getAsObject()) {
    if (const json::Value *row = object->get("row"))
      return read<Records::Row>(*row, "row");
    if (const json::Value *workload = object->get("workload")) {
      auto line = read<Records::Workload>(*workload, "workload");
      if (line)
        if (llvm::Error error = checkId(*workload, std::get<Records::Workload>(*line)))
          return error;
      return line;
    }
    if (const json::Value *machine = object->get("machine"))
      return read<Records::Machine>(*machine, "machine");
  }
  return llvm::createStringError("expected {\"machine\": …}, {\"workload\": …} or {\"row\": …}");
}
