//===- WorkloadIdentity.h - What makes two workloads the same
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_WORKLOADIDENTITY_H
#define UCMOH_ANALYSIS_WORKLOADIDENTITY_H

#include "ucmoh/Analysis/Workload.h"

namespace ucmoh {

/// What two workloads are compared by, where names are for people: 16 hexadecimal digits of all
/// that is known of the structure, the same in all runs and on all platforms.
std::string identityOf(const Workload &workload);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_WORKLOADIDENTITY_H
