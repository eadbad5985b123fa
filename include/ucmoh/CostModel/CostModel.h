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
  /// What to write into #ucmoh.choice.
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

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_COSTMODEL_H
