//===- BestKernels.h - How long contractions take with the kernels that a model picks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_BESTKERNELS_H
#define UCMOH_ANALYSIS_BESTKERNELS_H

#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/CostModel/CostModel.h"
#include "llvm/ADT/StringMap.h"

namespace ucmoh {

/// Predicts contractions, for decisions between several ways to compute the same. Remembers
/// predictions.
class BestKernels {
public:
  BestKernels(Target target, std::shared_ptr<CostModel> model)
      : target(std::move(target)), model(std::move(model)) {}

  /// Predicts the seconds of the best kernel; infinity where there is none.
  double seconds(const Workload &workload);
  const Machine &getMachine() const { return target.machine; }

private:
  Target target;
  std::shared_ptr<CostModel> model;
  llvm::StringMap<double> known; ///< seconds, by workload
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_BESTKERNELS_H
