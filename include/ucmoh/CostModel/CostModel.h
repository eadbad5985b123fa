//===- CostModel.h - Programs in, seconds or scores out
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_COSTMODEL_H
#define UCMOH_COSTMODEL_COSTMODEL_H

#include "ucmoh/CostModel/Features.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace ucmoh {

/// Ranks programs. Knows no dialect.
class CostModel {
public:
  virtual ~CostModel() = default;
  /// One score per program; lower is better. The score of a program does not depend on the others.
  virtual void score(llvm::ArrayRef<ProgramFeatures> programs,
                     llvm::MutableArrayRef<float> scores) const = 0;
  /// Whether scores are seconds, so that they may be shown as a prediction.
  virtual bool predictsSeconds() const = 0;
  /// Intrinsics whose measurements it was made from ("target::intrinsic"); empty if from none.
  virtual llvm::ArrayRef<std::string> getTrainedIntrinsics() const { return {}; }
  /// Numbers of threads that these measurements had; empty if it was made from none.
  virtual llvm::ArrayRef<int64_t> getTrainedThreads() const { return {}; }
  /// Whether these measurements were made on a machine like the one that the row describes. True
  /// for models that were made from none.
  virtual bool knowsMachine(const FeatureRow &row) const { return true; }
  /// Returns the name that #ucmoh.choice gets.
  virtual llvm::StringRef getName() const = 0;
};

/// "embedded" (the network with the weights of this build), the path of a .safetensors file with
/// other weights, "analytic" or "random:SEED". Null for any other name or bad weights; `error` then
/// says what there is.
std::unique_ptr<CostModel> createCostModel(llvm::StringRef name, std::string &error);

/// The roofline's estimate of one program, in seconds: fallback and baseline.
double analyticSeconds(llvm::ArrayRef<FeatureRow> program);
/// The same, and in `rows` what each statement takes by itself: those of one program overlap. On a
/// device the row of the grid has all of it.
double analyticSeconds(llvm::ArrayRef<FeatureRow> program, llvm::MutableArrayRef<double> rows);

/// The numbers by which weights remember a machine that they were made from.
std::vector<double> machineNumbers(const FeatureRow &row);

/// Whether two machines have nearly the same numbers: the same CPU that was measured twice has, a
/// CPU of another generation has not. Of lists of another length: no.
bool areAlike(llvm::ArrayRef<double> first, llvm::ArrayRef<double> second);

/// Corrects the scores that a learned model gave the programs of one task on a machine that it has
/// never seen. Which intrinsic is the best there, the roofline says, for it knows their costs;
/// among the programs of one intrinsic the model's correction of the roofline counts, three
/// quarters of it (docs/network.md, "A machine that it has never seen").
///
/// All three have an entry for each program: `intrinsics` a number that programs of the same
/// intrinsic share, `roofline` and `scores` positive seconds. Scores stay comparable: each
/// intrinsic's best one becomes its best by the roofline.
void restrain(llvm::ArrayRef<unsigned> intrinsics, llvm::ArrayRef<double> roofline,
              llvm::MutableArrayRef<float> scores);

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_COSTMODEL_H
