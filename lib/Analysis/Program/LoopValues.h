//===- LoopValues.h - Values of the IR as functions of loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_LOOPVALUES_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_LOOPVALUES_H

#include "Notes.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh {

/// Evaluates index arithmetic at points of the loops that are open: see Position. A value is known
/// where it follows from loops, constants and the number of a thread; what memory holds is not.
class LoopValues {
public:
  /// Tells the values which loop `variable` belongs to, and where it is.
  void setVariable(mlir::Value variable, unsigned loop, const Position &at) {
    variables[variable] = {loop, at};
  }
  /// A variable that is no loop of the program: each of its values is looked at in turn.
  void setNumber(mlir::Value variable, int64_t number) { numbers[variable] = number; }
  void clearNumber(mlir::Value variable) { numbers.erase(variable); }
  /// The number of a thread in its block.
  void setThreads(mlir::Value id, int64_t ofSubgroup) {
    thread = id;
    subgroupSize = ofSubgroup;
  }

  std::optional<Position> positionOf(mlir::Value value, size_t points);
  /// The position of a view's element in the whole buffer.
  std::optional<Position> positionOf(mlir::Value view, mlir::ValueRange indices, size_t points);
  /// In the first iteration of all loops, by the thread with this number.
  std::optional<int64_t> numberOf(mlir::Value value, int64_t ofThread = 0);
  /// The largest value of a bound, where it is known: a constant, or the minimum of several.
  std::optional<int64_t> largest(mlir::Value value);
  /// The loop whose variable this is.
  std::optional<unsigned> loopOf(mlir::Value value) const;

  /// On what a value depends: the innermost loop, and threads.
  struct Dependence {
    std::optional<unsigned> loop;
    bool onThread = false;
  };
  Dependence dependenceOf(mlir::Value value);
  /// Whether the value is computed by a division of what depends on the loop.
  bool divides(mlir::Value value, unsigned loop);

private:
  std::optional<int64_t> evaluate(mlir::Value value);
  std::optional<int64_t> evaluateOp(mlir::Operation *op);
  std::optional<llvm::SmallVector<int64_t>> evaluateAll(mlir::ValueRange values);
  std::optional<int64_t> evaluate(mlir::OpFoldResult value);
  std::optional<int64_t> startOf(mlir::Value view);
  std::optional<int64_t> elementAt(mlir::Value view, llvm::ArrayRef<mlir::OpFoldResult> indices);
  std::optional<Position> positionOf(llvm::function_ref<std::optional<int64_t>()> evaluateThere,
                                     size_t points);
  std::optional<int64_t> evaluateMap(mlir::AffineMap map, mlir::ValueRange operands, bool smallest);
  bool isThread(mlir::Value value) const;
  bool dependsOn(mlir::Value value, unsigned loop);
  bool dividesInMap(mlir::AffineMap map, mlir::ValueRange operands, unsigned loop);

  struct Variable {
    unsigned loop;
    Position at;
  };
  llvm::DenseMap<mlir::Value, Variable> variables;
  llvm::DenseMap<mlir::Value, int64_t> numbers;
  mlir::Value thread;
  int64_t subgroupSize = 1;
  // The point that is looked at.
  std::optional<unsigned> point; ///< into Position::steps; none: the first iteration of all loops
  int64_t threadNumber = 0;
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_LOOPVALUES_H
