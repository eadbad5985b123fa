//===- KernelEmitter.cpp - The walk over a kernel's nest as IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "../FormulaEmitter.h"
#include "../VectorBody.h"
#include "Operands.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "ucmoh/Dialect/TileSteps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

KernelEmitter::KernelEmitter(OpBuilder &builder, Location loc, const KernelPlan &plan,
                             const KernelArguments &arguments)
    : plan(plan), shape(plan.workload, plan.candidate, plan.rowsMayRepeat),
      b(builder, loc, shape.variableCount()), arguments(arguments), wantedRhs(shape.intrinsic.rhs) {
  for (Value *operand : {&this->arguments.lhs, &this->arguments.rhs})
    if (*operand)
      *operand = asRun(*operand);
}

/// A slice of a larger tensor as the run of elements from its first to its last one, of which
/// positions are known.
Value KernelEmitter::asRun(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() == 1)
    return buffer;
  int64_t elements = 1;
  for (auto [extent, stride] : llvm::zip_equal(type.getShape(), type.getStridesAndOffset().first))
    elements += (extent - 1) * stride;
  return b.view(buffer, constant(0), {elements}, {1});
}

void KernelEmitter::emitPrepack(Value packed) {
  packedRhs = packed;
  wantedRhs = shape.workload.rhs.type;
  KernelWalk<KernelEmitter>(shape, *this).prepack();
}

OpFoldResult KernelEmitter::position(const Operand &operand, ArrayRef<OpFoldResult> values) {
  b.values.assign(values.begin(), values.end());
  return b.apply(plan.nest.linearIndex(operand));
}

void KernelEmitter::loopOver(const Part &part, int64_t end, int64_t step, Body body) {
  b.loop(part.from, end == part.end ? part.to : b.min(part.to, constant(end)), step, body);
}

/// The rows that a last tile may have: those of a tile, half or a quarter of them, in whole
/// fragments.
static llvm::SmallVector<int64_t, 3> sizesOfLast(int64_t rows, int64_t fragmentRows) {
  llvm::SmallVector<int64_t, 3> sizes = {rows};
  for (int64_t part : {2, 4})
    if (int64_t size = llvm::alignTo(llvm::divideCeil(rows, part), fragmentRows);
        size < sizes.back())
      sizes.push_back(size);
  return sizes;
}

