//===- TuningSpec.h - Configurations as a tuning spec of IREE
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_TUNINGSPEC_H
#define UCMOH_IREE_TUNINGSPEC_H

#include "mlir/IR/BuiltinOps.h"
#include "ucmoh/Iree/Configuration.h"
#include "ucmoh/Iree/Group.h"

namespace ucmoh {

/// A contraction with a configuration.
struct TunedOp {
  mlir::linalg::LinalgOp op;                 ///< the first one of its kind in the module
  std::string workload;                      ///< its name
  std::vector<Configuration> configurations; ///< best first
};

/// What a spec says of a module.
struct TunedOps {
  std::vector<TunedOp> tuned; ///< equal contractions once
  std::vector<LeftOp> left;   ///< those without a configuration
};

/// Ranks configurations for the contractions of the module, those in ops that are not known (such
/// as IREE's dispatches) included.
TunedOps tune(mlir::ModuleOp module, const Target &target, const CostModel &model);

/// Writes a file for iree-compile's --iree-codegen-tuning-spec-path, with the best configuration of
/// each op, as IREE `version` ("3.11", "3.12", "3.13") spells it.
void writeTuningSpec(llvm::raw_ostream &os, llvm::ArrayRef<TunedOp> ops, llvm::StringRef version);

} // namespace ucmoh

#endif // UCMOH_IREE_TUNINGSPEC_H
