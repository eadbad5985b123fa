//===- BoundLookups.cpp - Places of look-ups stay inside of their table
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "ucmoh/Analysis/ElementRange.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_BOUNDLOOKUPS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// Whether what the place is computed from keeps it inside.
static bool isInside(Value place, int64_t extent) {
  ElementRange range = boundExactly(place, /*isUnsigned=*/false);
  return !ShapedType::isDynamic(extent) && range.low >= 0 && range.high < extent;
}

static Value lastPlace(OpBuilder &builder, Location loc, Value table, int64_t dim) {
  int64_t extent = cast<RankedTensorType>(table.getType()).getDimSize(dim);
  if (!ShapedType::isDynamic(extent))
    return arith::ConstantIndexOp::create(builder, loc, extent - 1);
  Value size = tensor::DimOp::create(builder, loc, table, dim);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return arith::SubIOp::create(builder, loc, size, one);
}

/// A table without elements has no place to read: what is looked up there is zero.
static bool replaceInEmptyTable(tensor::ExtractOp lookup) {
  OpBuilder builder(lookup);
  TypedAttr zero = builder.getZeroAttr(lookup.getType());
  if (!zero || !llvm::is_contained(lookup.getTensor().getType().getShape(), 0))
    return false;
  lookup.replaceAllUsesWith(arith::ConstantOp::create(builder, lookup.getLoc(), zero).getResult());
  lookup.erase();
  return true;
}

static void boundPlaces(tensor::ExtractOp lookup) {
  OpBuilder builder(lookup);
  Location loc = lookup.getLoc();
  Value table = lookup.getTensor();
  for (auto [dim, place] : llvm::enumerate(lookup.getIndicesMutable())) {
    if (isInside(place.get(), lookup.getTensor().getType().getDimSize(dim)))
      continue;
    Value first = arith::ConstantIndexOp::create(builder, loc, 0);
    Value last = lastPlace(builder, loc, table, dim);
    Value notBehind = arith::MinSIOp::create(builder, loc, place.get(), last);
    place.set(arith::MaxSIOp::create(builder, loc, notBehind, first));
  }
}

/// Importers stop the whole process at a place outside: no vector can do that, and it would end
/// what has called the network.
static void dropAssertions(tensor::ExtractOp lookup) {
  if (!isa<linalg::LinalgOp>(lookup->getParentOp()))
    return;
  for (auto assertion : llvm::to_vector(lookup->getBlock()->getOps<cf::AssertOp>()))
    assertion.erase();
}

/// Upstream's patterns read the extent of a dim that is not there outside of a shape.
static WalkResult checkDim(ShapedDimOpInterface op) {
  auto type = dyn_cast<ShapedType>(op.getShapedValue().getType());
  std::optional<int64_t> dim = getConstantIntValue(op.getDimension());
  if (!type || !type.hasRank() || !dim || (*dim >= 0 && *dim < type.getRank()))
    return WalkResult::advance();
  op.emitOpError("asks for dim ") << *dim << " of " << type << ", which has " << type.getRank()
                                  << ": give one from 0 on";
  return WalkResult::interrupt();
}

namespace {
struct BoundLookupsPass : ucmoh::impl::BoundLookupsBase<BoundLookupsPass> {
  using Base::Base;
  void runOnOperation() override {
    if (getOperation().walk(checkDim).wasInterrupted())
      return signalPassFailure();
    getOperation().walk([](tensor::ExtractOp lookup) {
      dropAssertions(lookup);
      if (!replaceInEmptyTable(lookup))
        boundPlaces(lookup);
    });
  }
};
} // namespace
