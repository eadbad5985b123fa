//===- Records.cpp - A database of measurements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Records/Records.h"
#include "Json.h"
#include "Schema.h"
#include "Sqlite.h"
#include "ucmoh/Records/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>
#include <limits>
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

/// Says what is wrong with `row`, or nothing.
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
  std::string choice = canonicalChoice(row.choice), seconds = printSeconds(row.seconds),
              program = canonicalProgram(row.choice, row.program);
  // An error may quote whatever a dying program wrote; JSON lines take no such bytes.
  std::string failure = json::fixUTF8(row.error);
  if (llvm::Error error = database->run(
          "INSERT INTO measurements VALUES(?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
          {row.workload, row.machine, row.target, row.intrinsic, choice, hashOfChoice(choice),
           program, seconds, failure, row.run, row.versions, row.time}))
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

std::string Records::Workload::id() const { return hexadecimal(ir); }

std::string Records::Machine::id() const {
  return hexadecimal(llvm::join_items(StringRef("\0", 1), name, cpu, ir));
}

// ?1, ?2 and ?3 are the fields of a filter; empty ones let all pass.
static constexpr StringRef workloadQuery = R"sql(
  SELECT name, ir, flops, tags FROM workloads AS w
  WHERE (?1 = '' OR json_extract(tags, '$.split') = ?1)
    AND (?2 = '' AND ?3 = '' OR EXISTS(
      SELECT 1 FROM measurements AS r JOIN machines AS m ON m.id = r.machine
      WHERE r.workload = w.id AND (?2 = '' OR m.name = ?2) AND (?3 = '' OR r.run = ?3)))
  ORDER BY id)sql";

static constexpr StringRef machineQuery = R"sql(
  SELECT name, cpu, ir FROM machines AS m
  WHERE (?2 = '' OR name = ?2)
    AND (?1 = '' AND ?3 = '' OR EXISTS(
      SELECT 1 FROM measurements AS r JOIN workloads AS w ON w.id = r.workload
      WHERE r.machine = m.id AND (?3 = '' OR r.run = ?3)
        AND (?1 = '' OR json_extract(w.tags, '$.split') = ?1)))
  ORDER BY name, id)sql";

static constexpr StringRef rowQuery = R"sql(
  SELECT workload, machine, target, intrinsic, choice, program, seconds, error, run, versions, time
  FROM measurements AS r JOIN machines AS m ON m.id = r.machine
                         JOIN workloads AS w ON w.id = r.workload
  WHERE (?1 = '' OR json_extract(w.tags, '$.split') = ?1)
    AND (?2 = '' OR m.name = ?2) AND (?3 = '' OR r.run = ?3)
  ORDER BY m.name, machine, workload, run, choice)sql";

static llvm::Error walk(sqlite::Database &database, StringRef sql, const Records::Filter &filter,
                        sqlite::Visitor visit) {
  return database.query(sql, {filter.split, filter.machine, filter.run}, visit);
}

llvm::Error Records::forEachWorkload(const Filter &filter,
                                     llvm::function_ref<llvm::Error(const Workload &)> visit) {
  return walk(*database, workloadQuery, filter, [&](const Columns &columns) -> llvm::Error {
    Workload workload{columns.text(0).str(), columns.text(1).str(), columns.integer(2), {}};
    llvm::Expected<json::Value> tags = parseShallowJson(columns.text(3));
    if (!tags)
      return tags.takeError();
    if (json::Object *object = tags->getAsObject())
      workload.tags = std::move(*object);
    return visit(workload);
  });
}

llvm::Error Records::forEachMachine(const Filter &filter,
                                    llvm::function_ref<llvm::Error(const Machine &)> visit) {
  return walk(*database, machineQuery, filter, [&](const Columns &columns) {
    return visit({columns.text(0).str(), columns.text(1).str(), columns.text(2).str()});
  });
}

static llvm::Expected<std::vector<double>> readSeconds(const sqlite::Database &database,
                                                       StringRef text) {
  llvm::Expected<json::Value> array = parseShallowJson(text);
  std::vector<double> seconds;
  json::Path::Root root;
  if (array && json::fromJSON(*array, seconds, root))
    return seconds;
  if (!array)
    llvm::consumeError(array.takeError());
  return database.error("a row's seconds are not a JSON array of numbers: " + text);
}

