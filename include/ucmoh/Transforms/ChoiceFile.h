//===- ChoiceFile.h - Choices made by somebody else
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_CHOICEFILE_H
#define UCMOH_TRANSFORMS_CHOICEFILE_H

#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace ucmoh {

/// A JSONL file of {"workload": NAME, "workload_hash": DIGITS, "choice": "#ucmoh.choice<...>"}
/// lines, by which any outside model or tuner can decide. The hash, a workload's identity, decides
/// for whom a line is; one without it is for all workloads of the name. Of several lines for the
/// same the first counts: lists begin with the best.
class ChoiceFile {
public:
  /// Errors name the file and the line; nothing is kept of a file with an error.
  llvm::LogicalResult read(llvm::StringRef path, mlir::MLIRContext *context);
  /// The choice for a workload, or null.
  ChoiceAttr lookup(const Workload &workload);
  /// Says at `root` how many lines were for none of the workloads that were looked up: a warning
  /// when it is all of them.
  void reportUnused(mlir::Operation *root) const;

private:
  /// Lines for the same workload.
  struct Entry {
    ChoiceAttr first;
    int64_t lines = 0;
    bool isUsed = false;
  };
  llvm::Error readLine(llvm::StringRef line, mlir::MLIRContext *context);

  std::string path;
  llvm::StringMap<Entry> entries; ///< by hash, else by name
};

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_CHOICEFILE_H
