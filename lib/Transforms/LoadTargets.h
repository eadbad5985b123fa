//===- LoadTargets.h - The targets of a pass's option, and the intrinsics that its ops name
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

/// The same, resolved to the intrinsics that may be used together.
inline mlir::LogicalResult loadTargets(mlir::MLIRContext *context, llvm::StringRef target,
                                       Target &resolved) {
  auto loaded = loadTarget(context, target);
  if (failed(loaded))
    return mlir::failure();
  resolved = *loaded;
  return mlir::success();
}

/// The intrinsic that `user` names in its attribute `intrinsic`, once its operands are known to fit
/// it; null after an error at `user`.
inline IntrinsicOp findIntrinsic(mlir::Operation *user, const TargetLibrary &library) {
  auto symbol = user->getAttrOfType<mlir::SymbolRefAttr>("intrinsic");
  IntrinsicOp intrinsic = library.lookup(symbol);
  if (!intrinsic) {
    user->emitOpError("unknown intrinsic ")
        << symbol << "; known targets: " << library.knownTargets();
    return nullptr;
  }
  return succeeded(verifyUse(user, intrinsic)) ? intrinsic : nullptr;
}

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_LOADTARGETS_H
