//===- PassTarget.h - The target of a pass, and the intrinsics that its ops name
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_PASSTARGET_H
#define UCMOH_LIB_TRANSFORMS_PASSTARGET_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// For what a pass compiles: what the module's attribute `ucmoh.target` says; without it, what the
/// pass's option says.
class PassTarget {
public:
  /// For Pass::initialize, before threads start: loads what `option` names, or this machine's
  /// targets where it is empty.
  mlir::LogicalResult initialize(mlir::MLIRContext *context, llvm::StringRef option);

  /// The target of the module around `op`. An error says what contradicts what.
  mlir::FailureOr<Target> of(mlir::Operation *op) const;

  /// The same, after it was set as the attribute of `op` where that is a module without one.
  mlir::FailureOr<Target> resolve(mlir::Operation *op) const;

private:
  mlir::FailureOr<Target> find(mlir::Operation *module, ResolvedAttr attribute) const;

  std::string request; ///< in the words of the option
  bool isGiven = false;
  Target target;
};

/// A pass that compiles for a target. `Base` is what TableGen makes of a pass with the option
/// `target`.
template <typename Base> class TargetPass : public Base {
public:
  using Base::Base;

  mlir::LogicalResult initialize(mlir::MLIRContext *context) override {
    return passTarget.initialize(context, this->target);
  }

  void runOnOperation() override {
    mlir::FailureOr<Target> resolved = passTarget.of(this->getOperation());
    if (failed(resolved) || failed(runFor(*resolved)))
      this->signalPassFailure();
  }

  /// Runs on the operation, which is compiled for `resolved`.
  virtual mlir::LogicalResult runFor(const Target &resolved) = 0;

private:
  PassTarget passTarget;
};

/// The ops below `root` that carry a choice.
llvm::SmallVector<mlir::linalg::LinalgOp> opsWithChoice(mlir::Operation *root);

/// The intrinsic that `user` names in its attribute `intrinsic`, once its operands are known to fit
/// it; null after an error at `user`.
IntrinsicOp findIntrinsic(mlir::Operation *user, const TargetLibrary &library);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_PASSTARGET_H
