//===- DeviceConfiguration.h - IREE's ways to tile a contraction on a device
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_DEVICECONFIGURATION_H
#define UCMOH_IREE_DEVICECONFIGURATION_H

#include "ucmoh/Analysis/Choice.h"

namespace ucmoh {

/// How IREE's code generator for devices tiles a contraction with one m, n and k each. All tiles
/// divide the extents.
struct DeviceConfiguration {
  std::string matrixOp;           ///< IREE's name of the intrinsic
  int64_t workgroupM, workgroupN; ///< elements of one block of threads
  int64_t subgroupM, subgroupN;   ///< executions of the intrinsic, of one subgroup
  int64_t steps;                  ///< executions along the reduction between two copies
  int64_t threads, subgroupSize;  ///< of a block, of a subgroup
  int64_t stages;                 ///< copies that are under way at once
  double predictedSeconds = 0;    ///< by the model
};

/// The configurations that are candidates of our own as well, best first: IREE makes the same
/// program of them, so the model is asked of that. Empty where `reason` says why.
std::vector<DeviceConfiguration> rankDeviceConfigurations(const Workload &workload,
                                                          const Target &target,
                                                          const CostModel &model,
                                                          std::string &reason);

} // namespace ucmoh

#endif // UCMOH_IREE_DEVICECONFIGURATION_H
