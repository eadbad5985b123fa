//===- ChoiceFile.h - Choices made by somebody else
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_CHOICEFILE_H
#define UCMOH_TRANSFORMS_CHOICEFILE_H

#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/StringMap.h"

namespace ucmoh {

/// A JSONL file of {"workload": NAME, "choice": "#ucmoh.choice<...>"} lines, by which any outside
/// model or tuner can decide.
class ChoiceFile {
public:
  /// Errors name the file and the line; nothing is kept of a file with an error.
  llvm::LogicalResult read(llvm::StringRef path, mlir::MLIRContext *context);
  /// The choice for a workload, or null.
  ChoiceAttr lookup(llvm::StringRef workload) const { return choices.lookup(workload); }

private:
  llvm::StringMap<ChoiceAttr> choices;
};

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_CHOICEFILE_H
