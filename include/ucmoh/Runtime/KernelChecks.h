//===- KernelChecks.h - Kernels of a running program compared with plain loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_KERNELCHECKS_H
#define UCMOH_RUNTIME_KERNELCHECKS_H

#include "ucmoh/Runtime/Tensor.h"
#include <optional>
#include <vector>

namespace ucmoh {

/// Holds what is known of a ucmoh.check before the program runs.
struct CheckInfo {
  int64_t op = -1;                     ///< the contraction's number; -1: it has none
  mlir::Type type;                     ///< the type of the result's elements
  llvm::SmallVector<mlir::Type> types; ///< the types of the factors
  bool rounds = false;                 ///< a sum of floats is rounded to these integers
};

/// Holds the findings of one ucmoh.check.
struct CheckResult {
  int64_t op = -1;       ///< the contraction's number; -1: it has none
  bool executed = false; ///< false: its kernel was not reached
  Difference difference; ///< the worst of all executions
};

/// The comparisons that --ucmoh-lower-checks puts into a program. One per process, of a single
/// thread, as the clock is.
class KernelChecks {
public:
  /// Starts anew. Without a tolerance, that of the narrowest float of each kernel holds.
  static void reset(llvm::ArrayRef<CheckInfo> checks, std::optional<double> tolerance);
  /// Compiled code calls it with the number of the check and two descriptors of unranked memrefs.
  static void compare(int64_t check, void *actual, void *expected);
  /// One for each check.
  static const std::vector<CheckResult> &getResults();
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_KERNELCHECKS_H
