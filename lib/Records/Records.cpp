//===- Records.cpp - Measurements that outlive their process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Records/Records.h"
#include "Schema.h"
#include "Seconds.h"
#include "ShallowJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>
#include <sqlite3.h>

using namespace ucmoh;
using llvm::StringRef;
using sqlite::Columns;
using sqlite::Database;
namespace json = llvm::json;

Records::Records(std::unique_ptr<Database> database) : database(std::move(database)) {}
Records::Records(Records &&other) = default;
Records &Records::operator=(Records &&other) = default;
Records::~Records() = default;

StringRef Records::getPath() const { return database->getPath(); }

llvm::Expected<Records> Records::open(StringRef path, Mode mode) {
  if (!llvm::sys::fs::exists(path)) {
    if (mode != Mode::Create)
      return llvm::createStringError(path + ": no such file; name a database of records");
    if (llvm::Error error = createDatabase(path))
      return error;
  }
  // A connection that may not write would leave SQLite's own files beside the database.
  auto database = Database::open(path, SQLITE_OPEN_READWRITE);
  if (!database)
    return database.takeError();
  if (llvm::Error error = checkDatabase(**database))
    return error;
  if (llvm::Error error = convertDatabase(**database))
    return error;
  // NORMAL survives the death of processes; only a power failure may lose the last rows.
  for (StringRef sql : {"PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON",
                        mode == Mode::Read ? "PRAGMA query_only = ON" : "PRAGMA query_only = OFF"})
    if (llvm::Error error = (*database)->run(sql))
      return error;
  return Records(std::move(*database));
}

llvm::Expected<Records> Records::temporary() {
  auto database = Database::open("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!database)
    return database.takeError();
  if (llvm::Error error = createTables(**database))
    return error;
  return Records(std::move(*database));
}

/// Adds to `tags` what it lacks, in objects within it too. Returns whether there was anything.
static bool unite(json::Object &tags, const json::Object &others) {
  bool changed = false;
  for (const auto &[key, value] : others) {
    auto [present, isNew] = tags.try_emplace(key, value);
    json::Object *inner = present->second.getAsObject();
    if (isNew)
      changed = true;
    else if (inner && value.getAsObject())
      changed |= unite(*inner, *value.getAsObject());
  }
  return changed;
}

static std::string print(json::Object tags) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(tags));
  return text;
}

static llvm::Expected<json::Object> parseTags(Database &database, StringRef text) {
  llvm::Expected<json::Value> tags = parseShallowJson(text);
  if (tags && tags->getAsObject())
    return std::move(*tags->getAsObject());
  if (!tags)
    llvm::consumeError(tags.takeError());
  return database.error("a workload's tags are not a JSON object: " + text);
}

llvm::Expected<std::string> Records::addWorkload(const Workload &workload) {
  std::string id = workload.id(), tags = print(workload.tags);
  llvm::Error error = database->transaction("BEGIN IMMEDIATE", [&]() -> llvm::Error {
    json::Object all;
    auto read = [&](const Columns &columns) -> llvm::Error {
      return parseTags(*database, columns.text(0)).moveInto(all);
    };
    if (llvm::Error error = database->run("INSERT INTO workloads VALUES(?,?,?,?,?) "
                                          "ON CONFLICT DO NOTHING",
                                          {id, workload.name, workload.ir, workload.flops, tags}))
      return error;
    if (llvm::Error error = database->query("SELECT tags FROM workloads WHERE id = ?", {id}, read))
      return error;
    if (!unite(all, workload.tags))
      return llvm::Error::success();
    return database->run("UPDATE workloads SET tags = ? WHERE id = ?", {print(all), id});
  });
  if (error)
    return error;
  return id;
}

llvm::Expected<std::string> Records::addMachine(const Machine &machine) {
  std::string id = machine.id();
  if (llvm::Error error =
          database->run("INSERT INTO machines VALUES(?,?,?,?) ON CONFLICT DO NOTHING",
                        {id, machine.name, machine.cpu, machine.ir}))
    return error;
  return id;
}

/// What is wrong with `row`, or nothing.
static StringRef findFault(const Records::Row &row) {
  auto isTime = [](double seconds) { return std::isfinite(seconds) && seconds > 0; };
  if (row.run.empty())
    return "a row needs the label of its run";
  if (row.seconds.empty() == row.error.empty())
    return "a row has either seconds or an error";
  if (!llvm::all_of(row.seconds, isTime))
    return "seconds must be positive and finite";
  return "";
}

llvm::Expected<bool> Records::addRow(const Row &row) {
  if (StringRef fault = findFault(row); !fault.empty())
    return database->error(fault);
  std::string choice = canonicalChoice(row.choice), seconds = printSeconds(row.seconds);
  // An error may quote whatever a dying program wrote; JSON lines take no such bytes.
  std::string failure = json::fixUTF8(row.error);
  if (llvm::Error error = database->run(
          "INSERT INTO measurements VALUES(?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
          {row.workload, row.machine, row.target, row.intrinsic, choice, hashOfChoice(choice),
           row.program, seconds, failure, row.run, row.versions, row.time}))
    return error;
  return database->changes() > 0;
}

llvm::Expected<int64_t> Records::addRows(llvm::ArrayRef<Row> rows) {
  int64_t added = 0;
  llvm::Error error = transaction([&]() -> llvm::Error {
    for (const Row &row : rows) {
      llvm::Expected<bool> isNew = addRow(row);
      if (!isNew)
        return isNew.takeError();
      added += *isNew;
    }
    return llvm::Error::success();
  });
  if (error)
    return error;
  return added;
}

llvm::Expected<bool> Records::contains(const Task &task, StringRef choice) {
  llvm::Expected<int64_t> count = database->integer(
      "SELECT count(*) FROM measurements WHERE machine = ? AND workload = ? "
      "AND run = ? AND choice_hash = ?",
      {task.machine, task.workload, task.run, hashOfChoice(canonicalChoice(choice))});
  if (!count)
    return count.takeError();
  return *count > 0;
}

llvm::Error Records::transaction(llvm::function_ref<llvm::Error()> body) {
  return database->transaction("BEGIN IMMEDIATE", body);
}

llvm::Error Records::snapshot(llvm::function_ref<llvm::Error()> body) {
  return database->transaction("BEGIN", body);
}
