//===- ucmoh-records.cpp - Databases and files of measurements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes measurements out of databases, puts them in, and counts them. Whatever goes in was checked
/// as a whole before: a bad input leaves the database as it was.
///
//===----------------------------------------------------------------------===//

#include "ucmoh/Records/RecordsFile.h"
#include "ucmoh/Records/Statistics.h"
#include "ucmoh/Runtime/Table.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace ucmoh;
namespace json = llvm::json;
using llvm::StringRef;
namespace cl = llvm::cl;

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

static void printReport(const RecordsStatistics &statistics, llvm::raw_ostream &stream) {
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

/// One line of JSON.
static void printJson(const RecordsStatistics &statistics, llvm::raw_ostream &stream) {
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

static cl::SubCommand exportCommand("export", "write the rows of a database to a file");
static cl::SubCommand importCommand("import", "add files that 'export' wrote to a database");
static cl::SubCommand mergeCommand("merge", "add other databases to a database");
static cl::SubCommand unifyCommand("unify",
                                   "give rows of a machine probed again its last description");
static cl::SubCommand statsCommand("stats", "count what databases and files hold");

static cl::opt<std::string> exported(cl::Positional, cl::Required, cl::desc("DB"),
                                     cl::sub(exportCommand));
static cl::opt<std::string> output("output",
                                   cl::desc("compressed if it ends in .zst; '-': standard output"),
                                   cl::value_desc("FILE.jsonl[.zst]"), cl::init("-"),
                                   cl::sub(exportCommand));
static cl::opt<std::string> split("split", cl::desc("only workloads with this tag 'split'"),
                                  cl::value_desc("train|holdout"), cl::sub(exportCommand));
static cl::opt<std::string> machine("machine", cl::desc("only rows of machines of this name"),
                                    cl::value_desc("NAME"), cl::sub(exportCommand));
static cl::opt<std::string> run("run", cl::desc("only rows of the run with this label"),
                                cl::value_desc("LABEL"), cl::sub(exportCommand));

static cl::opt<std::string> database(cl::Positional, cl::Required, cl::desc("DB"),
                                     cl::sub(importCommand), cl::sub(mergeCommand),
                                     cl::sub(unifyCommand));
static cl::opt<std::string> unified(cl::Positional, cl::Required, cl::desc("MACHINE"),
                                    cl::sub(unifyCommand));
static cl::list<std::string> files(cl::Positional, cl::OneOrMore, cl::desc("FILE..."),
                                   cl::sub(importCommand));
static cl::list<std::string> others(cl::Positional, cl::OneOrMore, cl::desc("OTHER..."),
                                    cl::sub(mergeCommand));

static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore, cl::desc("DB|FILE..."),
                                    cl::sub(statsCommand));
static cl::opt<bool> asJson("json", cl::desc("one line of JSON"), cl::sub(statsCommand));

static cl::extrahelp examples(R"help(
Databases are SQLite, files are JSON lines (docs/records.md). A row is the same as another one if
workload, machine, run and choice are: it is added once.

Examples:
  ucmoh-records export all.sqlite --output=all.jsonl.zst
  ucmoh-records export all.sqlite --split=train --machine=zen4 --run=first | head
  ucmoh-records import all.sqlite monday.jsonl.zst tuesday.jsonl
  ucmoh-records merge all.sqlite core0.sqlite core1.sqlite
  ucmoh-records unify all.sqlite zen4
  ucmoh-records stats all.sqlite
  ucmoh-records stats monday.jsonl.zst tuesday.jsonl --json
)help");

/// Prints how many rows came to the database.
static llvm::Error report(int64_t added, Records &records) {
  llvm::Expected<Records::Counts> counts = records.counts();
  if (!counts)
    return counts.takeError();
  llvm::outs() << added << " new rows; " << records.getPath() << " has " << counts->rows << '\n';
  return llvm::Error::success();
}

static llvm::Error runExport() {
  llvm::Expected<Records> records = Records::open(exported, Records::Mode::Read);
  if (!records)
    return records.takeError();
  return exportRecords(*records, {split, machine, run}, output);
}

/// Everything in `sources` is sound: now the database is opened or made.
static llvm::Error addToDatabase(llvm::MutableArrayRef<Records> sources) {
  llvm::Expected<Records> records = Records::open(database, Records::Mode::Create);
  if (!records)
    return records.takeError();
  int64_t added = 0;
  llvm::Error error = records->transaction([&]() -> llvm::Error {
    for (Records &source : sources) {
      llvm::Expected<int64_t> count = mergeRecords(*records, source);
      if (!count)
        return count.takeError();
      added += *count;
    }
    return llvm::Error::success();
  });
  return error ? std::move(error) : report(added, *records);
}

static llvm::Error runImport() {
  llvm::Expected<Records> staged = Records::temporary();
  if (!staged)
    return staged.takeError();
  for (const std::string &file : files)
    if (llvm::Error error = importRecords(*staged, file).takeError())
      return error;
  return addToDatabase(*staged);
}

static llvm::Error runMerge() {
  std::vector<Records> sources;
  for (const std::string &path : others) {
    llvm::Expected<Records> source = Records::open(path, Records::Mode::Read);
    if (!source)
      return source.takeError();
    sources.push_back(std::move(*source));
  }
  return addToDatabase(sources);
}

static llvm::Error runUnify() {
  llvm::Expected<Records> records = Records::open(database, Records::Mode::Write);
  if (!records)
    return records.takeError();
  llvm::Expected<int64_t> changed = records->unifyMachine(unified);
  if (!changed)
    return changed.takeError();
  llvm::outs() << *changed << " rows changed\n";
  return llvm::Error::success();
}

static bool isDatabase(StringRef path) {
  auto start = llvm::MemoryBuffer::getFileSlice(path, 16, 0);
  return start && (*start)->getBuffer().starts_with("SQLite format 3");
}

/// Adds a database or a file.
static llvm::Error load(Records &records, StringRef path) {
  if (!isDatabase(path))
    return importRecords(records, path).takeError();
  llvm::Expected<Records> other = Records::open(path, Records::Mode::Read);
  return other ? mergeRecords(records, *other).takeError() : other.takeError();
}

static llvm::Expected<Records> loadInputs() {
  if (inputs.size() == 1 && isDatabase(inputs.front()))
    return Records::open(inputs.front(), Records::Mode::Read);
  llvm::Expected<Records> records = Records::temporary();
  if (!records)
    return records;
  for (const std::string &path : inputs)
    if (llvm::Error error = load(*records, path))
      return error;
  return records;
}

static llvm::Error runStats() {
  llvm::Expected<Records> records = loadInputs();
  if (!records)
    return records.takeError();
  llvm::Expected<RecordsStatistics> statistics = computeStatistics(*records);
  if (!statistics)
    return statistics.takeError();
  (asJson ? printJson : printReport)(*statistics, llvm::outs());
  return llvm::Error::success();
}

static llvm::Error runCommand() {
  if (exportCommand)
    return runExport();
  if (importCommand)
    return runImport();
  if (mergeCommand)
    return runMerge();
  if (unifyCommand)
    return runUnify();
  if (statsCommand)
    return runStats();
  return llvm::createStringError(
      "name a command: export, import, merge, unify or stats; see --help");
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // All options belong to commands; those of LLVM's libraries do not.
  cl::OptionCategory none("");
  cl::HideUnrelatedOptions(none);
  cl::ParseCommandLineOptions(argc, argv, "Databases and files of measurements\n");
  if (llvm::Error error = runCommand()) {
    llvm::WithColor::error() << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
