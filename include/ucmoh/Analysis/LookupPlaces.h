//===- LookupPlaces.h - Which arguments are places in a table
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_LOOKUPPLACES_H
#define UCMOH_ANALYSIS_LOOKUPPLACES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Analysis/ElementRange.h"
#include <optional>

namespace ucmoh {

/// For each argument whose elements are looked up in a table of known size, such as the numbers of
/// words: between which bounds they lie inside of all its tables. Negative ones do where the
/// program counts them from the end. Nothing for arguments that are no such places, or from which
/// places are computed in ways that are not followed.
llvm::SmallVector<std::optional<ElementRange>> findLookupPlaces(mlir::func::FuncOp function);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_LOOKUPPLACES_H
