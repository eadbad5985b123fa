//===- ModelChoice.h - Which cost model decides for a target
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_MODELCHOICE_H
#define UCMOH_ANALYSIS_MODELCHOICE_H

#include "ucmoh/Analysis/Target.h"
#include "ucmoh/CostModel/CostModel.h"

namespace ucmoh {

/// Whether `model` was made from measurements of intrinsics like each of the target's: of the same
/// shape and element types but for their signs, under whatever name and on whatever machine.
bool hasSeen(const CostModel &model, const Target &target);

/// What the option `model` of passes and tools means. "auto": the embedded weights where they have
/// seen the target's intrinsics, else the roofline. All else as createCostModel.
std::unique_ptr<CostModel> createModelFor(const Target &target, llvm::StringRef name,
                                          std::string &error);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_MODELCHOICE_H
