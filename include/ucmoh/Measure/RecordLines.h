//===- RecordLines.h - Measurements as JSON lines
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a database of measurements is exported to (`.jsonl`, or `.jsonl.zst` compressed): a first
/// line {"schema": "ucmoh-records-1", "hash": xxh3 of the bytes after it, …}, then one object a
/// line: {"machine": …}, {"workload": …} or {"row": …}.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_RECORDLINES_H
#define UCMOH_MEASURE_RECORDLINES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace ucmoh {

/// A machine as it was measured: `ir` is the text of its op.
struct RecordedMachine {
  std::string name, ir;
};

/// One function @f with one contraction. `tags` say where it comes from: networks, types, split,
/// class.
struct RecordedWorkload {
  std::string id, name, ir;
  int64_t flops = 0;
  llvm::json::Object tags;
};

/// One program, measured once or not at all: then `error` says why and `seconds` is empty.
struct RecordedRow {
  std::string workload, machine, choice, run, error;
  std::vector<double> seconds; ///< of all repeats
};

struct Records {
  std::vector<RecordedMachine> machines;
  std::vector<RecordedWorkload> workloads;
  std::vector<RecordedRow> rows;
  uint64_t hash = 0; ///< of the content
};

/// Reads the file and adds it to `records`; definitions that are already there are not repeated.
/// Errors name the file and the line: not of this schema, hash or number of rows wrong, a line that
/// is no record.
llvm::Error readRecordLines(llvm::StringRef path, Records &records);

} // namespace ucmoh

#endif // UCMOH_MEASURE_RECORDLINES_H