/// Whole tiles, then one that ends with the last row.
void KernelEmitter::loopOverWanted(const Part &part, int64_t step,
                                   llvm::function_ref<void(const Index &, int64_t)> body) {
  Index left = b.remainder(b.sub(part.to, part.from), step);
  b.loop(part.from, b.sub(part.to, left), step, [&](const Index &at) { body(at, step); });
  llvm::SmallVector<int64_t, 3> sizes = sizesOfLast(step, shape.rowTiles.fragmentRows);
  for (size_t index = 0; index < sizes.size(); ++index) {
    int64_t rows = sizes[index], smaller = index + 1 < sizes.size() ? sizes[index + 1] : 0;
    b.ifBetween(left, smaller + 1, rows, [&] { body(b.sub(part.to, constant(rows)), rows); });
  }
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void KernelEmitter::allocate(BufferRole role, int64_t elements) {
  const Intrinsic &intrinsic = shape.intrinsic;
  bool isLhs = role == BufferRole::PackedLhs, isRhs = role == BufferRole::PackedRhs;
  const ElementType &type = isLhs ? intrinsic.lhs : isRhs ? intrinsic.rhs : intrinsic.acc;
  // Cache-line aligned: 20 % faster than 16 bytes (measured on Cascade Lake). Freed by the buffer
  // deallocation passes, which do not accept buffers that are freed already.
  (isLhs   ? packedLhs
   : isRhs ? packedRhs
           : accumulators) =
      memref::AllocOp::create(b.builder, b.loc,
                              MemRefType::get({elements}, type.getType(b.builder.getContext())),
                              ValueRange(), b.builder.getI64IntegerAttr(64));
}

KernelEmitter::Packed KernelEmitter::packedOf(BufferRole role) const {
  if (role == BufferRole::PackedLhs)
    return {arguments.lhs,       packedLhs,        shape.workload.lhs.type,
            shape.intrinsic.lhs, plan.lhsProducer, arguments.lhsInputs};
  return {arguments.rhs, packedRhs,        shape.workload.rhs.type,
          wantedRhs,     plan.rhsProducer, arguments.rhsInputs};
}

static Type elementType(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

Value KernelEmitter::zeros(Value buffer, int64_t count) {
  auto type = VectorType::get({count}, elementType(buffer));
  return arith::ConstantOp::create(b.builder, b.loc, b.builder.getZeroAttr(type));
}

void KernelEmitter::copy(BufferRole role, const Index &from, const Index &to, int64_t count) {
  Packed packed = packedOf(role);
  Value value = loadOperand(packed, from, count, /*valid=*/count);
  value = convertElements(b.builder, b.loc, value, packed.have, packed.want);
  vector::StoreOp::create(b.builder, b.loc, value, packed.target, b.asValue(to));
}

void KernelEmitter::clear(BufferRole role, const Index &to, int64_t count) {
  Value target = packedOf(role).target;
  vector::StoreOp::create(b.builder, b.loc, zeros(target, count), target, b.asValue(to));
}

/// `valid` neighbours as a whole vector, zero behind them.
Value KernelEmitter::loadNeighbours(Value buffer, const Index &at, int64_t count, int64_t valid) {
  auto type = VectorType::get({count}, elementType(buffer));
  if (valid == count)
    return vector::LoadOp::create(b.builder, b.loc, type, buffer, b.asValue(at));
  Value mask = vector::ConstantMaskOp::create(
      b.builder, b.loc, VectorType::get({count}, b.builder.getI1Type()), ArrayRef<int64_t>{valid});
  return vector::MaskedLoadOp::create(b.builder, b.loc, type, buffer, b.asValue(at), mask,
                                      zeros(buffer, count));
}

/// What the producer's body reads of one of its inputs, for neighbours in the operand.
Value KernelEmitter::loadInput(const PackedProducer::Input &input, Value buffer, const Index &at,
                               int64_t count, int64_t valid) {
  if (input.access == PackedProducer::Access::Element)
    return loadNeighbours(buffer, at, count, valid);
  if (input.access == PackedProducer::Access::Column)
    return loadNeighbours(buffer, b.remainder(at, input.inner), count, valid);
  Value value =
      memref::LoadOp::create(b.builder, b.loc, buffer, b.asValue(b.divide(at, input.inner)));
  auto type = VectorType::get({count}, value.getType());
  return vector::BroadcastOp::create(b.builder, b.loc, type, value);
}

/// Neighbours of an operand, or what its producer makes of those of its inputs; behind those that
/// are valid, any values.
Value KernelEmitter::loadOperand(const Packed &packed, const Index &at, int64_t count,
                                 int64_t valid) {
  linalg::GenericOp op = packed.producer.op;
  if (!op)
    return loadNeighbours(packed.source, at, count, valid);
  SmallVector<Value> values(op.getBody()->getNumArguments());
  for (auto [input, buffer] : llvm::zip_equal(packed.producer.inputs, packed.inputs))
    values[op.getMatchingBlockArgument(input.operand).getArgNumber()] =
        loadInput(input, buffer, at, count, valid);
  return cloneOnVectors(b.builder, b.loc, op.getRegion(), values, count).front().front();
}

/// Riffles rows (a power of two of them), so that the elements of a column become neighbours.
void KernelEmitter::interleave(ArrayRef<Index> rows, int64_t columns, const Index &to) {
  Packed packed = packedOf(BufferRole::PackedRhs);
  SmallVector<Value> vectors;
  for (const Index &row : rows)
    vectors.push_back(convertElements(b.builder, b.loc,
                                      loadOperand(packed, row, shape.intrinsic.n, columns),
                                      packed.have, packed.want));
  while (int64_t(vectors.size()) < shape.intrinsic.kInterleave)
    vectors.push_back(zeros(packed.target, shape.intrinsic.n));
  for (size_t half = vectors.size() / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; ++i)
      vectors[i] = vector::InterleaveOp::create(b.builder, b.loc, vectors[i], vectors[i + half]);
    vectors.truncate(half);
  }
  vector::StoreOp::create(b.builder, b.loc, vectors.front(), packed.target, b.asValue(to));
}

/// As many vectors as each has elements, riffled: of all vectors the first element, then the second
/// one, and so on. Each step riffles pairs of rows; in one long vector LLVM would lose sight of the
/// registers.
static SmallVector<Value> transposeVectors(LoopBuilder &b, SmallVector<Value> vectors) {
  int64_t count = vectors.size();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < count / 2; ++i) {
    low.append({i, i + count});
    high.append({i + count / 2, i + count / 2 + count});
  }
  for (int64_t step = 1; step < count; step *= 2) {
    SmallVector<Value> riffled;
    for (int64_t i = 0; i < count / 2; ++i)
      for (ArrayRef<int64_t> half : {ArrayRef(low), ArrayRef(high)})
        riffled.push_back(
            vector::ShuffleOp::create(b.builder, b.loc, vectors[i], vectors[i + count / 2], half));
    vectors = std::move(riffled);
  }
  return vectors;
}

