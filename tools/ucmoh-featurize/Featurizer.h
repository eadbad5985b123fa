//===- Featurizer.h - Measured programs as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TOOLS_FEATURIZE_FEATURIZER_H
#define UCMOH_TOOLS_FEATURIZE_FEATURIZER_H

#include "ucmoh/Analysis/FeatureKind.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Measure/RecordLines.h"
#include "llvm/ADT/StringMap.h"

namespace ucmoh {

/// One measurement with the features of its program.
struct FeaturizedRow {
  const RecordedRow *record;
  std::string intrinsic;   ///< "target::name"
  std::vector<float> rows; ///< as FeatureKind::extract makes them
  double analyticSeconds;  ///< the roofline's
};

/// All measurements of one workload.
struct FeaturizedTask {
  const RecordedWorkload *workload;
  std::vector<FeaturizedRow> programs; ///< in the order of the records
  llvm::StringMap<unsigned> skipped;   ///< reason -> how many rows were left out
};

/// Rebuilds workloads and candidates from their text and describes them.
class Featurizer {
public:
  Featurizer(mlir::MLIRContext &context, const FeatureKind &kind) : context(context), kind(kind) {}
  /// One task per workload that has rows, in the order of their definition. Errors: a machine or
  /// target that cannot be read. What is wrong with single rows is counted in `skipped`.
  llvm::Expected<std::vector<FeaturizedTask>> run(const Records &records);

private:
  llvm::Error resolveMachine(const RecordedMachine &machine);
  /// Fills the task; `records` are those of its workload.
  void featurize(FeaturizedTask &task, llvm::ArrayRef<const RecordedRow *> records) const;
  std::string featurizeRow(const RecordedRow &record, const Workload &workload,
                           FeaturizedTask &task) const;

  mlir::MLIRContext &context;
  const FeatureKind &kind;
  std::shared_ptr<TargetLibrary> library;
  llvm::StringMap<Target> targets; ///< by "target@machine"
};

} // namespace ucmoh

#endif // UCMOH_TOOLS_FEATURIZE_FEATURIZER_H
