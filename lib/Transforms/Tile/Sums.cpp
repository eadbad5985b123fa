//===- Sums.cpp - Sums of an operand over the reduction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ucmoh;

static SmallVector<int64_t> extentsOf(const Workload &workload, ArrayRef<unsigned> dims) {
  return llvm::map_to_vector(dims, [&](unsigned dim) { return workload.dims[dim].extent; });
}

/// Batches and rows (or columns).
static SmallVector<unsigned> dimsBeside(const Workload &workload, DimRole keep) {
  SmallVector<unsigned> dims = workload.dimsOf(DimRole::Batch);
  llvm::append_range(dims, workload.dimsOf(keep));
  return dims;
}

static Value filledTensor(OpBuilder &builder, Location loc, Value number, ArrayRef<int64_t> shape) {
  Value empty = tensor::EmptyOp::create(builder, loc, shape, number.getType());
  return linalg::FillOp::create(builder, loc, number, empty).getResult(0);
}

namespace {
/// Loops over some dims of a workload, outermost first.
struct DimLoops {
  DimLoops(const Workload &workload, ArrayRef<unsigned> order, ArrayRef<unsigned> reduced,
           MLIRContext *context);

  AffineMap map(ArrayRef<AffineExpr> exprs) const {
    return AffineMap::get(iterators.size(), 0, exprs, iterations.front().getContext());
  }
  AffineMap mapOf(ArrayRef<unsigned> dims) const {
    return map(llvm::map_to_vector(dims, [&](unsigned dim) { return iterations[dim]; }));
  }

  SmallVector<AffineExpr> iterations; ///< by dim of the workload; 0 for those without a loop
  SmallVector<utils::IteratorType> iterators;
};
} // namespace

DimLoops::DimLoops(const Workload &workload, ArrayRef<unsigned> order, ArrayRef<unsigned> reduced,
                   MLIRContext *context)
    : iterations(workload.dims.size(), getAffineConstantExpr(0, context)) {
  for (auto [index, dim] : llvm::enumerate(order)) {
    iterations[dim] = getAffineDimExpr(index, context);
    iterators.push_back(llvm::is_contained(reduced, dim) ? utils::IteratorType::reduction
                                                         : utils::IteratorType::parallel);
  }
}

/// acc + the element as i32.
static void buildSum(OpBuilder &builder, Location loc, Value element, Value acc, bool isUnsigned) {
  Type type = builder.getI32Type();
  Value wide = isUnsigned ? Value(arith::ExtUIOp::create(builder, loc, type, element))
                          : Value(arith::ExtSIOp::create(builder, loc, type, element));
  Value total = arith::AddIOp::create(builder, loc, wide, acc);
  linalg::YieldOp::create(builder, loc, total);
}

/// Loops over these dims: that which runs along the operand's memory goes inside.
static SmallVector<unsigned> orderLoops(const Operand &operand, ArrayRef<unsigned> kept,
                                        ArrayRef<unsigned> reduced) {
  bool reductionInside = coefficient(operand.linearIndex(), reduced.back()) == 1;
  SmallVector<unsigned> order(reductionInside ? kept : reduced);
  llvm::append_range(order, reductionInside ? reduced : kept);
  return order;
}

/// The sums as an operand that is indexed by the dims that were kept.
static Operand operandOf(Value sums, const Workload &workload, ArrayRef<unsigned> kept) {
  Operand result;
  result.value = sums;
  result.shape = extentsOf(workload, kept);
  result.type = {ElementType::SignedInt, 32};
  MLIRContext *context = sums.getContext();
  auto exprs =
      llvm::map_to_vector(kept, [&](unsigned dim) { return getAffineDimExpr(dim, context); });
  result.map = AffineMap::get(workload.dims.size(), 0, exprs, context);
  return result;
}

/// The operand's elements summed over the dims of the reduction that are not kept.
static Operand sumOverReduction(OpBuilder &builder, Location loc, const Workload &workload,
                                const Operand &operand, ArrayRef<unsigned> kept) {
  SmallVector<unsigned> reduced = workload.dimsOf(DimRole::K);
  llvm::erase_if(reduced, [&](unsigned dim) { return llvm::is_contained(kept, dim); });
  DimLoops loops(workload, orderLoops(operand, kept, reduced), reduced, builder.getContext());
  AffineMap operandMap =
      operand.map.replaceDimsAndSymbols(loops.iterations, {}, loops.iterators.size(), 0);
  // The extents of a convolution's window do not follow from the shape of what it slides over.
  Value window =
      tensor::EmptyOp::create(builder, loc, extentsOf(workload, reduced), builder.getI8Type());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value init = filledTensor(builder, loc, zero, extentsOf(workload, kept));
  bool isUnsigned = operand.type.kind == ElementType::UnsignedInt;
  auto sum = linalg::GenericOp::create(
      builder, loc, init.getType(), ValueRange{operand.value, window}, init,
      {operandMap, loops.mapOf(reduced), loops.mapOf(kept)}, loops.iterators,
      [&](OpBuilder &b, Location l, ValueRange arguments) {
        buildSum(b, l, arguments[0], arguments[2], isUnsigned);
      });
  return operandOf(sum.getResult(0), workload, kept);
}

