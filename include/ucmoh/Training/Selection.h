//===- Selection.h - What is learned, and what is judged
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_SELECTION_H
#define UCMOH_TRAINING_SELECTION_H

#include "ucmoh/Dataset/Dataset.h"

namespace ucmoh {

/// Programs that compete for one task on one machine, measured in one run: what a model ranks.
struct ProgramList {
  int32_t task, machine, run;    ///< into the lists of the dataset
  std::vector<int64_t> programs; ///< into the dataset, in its order; none of them failed
};

/// All lists of at least two programs, in the order of their first program.
std::vector<ProgramList> listsOf(const Dataset &data);

/// The programs of each list for which `keep` is true; lists of less than two are left out.
std::vector<ProgramList> keepPrograms(std::vector<ProgramList> lists,
                                      llvm::function_ref<bool(int64_t program)> keep);

/// Says which programs judge; everything else that is not held out may be learned. The same
/// programs fall on the same side in every process.
enum class Split {
  Holdout,    ///< tasks that say so
  ByTask,     ///< a fifth of the other tasks
  WithinTask, ///< a fifth of the programs of each of the other tasks
  Train,      ///< what Holdout learns, to see how well it was learned
};
/// Its name on the command line.
llvm::StringRef name(Split split);

/// Programs by what executes them: "target", "target::intrinsic" or "machine". Error: a name that
/// none of the data has; those that there are.
llvm::Error checkNames(const Dataset &data, llvm::ArrayRef<std::string> names);
bool isNamed(const Dataset &data, int64_t program, llvm::ArrayRef<std::string> names);

/// Programs that `names` name are left out.
std::vector<ProgramList> listsToLearn(const Dataset &data, Split split,
                                      llvm::ArrayRef<std::string> without);
/// All programs if there is no name.
std::vector<ProgramList> listsToJudge(const Dataset &data, Split split,
                                      llvm::ArrayRef<std::string> only);

} // namespace ucmoh

#endif // UCMOH_TRAINING_SELECTION_H
