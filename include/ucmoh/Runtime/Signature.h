//===- Signature.h - What a function takes and returns
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_SIGNATURE_H
#define UCMOH_RUNTIME_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ucmoh/Analysis/ElementRange.h"
#include "ucmoh/Analysis/OpenExtents.h"
#include "ucmoh/Runtime/Tensor.h"
#include <optional>
#include <string>
#include <vector>

namespace ucmoh {

/// An argument or result: a ranked tensor, or a scalar (then without shape).
struct Parameter {
  mlir::Type elementType;           ///< a tensor's, or the scalar
  llvm::SmallVector<int64_t> shape; ///< with ShapedType::kDynamic
  /// Which open extents are the same, by dim: a position in Signature::extents, -1 where known.
  llvm::SmallVector<int64_t> extents;
  bool isScalar = false;             ///< no tensor
  bool isWeight = false;             ///< marked `ucmoh.weight`
  std::optional<ElementRange> range; ///< `ucmoh.range`: of the elements
  /// Elements outside are no places of the tables in which they are looked up.
  std::optional<ElementRange> places;
  std::optional<int64_t> argument; ///< `ucmoh.arg`: position in the function before hoisting
  std::optional<int64_t> packed;   ///< `ucmoh.packed`: result of @NAME.pack
  /// The position of the argument whose memory may be this result's as well.
  std::optional<int64_t> inPlace;
};

/// Says what a function takes and returns.
struct Signature {
  std::string name;                           ///< the function's
  std::vector<Parameter> parameters, results; ///< in their order
  std::vector<ExtentRange> extents;           ///< the promised ranges of open extents
  /// The sums that open extents are, where no parameter has them; none if nothing is known.
  std::vector<std::optional<ExtentSum>> sums;
};

/// "tensor<4x?xf32>", as MLIR prints it.
std::string toString(const Parameter &parameter);

/// Where the shapes of arguments, by position, contradict each other or what is promised, a message
/// that says so; empty where all is well. `shapeOf` gives the shape of an argument.
std::string
findContradiction(const Signature &signature,
                  llvm::function_ref<llvm::ArrayRef<int64_t>(unsigned position)> shapeOf);

/// Fails with a message that names the argument when a type cannot be passed.
llvm::Expected<Signature> readSignature(mlir::func::FuncOp function);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_SIGNATURE_H
