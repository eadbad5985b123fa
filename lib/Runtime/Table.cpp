//===- Table.cpp - What was measured, for people
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace ucmoh;
namespace json = llvm::json;

std::string ucmoh::formatSeconds(std::optional<double> seconds) {
  if (!seconds)
    return "-";
  if (*seconds < 1e-3)
    return llvm::formatv("{0:f1} us", *seconds * 1e6);
  if (*seconds < 1)
    return llvm::formatv("{0:f3} ms", *seconds * 1e3);
  return llvm::formatv("{0:f3} s", *seconds);
}

/// Says in few words what was chosen for an op, or for a candidate of it.
static std::string choiceOf(const json::Object &row) {
  return row.getString("summary").value_or("no intrinsic").str();
}

/// Where each column starts: behind every cell that ends in front of it. One that reaches into
/// empty cells ends where the next cell begins.
static std::vector<size_t> startsOf(llvm::ArrayRef<std::vector<std::string>> rows) {
  size_t count = 0;
  for (const auto &row : rows)
    count = std::max(count, row.size());
  std::vector<size_t> starts(count, 0), ends(rows.size(), 0);
  for (size_t column = 0; column < count; ++column) {
    for (auto [row, end] : llvm::zip_equal(rows, ends))
      if (column < row.size() && !row[column].empty())
        starts[column] = std::max(starts[column], end);
    for (auto [row, end] : llvm::zip_equal(rows, ends))
      if (column < row.size() && !row[column].empty())
        end = starts[column] + row[column].size() + 2;
  }
  return starts;
}

void ucmoh::printColumns(llvm::ArrayRef<std::vector<std::string>> rows, llvm::raw_ostream &stream) {
  std::vector<size_t> starts = startsOf(rows);
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i].empty())
        continue;
      line.resize(starts[i], ' ');
      line += row[i];
    }
    stream << llvm::StringRef(line).rtrim() << "\n";
  }
}

static std::optional<double> minimumOf(const json::Object &object) {
  const json::Object *seconds = object.getObject("seconds");
  return seconds ? seconds->getNumber("min") : std::nullopt;
}

/// "12.3x" of plain loops.
static std::string formatSpeedup(std::optional<double> plain, std::optional<double> seconds) {
  if (!plain || !seconds || *seconds <= 0)
    return "-";
  return llvm::formatv("{0:f1}x", *plain / *seconds);
}

/// The name of a workload without its hash, which only files need.
static std::string formatWorkload(llvm::StringRef name) {
  auto [words, hash] = name.rsplit('_');
  return (hash.size() == 6 && llvm::all_of(hash, llvm::isHexDigit) ? words : name).str();
}

static std::vector<std::string> rowOf(const json::Object &op) {
  std::optional<double> seconds = minimumOf(op), gops = op.getNumber("gops");
  return {std::to_string(op.getInteger("op").value_or(0)),
          formatWorkload(op.getString("workload").value_or("")),
          choiceOf(op),
          formatSeconds(op.getNumber("predicted_seconds")),
          formatSeconds(seconds),
          gops ? llvm::formatv("{0:f1}", *gops).str() : "-"};
}

/// Whether there is more than ops: not if nothing has a name, and what is left is next to nothing,
/// or all there is.
static bool hasRest(const json::Object &report) {
  const json::Array *rest = report.getArray("rest");
  if (!rest || rest->empty() || rest->size() > 1)
    return rest && !rest->empty();
  double left = minimumOf(*rest->front().getAsObject()).value_or(0);
  return !report.getArray("ops")->empty() && left > minimumOf(report).value_or(0) / 100;
}

/// Adds what is no contraction; without a time there is nothing to say.
static void addRest(const json::Object &report, std::vector<std::vector<std::string>> &rows) {
  if (!hasRest(report))
    return;
  for (const json::Value &value : *report.getArray("rest")) {
    const json::Object &row = *value.getAsObject();
    std::string name = row.getString("name").value_or("").str();
    if (int64_t count = row.getInteger("count").value_or(1); count > 1)
      name += llvm::formatv(" ({0} times)", count);
    if (std::optional<double> seconds = minimumOf(row))
      rows.push_back({"-", name, "", "-", formatSeconds(seconds), "-"});
  }
}

