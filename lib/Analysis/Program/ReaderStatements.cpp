//===- ReaderStatements.cpp - The loads, stores and copies of a kernel in the IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

static Position sum(const Position &a, const Position &b, int64_t factor) {
  return Position::combine(a, b, [=](int64_t x, int64_t y) { return x + y * factor; });
}

/// Where a view begins in its buffer.
FailureOr<Position> ProgramReader::viewOffset(Operation *op, Value memref) {
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  Operation *defined = memref.getDefiningOp();
  if (!view && memref != findBuffer(memref))
    return viewOffset(op, defined->getOperand(0));
  Position at = Position::ofConstant(0);
  if (!view)
    return at;
  int64_t base;
  SmallVector<int64_t> strides;
  FailureOr<Position> outer = viewOffset(op, view.getSource());
  if (failed(outer) || failed(view.getSourceType().getStridesAndOffset(strides, base)))
    return failure();
  at = *outer;
  for (auto [offset, stride] : llvm::zip_equal(view.getMixedOffsets(), strides)) {
    std::optional<Position> by;
    if (auto constant = getConstantIntValue(offset))
      by = Position::ofConstant(*constant);
    else
      by = values.positionOf(cast<Value>(offset), notes.program.loops.size() + 1);
    if (!by || ShapedType::isDynamic(stride))
      return op->emitError("accesses a view that does not follow from the loops");
    at = sum(at, *by, stride);
  }
  return at;
}

FailureOr<Position> ProgramReader::positionIn(Operation *op, Value memref, ValueRange indices) {
  int64_t base;
  SmallVector<int64_t> strides;
  FailureOr<Position> at = viewOffset(op, memref);
  if (failed(at))
    return failure();
  if (failed(cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, base)))
    return op->emitError("accesses a buffer of a program whose layout has no strides");
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    std::optional<Position> by = values.positionOf(index, notes.program.loops.size() + 1);
    if (!by || ShapedType::isDynamic(stride))
      return op->emitError("accesses a position that does not follow from loops and threads");
    at = sum(*at, *by, stride);
  }
  return at;
}

