//===- GridPoint.h - Values at one point of a grid
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_GRIDPOINT_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_GRIDPOINT_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"

namespace ucmoh {

/// A block, a thread of it and an iteration of each loop, as numbers: indices are functions of
/// those. What is not set is zero.
class GridPoint {
public:
  void set(mlir::Value value, int64_t number) { numbers[value] = number; }
  int64_t thread = 0;

  /// None for a value that is no function of the point: what memory holds.
  std::optional<int64_t> evaluate(mlir::Value value) const;

private:
  std::optional<int64_t> evaluate(mlir::AffineExpr expr, unsigned dims,
                                  mlir::ValueRange operands) const;

  llvm::DenseMap<mlir::Value, int64_t> numbers;
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_GRIDPOINT_H