/// Predicted against measured order of one op's candidates.
static void printCandidates(const json::Object &op, llvm::raw_ostream &stream) {
  const json::Array *candidates = op.getArray("candidates");
  if (!candidates || candidates->empty())
    return;
  stream << "candidates of op " << op.getInteger("op").value_or(0) << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"predicted rank", "measured rank", "choice", "predicted", "measured", ""}};
  for (const json::Value &value : *candidates) {
    const json::Object &row = *value.getAsObject();
    auto rank = row.getInteger("measured_rank");
    rows.push_back({std::to_string(row.getInteger("rank").value_or(0)),
                    rank ? std::to_string(*rank) : "-", choiceOf(row),
                    formatSeconds(row.getNumber("predicted_seconds")),
                    formatSeconds(minimumOf(row)), row.getString("error").value_or("").str()});
  }
  printColumns(rows, stream);
}

/// Prints what each kernel of a device needs.
static void printKernels(const json::Object &report, llvm::raw_ostream &stream) {
  const json::Array *kernels = report.getArray("kernels");
  if (!kernels)
    return;
  for (const json::Value &value : *kernels) {
    const json::Object &row = *value.getAsObject();
    stream << "kernel " << row.getString("kernel").value_or("") << ": ";
    if (auto error = row.getString("error"))
      stream << "the assembler refuses it: " << *error << "\n";
    else
      stream << *row.getInteger("registers") << " registers a thread, "
             << *row.getInteger("spill_bytes") << " bytes spilled, "
             << *row.getInteger("shared_memory_bytes") << " bytes of shared memory\n";
  }
}

/// How the result of a network compares, if it is not equal, and what its kernels do.
static void printNoise(const json::Object &report, llvm::raw_ostream &stream) {
  std::vector<std::string> parts;
  const json::Array *checks = report.getArray("checks");
  auto isRight = [](const json::Value &check) {
    return check.getAsObject()->getBoolean("verified").value_or(false);
  };
  if (checks && !checks->empty())
    parts.push_back(llvm::formatv("{0} of {1} kernels right on their inputs",
                                  llvm::count_if(*checks, isRight), checks->size()));
  auto decibel = report.getNumber("snr_db"), differing = report.getNumber("differing");
  if (decibel && differing)
    parts.push_back(llvm::formatv("signal to noise {0:f1} dB, {1:P1} of the elements differ",
                                  *decibel, *differing));
  if (!parts.empty())
    stream << llvm::join(parts, ", ") << "\n";
}

/// The last lines: what all of it took, and whether it was right.
static void printTotal(const json::Object &report, llvm::raw_ostream &stream) {
  std::optional<double> seconds = minimumOf(report), plain = report.getNumber("plain_seconds");
  auto verified = report.getBoolean("verified");
  if (seconds)
    stream << "total " << formatSeconds(seconds) << ", " << formatSpeedup(plain, seconds)
           << " of plain loops";
  else if (report.getBoolean("emulated").value_or(false) &&
           (verified || !report.getString("error")))
    stream << "executed by an emulator, whose times say nothing";
  else
    return;
  if (verified) {
    stream << (*verified ? ", verified" : ", NOT VERIFIED") << " (max abs error "
           << llvm::format("%g", report.getNumber("max_abs_error").value_or(INFINITY)) << ")";
  }
  if (!report.getBoolean("quiet").value_or(true))
    stream << "; not all of it was measured in quiet moments";
  stream << "\n";
  if (verified)
    printNoise(report, stream);
}

void ucmoh::printTable(const json::Object &report, llvm::raw_ostream &stream) {
  stream << "@" << report.getString("function").value_or("") << " on "
         << report.getString("machine").value_or("an unknown machine") << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"op", "workload", "choice", "predicted", "measured", "GOP/s"}};
  for (const json::Value &op : *report.getArray("ops"))
    rows.push_back(rowOf(*op.getAsObject()));
  addRest(report, rows);
  if (rows.size() > 1)
    printColumns(rows, stream);
  printKernels(report, stream);
  for (const json::Value &op : *report.getArray("ops"))
    printCandidates(*op.getAsObject(), stream);
  if (auto error = report.getString("error"))
    stream << "error: " << *error << "\n";
  printTotal(report, stream);
}