int64_t ProgramReader::countActive(int64_t count) {
  if (threadConditions.empty())
    return count;
  int64_t active = 0;
  for (int64_t thread = 0; thread < count; ++thread)
    active += llvm::all_of(threadConditions, [&](Value condition) {
      return values.numberOf(condition, thread).value_or(1) != 0;
    });
  return active;
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

IntrinsicOp ProgramReader::findIntrinsic(Operation *op, SymbolRefAttr name) {
  IntrinsicOp intrinsic = library.lookup(name);
  if (!intrinsic)
    op->emitError("unknown intrinsic ") << name;
  return intrinsic;
}

/// The rows of a fragment of lhs or acc, which may be fewer than the intrinsic's.
static int64_t rowsOf(Type fragment, IntrinsicOp intrinsic) {
  auto shaped = dyn_cast<ShapedType>(fragment);
  return intrinsic.getVariableM() && shaped && shaped.hasRank() && shaped.getRank() == 2
             ? shaped.getDimSize(0)
             : intrinsic.getShape()[0];
}

LogicalResult ProgramReader::readLoad(LoadOp op) {
  IntrinsicOp intrinsic = findIntrinsic(op, op.getIntrinsic());
  if (!intrinsic)
    return failure();
  bool isAcc = op.getRole() == Role::acc, isLhs = op.getRole() == Role::lhs;
  std::optional<BufferRole> role = buffers.roleOf(op.getMemref());
  if (isAcc && (launch || role != BufferRole::Accumulators))
    return success(); // first values are no part of a program
  FailureOr<Position> at = positionIn(op, op.getMemref(), op.getIndices());
  if (failed(at))
    return failure();
  if (launch)
    notes.enterWarps(threads / lanes);
  int64_t rows = rowsOf(op.getFragment().getType(), intrinsic);
  int64_t n = intrinsic.getShape()[1], k = intrinsic.getShape()[2];
  int64_t stride = op.getStride().value_or(0), pack = intrinsic.getKInterleave();
  if (isAcc)
    notes.note(Statement::LoadAcc, rows,
               {{*role, false, rows * n, n, *at, 0, (rows - 1) * stride + n}});
  else if (!isLhs)
    notes.note(Statement::LoadRhs, 1,
               {{*role, false, n * k, n * pack, *at, 0, (k / pack - 1) * stride + n * pack}});
  else
    notes.note(op.getValid() ? Statement::LoadLhsPartial : Statement::LoadLhs, 1,
               {{*role, false, rows * k, k, *at, 0, (rows - 1) * stride + k}});
  return success();
}

/// Fragments of a device pass through shared memory on their way.
LogicalResult ProgramReader::readStore(StoreOp op) {
  IntrinsicOp intrinsic = findIntrinsic(op, op.getIntrinsic());
  if (!intrinsic)
    return failure();
  if (launch) {
    notes.enterWarps(threads / lanes);
    ++fragments;
    fragmentColumns = intrinsic.getShape()[1];
    return success();
  }
  std::optional<BufferRole> role = buffers.roleOf(op.getMemref());
  if (!role)
    return success(); // registers on their way to vectors
  FailureOr<Position> at = positionIn(op, op.getMemref(), op.getIndices());
  if (failed(at))
    return failure();
  int64_t rows = rowsOf(op.getFragment().getType(), intrinsic), n = intrinsic.getShape()[1];
  int64_t stride = op.getStride().value_or(0);
  notes.note(Statement::Store, rows, {{*role, true, rows * n, n, *at, 0, (rows - 1) * stride + n}});
  return success();
}

//===----------------------------------------------------------------------===//
// Copies, partial sums and results
//===----------------------------------------------------------------------===//

void ProgramReader::readElements(Value memref, ValueRange indices, int64_t elements) {
  if (pending.memref != memref)
    pending = {memref, {}, elements};
  pending.reads.push_back({llvm::to_vector<2>(indices), elements});
}

/// Each thread copies its share; alone, there is but one. Zeros at the edges of a grid depend on
/// the data.
LogicalResult ProgramReader::writePacked(Operation *op, BufferRole role, const Position &to,
                                         int64_t elements) {
  int64_t count = launch ? countActive(threads) : 1;
  Pending read = std::exchange(pending, {});
  NotedAccess written{role, true, count * elements, elements, to};
  auto kind = role == BufferRole::PackedLhs ? Statement::PackLhs : Statement::PackRhs;
  auto source = role == BufferRole::PackedLhs ? BufferRole::Lhs : BufferRole::Rhs;
  if (read.memref && failed(buffers.addSource(op, role, findBuffer(read.memref))))
    return failure();
  if (!read.memref || buffers.roleOf(read.memref) != source) {
    if (!launch)
      notes.note(kind, count, written);
    return success();
  }
  return notePack(op, kind, count, source, read, written);
}

/// What was read since the last write is one access that begins with the first read.
LogicalResult ProgramReader::notePack(Operation *op, Statement::Kind kind, int64_t count,
                                      BufferRole source, const Pending &read,
                                      const NotedAccess &written) {
  std::optional<Position> first;
  int64_t elements = 0, span = 0;
  for (const Pending::Read &part : read.reads) {
    FailureOr<Position> at = positionIn(op, read.memref, part.indices);
    if (failed(at))
      return failure();
    if (!first)
      first = *at;
    elements += count * part.elements;
    span = std::max(span, at->first + part.elements - first->first);
  }
  bool divides =
      !launch && notes.getCurrent() && llvm::any_of(read.reads.front().indices, [&](Value index) {
        return values.divides(index, *notes.getCurrent());
      });
  NotedAccess accesses[] = {{source, false, elements, read.run, *first, 0, span, divides}, written};
  if (launch)
    notes.noteTurn(kind, count, accesses, isa<CopyOp>(op));
  else
    notes.note(kind, count, accesses);
  return success();
}

void ProgramReader::writeResult(BufferRole role, const Position &to, int64_t elements) {
  if (!launch)
    return notes.note(Statement::Store, 1, {{role, true, elements, elements, to}});
  if (role == BufferRole::Accumulators)
    return;
  notes.noteTurn(Statement::Store, fragments,
                 {{role, true, countActive(lanes) * elements, fragmentColumns, to}},
                 /*isAsynchronous=*/false);
  fragments = 0;
}

LogicalResult ProgramReader::readCopy(CopyOp op) {
  std::optional<BufferRole> role = buffers.roleOf(op.getTarget());
  if (role != BufferRole::PackedLhs && role != BufferRole::PackedRhs)
    return success();
  int64_t elements = op.getElements();
  FailureOr<Position> to = positionIn(op, op.getTarget(), op.getTargetIndex());
  if (failed(to))
    return failure();
  readElements(op.getSource(), op.getSourceIndex(), elements);
  return writePacked(op, *role, *to, elements);
}

LogicalResult ProgramReader::readVector(Operation *op, Value memref, ValueRange indices,
                                        VectorType type, Value mask, bool isWrite) {
  std::optional<BufferRole> role = buffers.roleOf(memref);
  int64_t elements = type.getNumElements();
  bool isSum = role == BufferRole::Accumulators || role == BufferRole::Result;
  if (!isWrite && !isSum) {
    readElements(memref, indices, elements);
    return success();
  }
  if (!role || (!isWrite && (launch || role == BufferRole::Result)))
    return success(); // what a consumer reads or writes besides
  FailureOr<Position> at = positionIn(op, memref, indices);
  if (failed(at))
    return failure();
  if (!isSum)
    return writePacked(op, *role, *at, elements);
  if (auto valid = mask ? mask.getDefiningOp<vector::ConstantMaskOp>() : nullptr)
    elements = valid.getMaskDimSizes().front();
  if (isWrite)
    writeResult(*role, *at, elements);
  else
    notes.note(Statement::LoadAcc, 1, {{*role, false, elements, elements, *at}});
  return success();
}
