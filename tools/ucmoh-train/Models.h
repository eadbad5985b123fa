//===- Models.h - Models as the command line names them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TOOLS_TRAIN_MODELS_H
#define UCMOH_TOOLS_TRAIN_MODELS_H

#include "ucmoh/Training/Evaluate.h"

namespace ucmoh {

/// Scores all programs with [LABEL=]MODEL[+MODEL...], where MODEL is what createCostModel takes,
/// "scores:FILE", or BASELINE:WEIGHTS; behind a '+' the kind is that of the first. Errors: a model
/// that is none, or that wants other features.
llvm::Expected<ModelScores> scoreModels(llvm::StringRef text, const Dataset &data);

} // namespace ucmoh

#endif // UCMOH_TOOLS_TRAIN_MODELS_H
