//===- LinesPrint.cpp - Records to JSON lines
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "Seconds.h"

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
