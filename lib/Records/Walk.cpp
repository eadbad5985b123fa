//===- Walk.cpp - Reading records
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShallowJson.h"
#include "Sqlite.h"
#include "ucmoh/Records/Quantile.h"
#include "ucmoh/Records/Records.h"
#include <limits>

using namespace ucmoh;
using llvm::StringRef;
using sqlite::Columns;
namespace json = llvm::json;

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
