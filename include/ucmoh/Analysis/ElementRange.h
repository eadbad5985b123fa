//===- ElementRange.h - Between which bounds the elements of an operand lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_ELEMENTRANGE_H
#define UCMOH_ANALYSIS_ELEMENTRANGE_H

#include "mlir/IR/Value.h"
#include "ucmoh/Analysis/ElementType.h"
#include <cmath>
#include <optional>

namespace ucmoh {

/// Bounds of integers, both included.
struct ElementRange {
  int64_t low, high; ///< low <= high

  bool operator==(const ElementRange &o) const { return low == o.low && high == o.high; }
  bool operator!=(const ElementRange &o) const { return !(*this == o); }
};

/// All values of an integer type of at most 63 bits.
ElementRange fullRange(ElementType type);

/// Bounds of a tensor's elements, read as the integer type `type` of their width: from the values
/// of constants, what elementwise producers compute (minima, shifts, extensions...), and what
/// `ucmoh.range` promises of arguments; those of the type where nothing is known. Rounded outwards
/// to powers of two and to 0, so that what follows from them, such as a workload's name, does not
/// depend on each single weight.
ElementRange boundElements(mlir::Value tensor, ElementType type);

/// The same of a tensor's elements or of a scalar in a body, whose type is `index` or an integer of
/// at most 32 bits, read as unsigned, or 64, as signed: not rounded.
ElementRange boundExactly(mlir::Value value, bool isUnsigned);

/// Bounds of floats, both included; infinite where nothing is known.
struct FloatRange {
  double low, high; ///< low <= high

  /// Whether none of them is outside of `from` to `to`, both included.
  bool within(double from, double to) const { return from <= low && high <= to; }
  bool isFinite() const { return std::isfinite(low) && std::isfinite(high); }
};

/// The value of a constant float, or of a vector of such; none of anything else.
std::optional<double> findConstantFloat(mlir::Value value);

/// Bounds of a float of a body or a vector that is a number: from the type of the integer that it
/// was, and from constants that limit it, are added to it or multiply it. What is between them may
/// be rounded to integers.
FloatRange boundFloat(mlir::Value value);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_ELEMENTRANGE_H
