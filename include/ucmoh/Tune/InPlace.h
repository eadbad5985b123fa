//===- InPlace.h - What choices do to the model that they are made for
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_INPLACE_H
#define UCMOH_TUNE_INPLACE_H

#include "ucmoh/Runtime/Trial.h"
#include "llvm/ADT/StringMap.h"

namespace ucmoh {

/// Times in the model as it will run, with neighbours, layouts and caches.
struct InPlaceTimes {
  double model = 0;              ///< seconds of a call of all functions
  llvm::StringMap<double> tasks; ///< ... of all contractions of a workload, by its name

  /// Keeps the least of each.
  void keepLeast(const InPlaceTimes &other);
};

/// Compiles and times the functions, in child processes; the least of some calls.
llvm::Expected<InPlaceTimes> timeInPlace(mlir::ModuleOp module,
                                         llvm::ArrayRef<std::string> functions,
                                         const TrialOptions &trial, double timeoutSeconds);

} // namespace ucmoh

#endif // UCMOH_TUNE_INPLACE_H
