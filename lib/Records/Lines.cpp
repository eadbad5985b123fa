//===- Lines.cpp - Lines of an export
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace ucmoh;
using llvm::StringRef;
namespace json = llvm::json;

std::string ucmoh::printHeader(const RecordsHeader &header) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream);
  out.object([&] {
    out.attribute("schema", RecordsHeader::schema);
    out.attribute("hash", header.hash);
    out.attribute("created", header.created);
    out.attribute("machines", json::Array(header.machines));
    out.attribute("rows", header.rows);
  });
  stream << '\n';
  return text;
}

/// {"KIND": {FIELDS}}, a line.
static void print(StringRef kind, llvm::raw_ostream &stream,
                  llvm::function_ref<void(json::OStream &)> fields) {
  json::OStream out(stream);
  out.object([&] { out.attributeObject(kind, [&] { fields(out); }); });
  out.flush();
  stream << '\n';
}

void ucmoh::printLine(const Records::Workload &workload, llvm::raw_ostream &stream) {
  print("workload", stream, [&](json::OStream &out) {
    out.attribute("id", workload.id());
    out.attribute("name", workload.name);
    out.attribute("ir", workload.ir);
    out.attribute("flops", workload.flops);
    out.attribute("tags", json::Object(workload.tags));
  });
}

void ucmoh::printLine(const Records::Machine &machine, llvm::raw_ostream &stream) {
  print("machine", stream, [&](json::OStream &out) {
    out.attribute("name", machine.name);
    out.attribute("cpu", machine.cpu);
    out.attribute("ir", machine.ir);
  });
}

void ucmoh::printLine(const Records::Row &row, StringRef machineName, llvm::raw_ostream &stream) {
  print("row", stream, [&](json::OStream &out) {
    out.attribute("workload", row.workload);
    out.attribute("machine", machineName);
    out.attribute("target", row.target);
    out.attribute("intrinsic", row.intrinsic);
    out.attribute("choice", row.choice);
    out.attribute("program", row.program);
    out.attributeBegin("seconds");
    out.rawValue(printSeconds(row.seconds));
    out.attributeEnd();
    out.attribute("error", row.error.empty() ? json::Value(nullptr) : json::Value(row.error));
    out.attribute("run", row.run);
    out.attribute("versions", row.versions);
    out.attribute("time", row.time);
  });
}

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
