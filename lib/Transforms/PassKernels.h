//===- PassKernels.h - What the model says of kernels, for passes that run before any is chosen
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_PASSKERNELS_H
#define UCMOH_LIB_TRANSFORMS_PASSKERNELS_H

#include "PassTarget.h"
#include "ucmoh/Analysis/BestKernels.h"
#include "ucmoh/Transforms/ChoiceFile.h"

namespace ucmoh {

/// What a pass decides with that turns contractions into others: predictions, and the choices that
/// a file pins for contractions as they are.
struct PassKernels {
  BestKernels best;
  ChoiceFile pinned;

  /// For the target of the module around `op`; the options are those of the pass. Null for a
  /// device, where each op that is added would be a launch. Errors are reported.
  static mlir::FailureOr<std::shared_ptr<PassKernels>> load(mlir::Operation *op,
                                                            const PassTarget &passTarget,
                                                            llvm::StringRef model, int64_t threads,
                                                            llvm::StringRef choices);
};

/// The same, loaded when it is first needed: most programs need none.
class KernelsOnDemand {
public:
  /// As `load`, once.
  mlir::FailureOr<PassKernels *> get(mlir::Operation *op, const PassTarget &passTarget,
                                     llvm::StringRef model, int64_t threads,
                                     llvm::StringRef choices);

private:
  bool isLoaded = false; ///< null may have been loaded
  std::shared_ptr<PassKernels> kernels;
};

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_PASSKERNELS_H
