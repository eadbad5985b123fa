//===- Configuration.h - IREE's ways to tile a contraction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_CONFIGURATION_H
#define UCMOH_IREE_CONFIGURATION_H

#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/CostModel/CostModel.h"

namespace ucmoh {

/// How IREE's code generator for CPUs tiles a contraction with one m, n and k each: what its
/// attribute lowering_config says. All tiles divide the extents.
struct Configuration {
  int64_t distributionM, distributionN; ///< one workgroup computes these
  int64_t cacheM, cacheN, cacheK;       ///< steps of the loops inside
  int64_t vectorM, vectorN, vectorK;    ///< the extents that become vectors
  double predictedSeconds = 0;          ///< by the model
};

/// The widest intrinsic whose operands have the type of the sums, to which IREE extends them first;
/// null if there is none.
const Intrinsic *findSumIntrinsic(const Workload &workload, const Target &target);

/// Whether accumulators of a vector tile of the intrinsic's, a row of the other operand and one
/// element of it are all in registers.
bool fitsRegisters(const Configuration &configuration, const Intrinsic &intrinsic);

/// Predicts the seconds of the program that the configuration makes with the intrinsic.
double predictSeconds(const Workload &workload, const Configuration &configuration,
                      const Intrinsic &intrinsic, const Target &target, const CostModel &model);

/// The configurations that IREE compiles to vectors for the workload, best first. Each is described
/// as the program that it makes, with an intrinsic of the target that has the workload's types, and
/// scored by the model. Empty where `reason` says why.
std::vector<Configuration> rankConfigurations(const Workload &workload, const Target &target,
                                              const CostModel &model, std::string &reason);

} // namespace ucmoh

#endif // UCMOH_IREE_CONFIGURATION_H
