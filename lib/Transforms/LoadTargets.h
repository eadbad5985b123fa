//===- LoadTargets.h - The targets of a pass's option
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_LOADTARGETS_H
#define UCMOH_LIB_TRANSFORMS_LOADTARGETS_H

#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// For Pass::initialize, before threads start: parses the embedded targets and, where the option
/// `target` is the path of a file, that file too.
inline mlir::LogicalResult loadTargets(mlir::MLIRContext *context, llvm::StringRef target,
                                       std::shared_ptr<TargetLibrary> &library) {
  auto loaded = loadLibrary(context, target);
  if (failed(loaded))
    return mlir::failure();
  library = *loaded;
  return mlir::success();
}

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_LOADTARGETS_H