/// A group of reduction steps is one number of a column.
void KernelEmitter::transpose(ArrayRef<Index> columns, const Index &to, int64_t step) {
  Packed packed = packedOf(BufferRole::PackedRhs);
  int64_t width = shape.intrinsic.n, group = width * shape.intrinsic.kInterleave;
  auto targetType = VectorType::get({group}, elementType(packed.target));
  unsigned bits = targetType.getElementTypeBitWidth() * shape.intrinsic.kInterleave;
  auto numbers = VectorType::get({width}, b.builder.getIntegerType(bits));
  SmallVector<Value> vectors;
  for (const Index &column : columns) {
    Value value = loadOperand(packed, column, group, /*valid=*/group);
    value = convertElements(b.builder, b.loc, value, packed.have, packed.want);
    vectors.push_back(vector::BitCastOp::create(b.builder, b.loc, numbers, value));
  }
  for (auto [i, numbersOfGroup] : llvm::enumerate(transposeVectors(b, std::move(vectors)))) {
    Value steps = vector::BitCastOp::create(b.builder, b.loc, targetType, numbersOfGroup);
    vector::StoreOp::create(b.builder, b.loc, steps, packed.target,
                            b.asValue(b.add(to, constant(i * step))));
  }
}

//===----------------------------------------------------------------------===//
// Register tiles
//===----------------------------------------------------------------------===//

/// How much a tile goes through of the last loop of the reduction, in one slot.
static int64_t reductionOf(const TileShape &tile) {
  return tile.pipeline ? tile.pipeline->extent : tile.reduction.back();
}

/// Slots in shared memory come before the other dimensions.
static void addSlots(const TileShape &tile, int64_t elements, OpBuilder &builder,
                     SmallVector<OpFoldResult> &shape, SmallVector<int64_t> &strides) {
  if (!tile.pipeline)
    return;
  shape.insert(shape.begin(), builder.getIndexAttr(tile.pipeline->depth));
  strides.insert(strides.begin(), elements);
}

/// All, but those that read nothing but a border of zeros.
SmallVector<KernelEmitter::Iterations> KernelEmitter::iterationsOf(const Tile &what) {
  SmallVector<Iterations> iterations;
  for (int64_t extent : ArrayRef<int64_t>(what.shape.reduction).drop_back())
    iterations.push_back({constant(0), constant(extent)});
  MLIRContext *context = b.builder.getContext();
  for (const Border &border : plan.borders) {
    auto valueOf = [&](AffineExpr expr, int64_t row) {
      OpFoldResult at = b.add(what.values[border.place], constant(row));
      return affine::makeComposedFoldedAffineApply(b.builder, b.loc, expr,
                                                   {b.divide(at, border.rowsOfPlace)});
    };
    int64_t lastRow = border.place == shape.mAt() ? what.shape.rows - 1 : 0;
    auto &[from, count] = iterations[border.level];
    from = b.max(valueOf(border.first(context), lastRow), constant(0));
    count = b.sub(b.min(valueOf(border.end(context), 0), count), from);
  }
  return iterations;
}