static llvm::Expected<Records::Row> readRow(const sqlite::Database &database,
                                            const Columns &columns) {
  auto text = [&](int column) { return columns.text(column).str(); };
  Records::Row row{text(0),
                   text(1),
                   text(2),
                   text(3),
                   text(4),
                   text(5),
                   {},
                   text(7),
                   text(8),
                   text(9),
                   columns.integer(10)};
  if (llvm::Error error = readSeconds(database, columns.text(6)).moveInto(row.seconds))
    return error;
  return row;
}

llvm::Error Records::forEachRow(const Filter &filter,
                                llvm::function_ref<llvm::Error(const Row &)> visit) {
  return walk(*database, rowQuery, filter, [&](const Columns &columns) -> llvm::Error {
    llvm::Expected<Row> row = readRow(*database, columns);
    return row ? visit(*row) : row.takeError();
  });
}

llvm::Expected<llvm::StringSet<>> Records::choices(const Task &task) {
  llvm::StringSet<> all;
  llvm::Error error = database->query(
      "SELECT choice FROM measurements WHERE machine = ? AND workload = ? AND run = ?",
      {task.machine, task.workload, task.run}, [&](const Columns &columns) {
        all.insert(columns.text(0));
        return llvm::Error::success();
      });
  if (error)
    return error;
  return all;
}

llvm::Expected<double> Records::bestSeconds(StringRef workload, StringRef machine) {
  double best = std::numeric_limits<double>::infinity();
  llvm::Error error = database->query(
      "SELECT seconds FROM measurements WHERE machine = ? AND workload = ? AND error = ''",
      {machine, workload}, [&](const Columns &columns) -> llvm::Error {
        llvm::Expected<std::vector<double>> seconds = readSeconds(*database, columns.text(0));
        if (!seconds)
          return seconds.takeError();
        if (!seconds->empty())
          best = std::min(best, lowerMedian(std::move(*seconds)));
        return llvm::Error::success();
      });
  if (error)
    return error;
  return best;
}

llvm::Expected<Records::Counts> Records::counts() {
  Counts counts;
  llvm::Error error = database->query(
      "SELECT (SELECT count(*) FROM workloads), (SELECT count(*) FROM machines), count(*), "
      "count(nullif(error, '')) FROM measurements",
      {}, [&](const Columns &columns) {
        counts = {columns.integer(0), columns.integer(1), columns.integer(2), columns.integer(3)};
        return llvm::Error::success();
      });
  if (error)
    return error;
  return counts;
}

/// The id of the machine called `name` that measured last.
static llvm::Expected<std::string> findLast(Database &database, StringRef name) {
  std::string id;
  auto read = [&](const Columns &columns) -> llvm::Error {
    id = columns.text(0).str();
    return llvm::Error::success();
  };
  llvm::Error error = database.query(
      "SELECT machines.id FROM machines LEFT JOIN measurements ON machine = machines.id "
      "WHERE name = ? GROUP BY machines.id ORDER BY max(time) DESC LIMIT 1",
      {name}, read);
  if (error)
    return error;
  if (id.empty())
    return database.error("there is no machine '" + name + "'; see 'ucmoh-records stats'");
  return id;
}

llvm::Expected<int64_t> Records::unifyMachine(StringRef name) {
  int64_t changed = 0;
  llvm::Error error = database->transaction("BEGIN IMMEDIATE", [&]() -> llvm::Error {
    llvm::Expected<std::string> last = findLast(*database, name);
    if (!last)
      return last.takeError();
    const std::string others = "(SELECT id FROM machines WHERE name = ? AND id <> ?)";
    if (llvm::Error error = database->run(
            "UPDATE OR IGNORE measurements SET machine = ? WHERE machine IN " + others,
            {*last, name, *last}))
      return error;
    changed = database->changes();
    // Both databases have measured the rows that are left.
    if (llvm::Error error =
            database->run("DELETE FROM measurements WHERE machine IN " + others, {name, *last}))
      return error;
    return database->run("DELETE FROM machines WHERE name = ? AND id <> ?", {name, *last});
  });
  if (error)
    return error;
  return changed;
}
