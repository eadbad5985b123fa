//===- Report.cpp - Statistics of records as text
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "ucmoh/Runtime/Table.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ucmoh;
namespace json = llvm::json;

using Lines = std::vector<std::vector<std::string>>;

static std::string day(int64_t time) {
  return time ? llvm::formatv("{0:%Y-%m-%d}", llvm::sys::toUtcTime(time)).str() : "-";
}

static std::string percent(int64_t part, int64_t whole) {
  return llvm::formatv("{0:f2}%", whole ? 100.0 * part / whole : 0.0);
}

static void printSummary(const RecordsStatistics &all, llvm::raw_ostream &stream) {
  Lines lines{
      {"rows", std::to_string(all.counts.rows)},
      {"failed", llvm::formatv("{0} ({1})", all.counts.failures,
                               percent(all.counts.failures, all.counts.rows))},
      {"workloads", std::to_string(all.counts.workloads)},
      {"machines", std::to_string(all.counts.machines)},
      {"tasks", std::to_string(all.tasks)},
      {"candidates per task", llvm::formatv("{0} (median), {1} to {2}", all.medianCandidates,
                                            all.fewestCandidates, all.mostCandidates)},
      {"spread of repeats",
       llvm::formatv("{0:f2}% (median of (p90 - p10) / median)", 100 * all.medianSpread)},
      {"measured", day(all.firstTime) + " to " + day(all.lastTime)}};
  printColumns(lines, stream);
}

static void printGroups(const RecordsStatistics &all, llvm::raw_ostream &stream) {
  Lines lines{{"machine", "intrinsic", "types", "rows", "failed"}};
  for (const auto &[key, group] : all.groups) {
    const auto &[machine, intrinsic, types] = key;
    lines.push_back({machine, intrinsic, types, std::to_string(group.rows),
                     percent(group.failures, group.rows)});
  }
  stream << '\n';
  printColumns(lines, stream);
}

/// A table of how many rows each name has.
static void printRates(const std::map<std::string, int64_t> &counts, const std::string &title,
                       int64_t rows, llvm::raw_ostream &stream) {
  if (counts.empty())
    return;
  Lines lines{{title, "rows", "of all"}};
  for (const auto &[name, count] : counts)
    lines.push_back({name, std::to_string(count), percent(count, rows)});
  stream << '\n';
  printColumns(lines, stream);
}

void ucmoh::printReport(const RecordsStatistics &statistics, llvm::raw_ostream &stream) {
  printSummary(statistics, stream);
  printGroups(statistics, stream);
  printRates(statistics.runs, "run", statistics.counts.rows, stream);
  printRates(statistics.failures, "failure", statistics.counts.rows, stream);
}

static json::Object toJson(const std::map<std::string, int64_t> &counts) {
  json::Object object;
  for (const auto &[name, count] : counts)
    object[json::fixUTF8(name)] = count;
  return object;
}

void ucmoh::printJson(const RecordsStatistics &statistics, llvm::raw_ostream &stream) {
  json::Array groups;
  for (const auto &[key, group] : statistics.groups) {
    const auto &[machine, intrinsic, types] = key;
    groups.push_back(json::Object{{"machine", machine},
                                  {"intrinsic", intrinsic},
                                  {"types", types},
                                  {"rows", group.rows},
                                  {"failures", group.failures}});
  }
  json::Object object{
      {"rows", statistics.counts.rows},
      {"failed", statistics.counts.failures},
      {"workloads", statistics.counts.workloads},
      {"machines", statistics.counts.machines},
      {"tasks", statistics.tasks},
      {"candidates", json::Object{{"min", statistics.fewestCandidates},
                                  {"median", statistics.medianCandidates},
                                  {"max", statistics.mostCandidates}}},
      {"median_spread", statistics.medianSpread},
      {"time", json::Object{{"first", statistics.firstTime}, {"last", statistics.lastTime}}},
      {"groups", std::move(groups)},
      {"runs", toJson(statistics.runs)},
      {"failures", toJson(statistics.failures)}};
  stream << json::Value(std::move(object)) << '\n';
}