/// Adds the extents of the outer loops; returns where their first iterations begin.
OpFoldResult KernelEmitter::enter(ArrayRef<Iterations> iterations, OpFoldResult at,
                                  ArrayRef<int64_t> strides,
                                  SmallVectorImpl<OpFoldResult> &extents) {
  for (auto [loop, stride] : llvm::zip(iterations, strides)) {
    at = b.add(at, b.mul(loop.from, stride));
    extents.push_back(loop.count);
  }
  return at;
}

Value KernelEmitter::viewOfLhs(const Tile &what, ArrayRef<Iterations> iterations) {
  const TileShape &tile = what.shape;
  int64_t rows = tile.rows, steps = reductionOf(tile);
  if (tile.paddedLhs) {
    rows = llvm::alignTo(rows, shape.intrinsic.m);
    steps = llvm::alignTo(steps, tile.k);
  }
  SmallVector<int64_t> strides(ArrayRef<int64_t>(tile.lhsStrides));
  SmallVector<OpFoldResult> extents = {constant(rows)};
  OpFoldResult at = enter(iterations, what.lhs, ArrayRef(strides).drop_front(), extents);
  extents.push_back(constant(steps));
  strides.back() = 1; // a single step has this stride, too
  addSlots(tile, shape.shared.lhsSlot(), b.builder, extents, strides);
  return b.view(packedLhs ? packedLhs : arguments.lhs, at, extents, strides);
}

/// A row has all columns of one step of the reduction, or of as many as lie side by side.
Value KernelEmitter::viewOfRhs(const Tile &what, ArrayRef<Iterations> iterations) {
  const TileShape &tile = what.shape;
  int64_t pack = shape.intrinsic.kInterleave;
  SmallVector<int64_t> strides(ArrayRef<int64_t>(tile.rhsStrides).drop_front());
  SmallVector<OpFoldResult> extents;
  OpFoldResult at = enter(iterations, what.rhs, strides, extents);
  extents.push_back(constant(llvm::alignTo(reductionOf(tile), tile.k) / pack));
  extents.push_back(constant(llvm::alignTo(tile.columns, tile.n) * pack));
  strides.back() *= pack;
  strides.push_back(1);
  addSlots(tile, shape.shared.rhsSlot(), b.builder, extents, strides);
  return b.view(packedRhs ? packedRhs : arguments.rhs, at, extents, strides);
}

/// Along a loop of the reduction, what is prefetched advances like rhs, but slower.
Value KernelEmitter::viewOfNext(const Tile &what, ArrayRef<Iterations> iterations) {
  const TileShape &tile = what.shape;
  int64_t elements = shape.prefetch->elements;
  SmallVector<int64_t> strides;
  for (int64_t stride : ArrayRef<int64_t>(tile.rhsStrides).drop_front())
    strides.push_back(stride / tile.rhsStrides.back() * elements);
  SmallVector<OpFoldResult> extents;
  OpFoldResult at = enter(iterations, what.next, strides, extents);
  extents.push_back(constant(llvm::alignTo(tile.reduction.back(), tile.k)));
  extents.push_back(constant(elements));
  strides.push_back(1);
  return b.view(arguments.rhs, at, extents, strides);
}

/// Returns the view of what lies beside the tile's results, or of where they go.
Value KernelEmitter::viewOfResults(const Tile &what, Value buffer, const Operand &operand) {
  AffineExpr index = plan.nest.linearIndex(operand);
  int64_t column = what.shape.columns == 1 ? 1 : coefficient(index, shape.nAt());
  return b.view(buffer, b.apply(index), {what.shape.rows, what.shape.columns},
                {coefficient(index, shape.mAt()), column});
}

