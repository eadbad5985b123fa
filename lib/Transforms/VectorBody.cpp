//===- VectorBody.cpp - Scalar code on vectors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ucmoh;

/// The same value in all elements.
static Value splat(OpBuilder &builder, Location loc, Value value, int64_t width) {
  auto type = VectorType::get({width}, value.getType());
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, constant));
  return vector::BroadcastOp::create(builder, loc, type, value);
}

/// Clones one op for one row.
static void cloneOnVector(OpBuilder &builder, Operation &scalar, IRMapping &mapping,
                          int64_t width) {
  if (isa<arith::ConstantOp>(scalar)) {
    mapping.map(scalar.getResult(0), splat(builder, scalar.getLoc(), scalar.getResult(0), width));
    return;
  }
  for (Value operand : scalar.getOperands())
    if (!mapping.contains(operand)) // a constant that was moved out of the region
      mapping.map(operand, splat(builder, scalar.getLoc(), operand, width));
  for (OpResult result : builder.clone(scalar, mapping)->getResults())
    result.setType(VectorType::get({width}, result.getType()));
}

SmallVector<SmallVector<Value>>
ucmoh::cloneOnVectors(OpBuilder &builder, Location loc, Region &region,
                      ArrayRef<SmallVector<Value>> arguments, int64_t width,
                      function_ref<bool(Operation &, IRMapping &)> special) {
  SmallVector<IRMapping> mappings(arguments.size());
  for (auto [mapping, values] : llvm::zip_equal(mappings, arguments))
    mapping.map(region.getArguments(), ValueRange(values));
  for (Operation &scalar : region.front().without_terminator())
    for (IRMapping &mapping : mappings)
      if (!special || !special(scalar, mapping))
        cloneOnVector(builder, scalar, mapping, width);
  return llvm::map_to_vector(mappings, [&](IRMapping &mapping) {
    return llvm::map_to_vector(region.front().getTerminator()->getOperands(),
                               [&](Value value) -> Value {
                                 return mapping.contains(value) ? mapping.lookup(value)
                                                                : splat(builder, loc, value, width);
                               });
  });
}
