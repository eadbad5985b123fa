//===- Records.h - Measurements that outlive their process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RECORDS_RECORDS_H
#define UCMOH_RECORDS_RECORDS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <vector>

namespace ucmoh {

namespace sqlite {
class Database;
} // namespace sqlite

/// A SQLite database of measurements: one schema for data sets, tuners and users (docs/records.md).
/// What a call added is there after it returned, even if this process is killed at once. Several
/// processes may write to one file; an object serves one thread, and no child that is forked from
/// it. Each error names the file, what is wrong and what to do.
class Records {
public:
  /// A contraction that was measured.
  struct Workload {
    std::string name;        ///< as in tables and remarks
    std::string ir;          ///< a module with one function @f
    int64_t flops = 0;       ///< 2 * the product of all extents
    llvm::json::Object tags; ///< networks, types, split, class, and whatever else

    /// 16 hexadecimal digits of `ir`.
    std::string id() const;
  };

  /// A machine as it was when it measured: other numbers under the same name are another machine.
  struct Machine {
    std::string name; ///< as in "zen4"
    std::string cpu;  ///< LLVM's name of the processor
    std::string ir;   ///< the ucmoh.machine op

    /// 16 hexadecimal digits of all fields.
    std::string id() const;
  };

  /// One program, measured or failed: exactly one of `seconds` and `error` is empty.
  struct Row {
    std::string workload;        ///< its id
    std::string machine;         ///< its id
    std::string target;          ///< as in "host"
    std::string intrinsic;       ///< "target::intrinsic"
    std::string choice;          ///< a #ucmoh.choice; kept as `canonicalChoice`
    std::string program;         ///< its hash, 16 hexadecimal digits; kept as `canonicalProgram`
    std::vector<double> seconds; ///< all repeats
    std::string error;           ///< why there are no seconds
    std::string run;             ///< the label of an independent run of measurements
    std::string versions;        ///< UCMoH's and LLVM's
    int64_t time = 0;            ///< Unix seconds
  };

  /// The rows of one task, which belong together.
  struct Task {
    llvm::StringRef workload, machine; ///< their ids
    llvm::StringRef run;               ///< the label of the run
  };

  /// Which rows, and with them which workloads and machines. Empty: all.
  struct Filter {
    std::string split;   ///< the tag "split" of a workload
    std::string machine; ///< the name of a machine
    std::string run;     ///< the label of a run
    /// Whether all rows pass.
    bool isEmpty() const { return split.empty() && machine.empty() && run.empty(); }
  };

  /// Counts what a database holds.
  struct Counts {
    int64_t workloads, machines, rows, failures; ///< failures are rows, too
  };

  /// How a database is opened: for reading, to add to, or made if there is none.
  enum class Mode { Read, Write, Create };

  /// Create makes the file if there is none. A database of a former schema is converted. Whatever
  /// else is not a sound database of this schema is refused and stays as it is.
  static llvm::Expected<Records> open(llvm::StringRef path, Mode mode);

  /// A database that lasts as long as the object.
  static llvm::Expected<Records> temporary();

  Records(Records &&other);
  Records &operator=(Records &&other);
  ~Records();

  /// Returns the id. Where the workload is known, it keeps its name and tags and gets the tags that
  /// it lacks.
  llvm::Expected<std::string> addWorkload(const Workload &workload);

  /// Returns the id.
  llvm::Expected<std::string> addMachine(const Machine &machine);
  /// A machine that was probed again is the same machine: all rows of machines called `name` take
  /// the description of the one measured last; where both have a row, the later machine's is kept.
  /// Returns how many rows changed; an error when there is no such machine.
  llvm::Expected<int64_t> unifyMachine(llvm::StringRef name);

  /// Adds all rows or, after an error, none. Returns how many were new: a row with the same
  /// workload, machine, run and choice as a present one is left out.
  llvm::Expected<int64_t> addRows(llvm::ArrayRef<Row> rows);

  /// Whether the task has a row with this choice.
  llvm::Expected<bool> contains(const Task &task, llvm::StringRef choice);

  /// The canonical choices that have a row, failed ones too.
  llvm::Expected<llvm::StringSet<>> choices(const Task &task);

  /// The least median of a program of the workload on the machine, both ids, in any run; infinite
  /// where none was measured.
  llvm::Expected<double> bestSeconds(llvm::StringRef workload, llvm::StringRef machine);

  /// Each in a fixed order that depends only on the data. `visit` must not add anything; its error
  /// ends the walk. Machines are ordered by name, rows by machine, workload, run and choice.
  llvm::Error forEachWorkload(const Filter &filter,
                              llvm::function_ref<llvm::Error(const Workload &)> visit);
  llvm::Error forEachMachine(const Filter &filter,
                             llvm::function_ref<llvm::Error(const Machine &)> visit);
  llvm::Error forEachRow(const Filter &filter, llvm::function_ref<llvm::Error(const Row &)> visit);

  /// Over all workloads, machines and rows.
  llvm::Expected<Counts> counts();

  /// Adds all that `body` adds together or, after an error, nothing of it.
  llvm::Error transaction(llvm::function_ref<llvm::Error()> body);

  /// `body` sees the data of one moment, whatever others write meanwhile.
  llvm::Error snapshot(llvm::function_ref<llvm::Error()> body);

  /// The file; empty for a temporary database.
  llvm::StringRef getPath() const;

private:
  explicit Records(std::unique_ptr<sqlite::Database> database);
  llvm::Expected<bool> addRow(const Row &row);

  std::unique_ptr<sqlite::Database> database;
};

/// `choice` without what a model thought of it: predicted_seconds is 0 and model is "". Words of
/// former versions are replaced by those of now. Two choices are the same if these texts are equal.
std::string canonicalChoice(llvm::StringRef choice);

/// The hash of a row's program, which is another one where a choice of a former version unrolled
/// the reduction: such rows stay beside those of the same choice.
std::string canonicalProgram(llvm::StringRef choice, llvm::StringRef program);

} // namespace ucmoh

#endif // UCMOH_RECORDS_RECORDS_H