/// The tile's part of the buffer that partial sums rest in between blocks of the reduction.
Value KernelEmitter::viewOfSums(const Tile &what) {
  int64_t row = shape.layout.accumulatorRowElements();
  return b.view(accumulators, b.add(b.mul(what.rowInBlock, row), what.columnInBlock),
                {what.shape.rows, what.shape.columns}, {row, 1});
}

/// Values that change nothing, before any tile is reduced.
void KernelEmitter::clearPartials() {
  int64_t width = shape.intrinsic.n;
  for (auto [reduction, buffer] : llvm::zip_equal(plan.reductions, arguments.partials)) {
    TypedAttr neutral = reduction.neutral();
    auto type = VectorType::get({width}, neutral.getType());
    Value values =
        arith::ConstantOp::create(b.builder, b.loc, DenseElementsAttr::get(type, neutral));
    loop(0, reduction.partials.elements(), width, [&, buffer = buffer](const Index &at) {
      vector::StoreOp::create(b.builder, b.loc, values, buffer, b.asValue(at));
    });
  }
}

/// The tile's rows of the partial values of a reduction: columns have the same ones.
Value KernelEmitter::viewOfPartials(const Tile &what, Value buffer, const Operand &partials) {
  AffineExpr index = plan.nest.linearIndex(partials);
  return b.view(buffer, b.apply(index), {what.shape.rows, shape.intrinsic.n},
                {coefficient(index, shape.mAt()), 1});
}

KernelEmitter::Views KernelEmitter::viewsOf(const Tile &what) {
  b.values.assign(what.values.begin(), what.values.end());
  SmallVector<Iterations> iterations = iterationsOf(what);
  Views views{viewOfLhs(what, iterations),
              viewOfRhs(what, iterations),
              shape.prefetch ? viewOfNext(what, iterations) : Value(),
              {},
              {},
              {}};
  if (!what.isFirst)
    views.reads.push_back(viewOfSums(what));
  for (auto [operand, buffer] : llvm::zip_equal(plan.extras(), arguments.extras))
    views.reads.push_back(viewOfResults(what, buffer, operand));
  if (!what.isLast) {
    views.writes.push_back(viewOfSums(what));
    return views;
  }
  for (Value output : arguments.outputs)
    views.writes.push_back(viewOfResults(what, output, plan.workload.acc));
  for (auto [reduction, buffer] : llvm::zip_equal(plan.reductions, arguments.partials))
    views.partials.push_back(viewOfPartials(what, buffer, reduction.partials));
  return views;
}

SmallVector<int64_t> KernelEmitter::stepsOf(int64_t firstRow, int64_t rows) const {
  SmallVector<int64_t> steps;
  bool hasZeros = false;
  for (int64_t row = firstRow; row < firstRow + rows; ++row) {
    auto [from, to] = stepsInside(*plan.sides, plan.workload, plan.nest, row);
    steps.append({from, to});
    hasZeros |= to - from < plan.nest.k.extent;
  }
  return hasZeros ? steps : SmallVector<int64_t>();
}

/// Tiles at the sides of an image leave out other steps than those between them.
void KernelEmitter::tile(const Tile &what) {
  Views views = viewsOf(what);
  bool isShared = shape.parallel && shape.parallel->variable == shape.mAt();
  if (!plan.sides || isShared || shape.leavesRows())
    return emitTile(what, views);
  int64_t rows = what.shape.rows;
  std::optional<int64_t> known = getConstantIntValue(what.row);
  int64_t end = known ? *known + 1 : plan.nest.m.extent - plan.nest.m.extent % rows;
  for (int64_t first = known.value_or(0), next; first < end; first = next) {
    SmallVector<int64_t> steps = stepsOf(first, rows);
    next = first + rows;
    while (next < end && stepsOf(next, rows) == steps)
      next += rows;
    b.ifBetween(what.row, first, next - rows, [&] { emitTile(what, views, steps); });
  }
}

