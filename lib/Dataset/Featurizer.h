//===- Featurizer.h - Measured programs as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_DATASET_FEATURIZER_H
#define UCMOH_LIB_DATASET_FEATURIZER_H

#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Dataset/FeatureKind.h"
#include "ucmoh/Records/Records.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace ucmoh {

/// Holds what some files contain together.
struct MeasuredData {
  llvm::StringMap<Records::Machine> machines; ///< by id
  std::vector<Records::Workload> workloads;
  std::vector<Records::Row> rows;
  uint64_t hash = 0; ///< a hash of the rows, whatever files they came in
};

/// Reads exports of measurements and databases, each row once. Errors name the file, and what is
/// wrong with it.
llvm::Expected<MeasuredData> readMeasuredData(llvm::ArrayRef<std::string> paths);

/// One measurement with the features of its program.
struct FeaturizedRow {
  const Records::Row *record;
  std::string machine;     ///< its name
  std::string intrinsic;   ///< "target::name"
  std::vector<float> rows; ///< as FeatureKind::extract makes them
  double analyticSeconds;  ///< the roofline's
};

/// All measurements of one workload.
struct FeaturizedTask {
  const Records::Workload *workload;
  std::vector<FeaturizedRow> programs; ///< in the order of the records
  llvm::StringMap<unsigned> skipped;   ///< reason -> how many rows were left out
};

/// Rebuilds workloads and candidates from their text and describes them.
class Featurizer {
public:
  /// `numbers`: ReadOptions::machine.
  Featurizer(mlir::MLIRContext &context, const FeatureKind &kind, llvm::StringRef numbers)
      : context(context), kind(kind), numbers(numbers) {}
  /// One task per workload that has rows, in the order of their definition. Errors: a machine or
  /// target that cannot be read. What is wrong with single rows is counted in `skipped`.
  llvm::Expected<std::vector<FeaturizedTask>> run(const MeasuredData &data);

private:
  llvm::Expected<Target> resolve(llvm::StringRef target, llvm::StringRef machine) const;
  llvm::Error resolveAsked();
  llvm::Error resolveMachine(const Records::Machine &machine);
  /// Fills the task; `records` are those of its workload.
  void featurize(FeaturizedTask &task, llvm::ArrayRef<const Records::Row *> records) const;
  std::string featurizeRow(const Records::Row &record, const Workload &workload,
                           FeaturizedTask &task) const;

  mlir::MLIRContext &context;
  const FeatureKind &kind;
  std::string numbers;
  std::shared_ptr<TargetLibrary> library;
  llvm::StringMap<Target> asked;   ///< by target, on the machine that is asked for; else empty
  llvm::StringMap<Target> targets; ///< by "target@machine", the machine by its id
};

} // namespace ucmoh

#endif // UCMOH_LIB_DATASET_FEATURIZER_H
