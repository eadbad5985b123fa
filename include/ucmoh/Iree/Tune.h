//===- Tune.h - Which configurations the contractions of a module get
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_IREE_TUNE_H
#define UCMOH_IREE_TUNE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Iree/Group.h"

namespace ucmoh {

/// A configuration of IREE's code generator with what the model says of it.
struct RankedTiles {
  llvm::SmallVector<int64_t> tiles; ///< as docs/how-to/iree.md lists them for the kind of target
  double predictedSeconds;          ///< by the model
};

/// The configurations of one contraction.
struct Tuning {
  std::vector<RankedTiles> ranked; ///< best first
  std::string compilationInfo;     ///< the best one as an attribute of IREE
};

/// A contraction with configurations.
struct TunedOp {
  llvm::SmallVector<mlir::linalg::LinalgOp> places; ///< all that are equal
  std::string workload;                             ///< its name
  Tuning tuning;                                    ///< not empty
};

/// Holds what is known of the contractions of a module.
struct TunedOps {
  std::vector<TunedOp> tuned; ///< equal contractions once
  std::vector<LeftOp> left;   ///< those without a configuration
};

/// For what configurations are ranked.
struct TuneOptions {
  const Target &target;    ///< a CPU or a device
  const CostModel &model;  ///< that ranks
  llvm::StringRef version; ///< IREE's, whose spelling is meant: "3.11", "3.12" or "3.13"
};

/// Ranks configurations for the contractions of the module, those in ops that are not known (such
/// as IREE's dispatches) included.
TunedOps tune(mlir::ModuleOp module, const TuneOptions &options);

/// Writes a file for iree-compile's --iree-codegen-tuning-spec-path, or for a device
/// --iree-codegen-transform-dialect-library, with the best configuration of each op.
void writeTuningSpec(llvm::raw_ostream &os, llvm::ArrayRef<TunedOp> ops);

/// Writes the module, in generic form, with the best configuration of each op as its attribute
/// compilation_info.
void writeAnnotated(llvm::raw_ostream &os, mlir::ModuleOp module, llvm::ArrayRef<TunedOp> ops);

} // namespace ucmoh

#endif // UCMOH_IREE_TUNE_H