void KernelEmitter::emitTile(const Tile &what, const Views &views, ArrayRef<int64_t> steps) {
  SmallVector<Attribute> combiners;
  if (what.isLast)
    for (const RowReduction &reduction : plan.reductions)
      combiners.push_back(vector::CombiningKindAttr::get(b.builder.getContext(), reduction.kind));
  auto op = TileOp::create(b.builder, b.loc, shape.intrinsic.getSymbol(), views.lhs, views.rhs,
                           views.next, views.reads, views.writes, views.partials,
                           /*streamed=*/plan.streamsResult && what.isLast,
                           b.builder.getArrayAttr(combiners));
  if (!steps.empty())
    op->setDiscardableAttr(stepsMark, b.builder.getDenseI64ArrayAttr(steps));
  if (what.shape.streams > 1)
    op->setDiscardableAttr(streamsMark, b.builder.getI64IntegerAttr(what.shape.streams));
  fillPrologue(op, what);
  fillEpilogue(op, what);
}

/// Adds one block with an argument for each type.
static Block *addBlock(OpBuilder &builder, Location loc, Region &region, ArrayRef<Type> types) {
  Block *block = &region.emplaceBlock();
  block->addArguments(types, SmallVector<Location>(types.size(), loc));
  builder.setInsertionPointToEnd(block);
  return block;
}

static SmallVector<Type> extraTypes(TileOp op) {
  return llvm::map_to_vector(op.getExtras(), elementType);
}

void KernelEmitter::fillPrologue(TileOp op, const Tile &what) {
  OpBuilder::InsertionGuard guard(b.builder);
  Block *body = addBlock(b.builder, b.loc, op.getPrologue(), extraTypes(op));
  Type accType = shape.intrinsic.acc.getType(b.builder.getContext());
  auto add = [&](Value x, Value y) -> Value {
    if (isa<FloatType>(accType))
      return arith::AddFOp::create(b.builder, b.loc, x, y);
    return arith::AddIOp::create(b.builder, b.loc, x, y);
  };
  Value first;
  if (!what.isFirst)
    first = body->getArgument(0); // the sums of the block before
  else
    for (unsigned i = 0; i < plan.addends.size() + (plan.init ? 1 : 0); ++i)
      first = first ? add(first, body->getArgument(i)) : body->getArgument(i);
  if (!first)
    first = arith::ConstantOp::create(b.builder, b.loc, b.builder.getZeroAttr(accType));
  YieldOp::create(b.builder, b.loc, first);
}

/// Appends what reductions combine to the results that it is computed from.
static void appendReduced(LoopBuilder &b, ArrayRef<RowReduction> reductions,
                          SmallVectorImpl<Value> &results) {
  for (const RowReduction &reduction : reductions) {
    SmallVector<Value> elements;
    forEachElement(reduction.value, [&](const Formula &) {
      elements.push_back(results[reduction.result.getResultNumber()]);
    });
    results.push_back(FormulaEmitter(b.builder, b.loc, elements).emit(reduction.value));
  }
}

void KernelEmitter::fillEpilogue(TileOp op, const Tile &what) {
  OpBuilder::InsertionGuard guard(b.builder);
  SmallVector<Type> types = extraTypes(op);
  types.insert(types.begin(), shape.intrinsic.acc.getType(b.builder.getContext()));
  Block *body = addBlock(b.builder, b.loc, op.getEpilogue(), types);
  SmallVector<Value> values = {body->getArgument(0)};
  if (what.isLast && plan.epilogue.consumer) {
    llvm::append_range(values, body->getArguments().take_back(plan.epilogue.extras.size()));
    values = cloneBody(b.builder, plan.epilogue, values);
  }
  if (what.isLast)
    appendReduced(b, plan.reductions, values);
  YieldOp::create(b.builder, b.loc, values);
}