/// sums * factor + addend, element by element.
static Operand scale(OpBuilder &builder, Location loc, Operand sums, Value factor, Value addend) {
  auto type = cast<RankedTensorType>(sums.value.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  sums.value =
      linalg::GenericOp::create(
          builder, loc, type, sums.value, empty, maps, iterators,
          [&](OpBuilder &b, Location l, ValueRange arguments) {
            Value product = arith::MulIOp::create(b, l, arguments[0], factor);
            linalg::YieldOp::create(b, l, ValueRange{arith::AddIOp::create(b, l, product, addend)});
          })
          .getResult(0);
  return sums;
}

//===----------------------------------------------------------------------===//
// Places where rows of a window are left out
//===----------------------------------------------------------------------===//

/// Which rows of a padded image are of the image: 1 and 0.
static Value rowsOfImage(OpBuilder &builder, Location loc, const Workload &workload,
                         const Border &border) {
  auto last = [&](unsigned dim) { return workload.dims[dim].extent - 1; };
  int64_t read =
      last(border.placeDim) * border.stride + last(border.levelDim) * border.dilation + 1;
  SmallVector<int32_t> isImage(std::max(read, border.low + border.rows), 0);
  std::fill_n(isImage.begin() + border.low, border.rows, 1);
  auto type = RankedTensorType::get(isImage.size(), builder.getI32Type());
  return arith::ConstantOp::create(builder, loc,
                                   DenseIntElementsAttr::get(type, ArrayRef(isImage)));
}

/// acc + sum * factor where all of the others are 1, acc + sum * (factor + padding) elsewhere.
static void buildPlaceSum(OpBuilder &builder, Location loc, ValueRange arguments, Value factor,
                          Value padding) {
  Value inside = padding;
  for (Value isImage : arguments.drop_front().drop_back())
    inside = arith::MulIOp::create(builder, loc, inside, isImage);
  Value outside = arith::SubIOp::create(builder, loc, padding, inside);
  Value scaled = arith::MulIOp::create(builder, loc, arguments.front(),
                                       arith::AddIOp::create(builder, loc, factor, outside));
  linalg::YieldOp::create(
      builder, loc, ValueRange{arith::AddIOp::create(builder, loc, scaled, arguments.back())});
}

/// Sums of each row of the window first, since there are fewer of them than places.
static Operand scaledSumsOfPlaces(OpBuilder &builder, Location loc, const Workload &workload,
                                  ArrayRef<Border> borders, Value factor, Value addend) {
  SmallVector<unsigned> levels, places, columns = dimsBeside(workload, DimRole::N);
  for (const Border &border : borders) {
    levels.push_back(border.levelDim);
    places.push_back(border.placeDim);
  }
  SmallVector<unsigned> ofSums = llvm::to_vector(llvm::concat<unsigned>(levels, columns));
  SmallVector<unsigned> ofPlaces = llvm::to_vector(llvm::concat<unsigned>(places, columns));
  SmallVector<unsigned> order = llvm::to_vector(llvm::concat<unsigned>(places, ofSums));
  DimLoops loops(workload, order, /*reduced=*/levels, builder.getContext());
  SmallVector<Value> inputs = {
      sumOverReduction(builder, loc, workload, workload.rhs, ofSums).value};
  SmallVector<AffineMap> maps = {loops.mapOf(ofSums)};
  for (const Border &border : borders) {
    inputs.push_back(rowsOfImage(builder, loc, workload, border));
    maps.push_back(loops.map(loops.iterations[border.placeDim] * border.stride +
                             loops.iterations[border.levelDim] * border.dilation));
  }
  maps.push_back(loops.mapOf(ofPlaces));
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(borders.front().padding));
  Value init = filledTensor(builder, loc, addend, extentsOf(workload, ofPlaces));
  auto sums =
      linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, maps, loops.iterators,
                                [&](OpBuilder &b, Location l, ValueRange arguments) {
                                  buildPlaceSum(b, l, arguments, factor, padding);
                                });
  return operandOf(sums.getResult(0), workload, ofPlaces);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Operand ucmoh::scaledRowSums(OpBuilder &builder, Location loc, const Workload &workload,
                             Value factor, Value addend) {
  SmallVector<unsigned> kept = dimsBeside(workload, DimRole::M);
  return scale(builder, loc, sumOverReduction(builder, loc, workload, workload.lhs, kept), factor,
               addend);
}

Operand ucmoh::scaledColumnSums(OpBuilder &builder, Location loc, const Workload &workload,
                                ArrayRef<Border> borders, Value factor, Value addend) {
  if (!borders.empty() && borders.front().padding != 0)
    return scaledSumsOfPlaces(builder, loc, workload, borders, factor, addend);
  SmallVector<unsigned> kept = dimsBeside(workload, DimRole::N);
  return scale(builder, loc, sumOverReduction(builder, loc, workload, workload.rhs, kept), factor,
               addend);
}
