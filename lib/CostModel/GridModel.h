//===- GridModel.h - The analytic model of a device that runs blocks of threads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COSTMODEL_GRIDMODEL_H
#define UCMOH_LIB_COSTMODEL_GRIDMODEL_H

#include "ucmoh/CostModel/Features.h"

namespace ucmoh {

/// Cycles of a program that has a row `isGrid`.
double gridCycles(llvm::ArrayRef<FeatureRow> program);

} // namespace ucmoh

#endif // UCMOH_LIB_COSTMODEL_GRIDMODEL_H
