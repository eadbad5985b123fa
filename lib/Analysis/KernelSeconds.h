//===- KernelSeconds.h - From a program's time to its kernel's in a network
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_KERNELSECONDS_H
#define UCMOH_LIB_ANALYSIS_KERNELSECONDS_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/CostModel/CostModel.h"

namespace ucmoh {

struct KernelShape;

/// Models are asked about programs, and learned from kernels whose operands were in cache. A kernel
/// inside of a network differs in ways that are known without a measurement: it leaves out padding,
/// it waits for weights, and it may widen them. Refers to both arguments.
class KernelSeconds {
public:
  KernelSeconds(const Workload &workload, const Machine &machine);

  /// What the candidate takes in a network if its program takes `seconds`.
  double operator()(const Candidate &candidate, const ProgramFeatures &program,
                    double seconds) const;

private:
  double shareOfProgram(const Candidate &candidate, const ProgramFeatures &program) const;
  double bandwidth(const KernelShape &shape) const;
  double secondsOfArrival(const KernelShape &shape) const;
  double secondsOfWaiting(const KernelShape &shape) const;
  double secondsOfRereading(const KernelShape &shape, double seconds) const;
  double secondsOfWidening(const KernelShape &shape) const;

  const Workload &workload;
  const Machine &machine;
  bool isPadded;
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_KERNELSECONDS_H
