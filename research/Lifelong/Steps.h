//===- Steps.h - What is learned one after the other
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_LIFELONG_STEPS_H
#define UCMOH_RESEARCH_LIFELONG_STEPS_H

#include "ucmoh/Training/Selection.h"

namespace ucmoh {

/// The programs of some intrinsics, targets or machines.
struct LifelongStep {
  std::string name;                ///< in tables
  std::vector<std::string> names;  ///< programs' names, as isNamed takes them
  std::vector<ProgramList> train;  ///< learned
  std::vector<ProgramList> choose; ///< settings are chosen by: of a fifth of the other tasks
  std::vector<ProgramList> test;   ///< lists of tasks that are held out
  std::vector<ProgramList> drawn;  ///< nobody measured: of the run "drawn"
};

/// How much of the data takes part.
struct LifelongSample {
  int64_t trainPrograms = 2400; ///< programs of a step, at most
  int64_t programsPerList = 16; ///< learned or drawn
  int64_t judgedPerList = 32;   ///< programs of a list that is judged
  std::string machine;          ///< only programs of this one; all if empty
};

/// Steps from texts "NAME=PROGRAMS[+PROGRAMS...]". The same programs in every call. Errors: names
/// that the data does not have, a step with nothing to learn or to be judged on.
llvm::Expected<std::vector<LifelongStep>>
makeSteps(const Dataset &data, llvm::ArrayRef<std::string> texts, const LifelongSample &sample);

/// The data of the steps alone, in which their lists are numbered anew.
Dataset compact(const Dataset &data, std::vector<LifelongStep> &steps);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_LIFELONG_STEPS_H
