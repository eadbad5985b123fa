//===- InPlace.h - Results that may lie in the memory of an argument
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_INPLACE_H
#define UCMOH_ANALYSIS_INPLACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ucmoh {

/// For each result of a function on tensors, the position of the argument whose memory may hold it;
/// none for most. Such a result is the argument with parts replaced, as a cache of words with new
/// ones, and nothing else reads the argument. So whoever calls may pass the argument's memory as
/// the result's: what is overwritten there is needed no more.
llvm::SmallVector<std::optional<unsigned>> findInPlace(mlir::func::FuncOp function);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_INPLACE_H
