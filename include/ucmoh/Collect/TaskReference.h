//===- TaskReference.h - What is right, and what a task is called with
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COLLECT_TASKREFERENCE_H
#define UCMOH_COLLECT_TASKREFERENCE_H

#include "ucmoh/Runtime/Trial.h"

namespace ucmoh {

/// The results of plain loops, computed once in a child process, and the arguments that they were
/// computed from. All measurements of a task may share one.
class TaskReference {
public:
  /// Starts a child for the function `entry` of `plain`, which works while this process goes on.
  static llvm::Expected<std::shared_ptr<TaskReference>>
  begin(mlir::ModuleOp plain, const std::string &entry, const TrialOptions &options);

  /// Waits until the results are there; `seconds` at most for each step. The same answer each time.
  llvm::Error await(double seconds);

  /// The arguments.
  const std::vector<Tensor> &getInputs() const { return inputs; }
  /// Empty before `await`.
  const ResultFile &getExpected() const { return expected; }

private:
  llvm::Error publish(double seconds);

  ResultFile expected;
  std::vector<Tensor> inputs;
  std::unique_ptr<ChildProcess> child; ///< until the results are there
  std::string failure;                 ///< why there are none
};

} // namespace ucmoh

#endif // UCMOH_COLLECT_TASKREFERENCE_H
