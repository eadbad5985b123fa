//===- Packing.cpp - Copies of operands in the layout that micro-kernels read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packing.h"
#include "Operands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

static Type elementType(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

static Value zeroVector(LoopBuilder &b, Type element, int64_t count) {
  auto type = VectorType::get({count}, element);
  return arith::ConstantOp::create(b.builder, b.loc, b.builder.getZeroAttr(type));
}

static void storeZeros(LoopBuilder &b, Value buffer, OpFoldResult at, int64_t count) {
  if (count > 0)
    vector::StoreOp::create(b.builder, b.loc, zeroVector(b, elementType(buffer), count), buffer,
                            b.asValue(at));
}

namespace {
/// From where to where, and as what.
struct Copy {
  Value source, target;
  ElementType have, want;
};
} // namespace

static void copyVector(LoopBuilder &b, const Copy &copy, OpFoldResult from, OpFoldResult to,
                       int64_t count) {
  auto type = VectorType::get({count}, elementType(copy.source));
  Value value = vector::LoadOp::create(b.builder, b.loc, type, copy.source, b.asValue(from));
  value = convertElements(b.builder, b.loc, value, copy.have, copy.want);
  vector::StoreOp::create(b.builder, b.loc, value, copy.target, b.asValue(to));
}

/// Copies `count` neighbouring elements: 64 bytes at a time, the rest by powers of two.
static void copyRun(LoopBuilder &b, const Copy &copy, OpFoldResult from, OpFoldResult to,
                    int64_t count) {
  int64_t wide = 512 / copy.want.bits;
  int64_t whole = count - count % wide;
  b.loop("copy", b.builder.getIndexAttr(0), b.builder.getIndexAttr(whole), wide,
         [&](OpFoldResult at) { copyVector(b, copy, b.add(from, at), b.add(to, at), wide); });
  for (int64_t done = whole, part = wide / 2; part > 0; part /= 2)
    if ((count - done) >= part) {
      OpFoldResult at = b.builder.getIndexAttr(done);
      copyVector(b, copy, b.add(from, at), b.add(to, at), part);
      done += part;
    }
}

//===----------------------------------------------------------------------===//
// lhs
//===----------------------------------------------------------------------===//

void ucmoh::packLhs(LoopBuilder &b, const PackedLayout &layout, const Workload &workload,
                    const Nest &nest, const Candidate &candidate, Value source, AffineExpr index,
                    Value packed, Range m, OpFoldResult kFrom, int64_t kExtent) {
  int64_t rowElements = layout.lhsRowElements(kExtent), run = layout.lhsRun(kExtent);
  Copy copy{source, packed, workload.lhs.type, candidate.intrinsic->lhs};
  b.loop("pack_lhs.m", m.from, m.to, 1, [&](OpFoldResult row) {
    b.values[b.mAt()] = row;
    OpFoldResult target = b.mul(b.sub(row, m.from), rowElements);
    b.loop("pack_lhs.k", b.builder.getIndexAttr(0), b.builder.getIndexAttr(kExtent), run,
           [&](OpFoldResult k) {
             b.values[b.kAt()] = b.add(kFrom, k);
             copyRun(b, copy, b.apply(index), b.add(target, k), run);
           });
    storeZeros(b, packed, b.add(target, b.builder.getIndexAttr(kExtent)), rowElements - kExtent);
  });
  b.values[b.mAt()] = b.values[b.kAt()] = b.builder.getIndexAttr(0);
}

//===----------------------------------------------------------------------===//
// rhs
//===----------------------------------------------------------------------===//

namespace {
/// What the ways of packing rhs have in common: one panel of `columns` columns at `base`.
struct RhsPanel {
  LoopBuilder &b;
  const Candidate &candidate;
  Copy copy;
  AffineExpr index;
  OpFoldResult firstColumn, kFrom;
  int64_t columns, kExtent;

  int64_t pack() const { return candidate.intrinsic->rhsPack; }
  OpFoldResult constant(int64_t value) const { return b.builder.getIndexAttr(value); }
  OpFoldResult sourceAt(OpFoldResult column, OpFoldResult k) const {
    b.values[b.nAt()] = b.add(firstColumn, column);
    b.values[b.kAt()] = b.add(kFrom, k);
    return b.apply(index);
  }
};
} // namespace

/// `count` columns of reduction step k as a vector of `width`, zero behind them.
static Value loadColumns(const RhsPanel &panel, int64_t column, OpFoldResult k, int64_t count,
                         int64_t width) {
  LoopBuilder &b = panel.b;
  Value source = panel.copy.source;
  auto type = VectorType::get({width}, elementType(source));
  Value at = b.asValue(panel.sourceAt(panel.constant(column), k));
  if (count == width)
    return vector::LoadOp::create(b.builder, b.loc, type, source, at);
  Value mask = vector::ConstantMaskOp::create(
      b.builder, b.loc, VectorType::get({width}, b.builder.getI1Type()), ArrayRef<int64_t>{count});
  return vector::MaskedLoadOp::create(b.builder, b.loc, type, source, at, mask,
                                      zeroVector(b, elementType(source), width));
}

/// Riffles rows (a power of two of them), so that the elements of a column become neighbours.
static Value interleave(LoopBuilder &b, SmallVector<Value> rows) {
  while (rows.size() > 1) {
    SmallVector<Value> next;
    size_t half = rows.size() / 2;
    for (size_t i = 0; i < half; ++i)
      next.push_back(vector::InterleaveOp::create(b.builder, b.loc, rows[i], rows[i + half]));
    rows = next;
  }
  return rows.front();
}

/// One group of `pack` reduction steps, of which `valid` exist, for all columns of the panel, where
/// columns are neighbours in memory.
static void interleaveStep(const RhsPanel &panel, OpFoldResult k, int64_t valid, OpFoldResult to) {
  LoopBuilder &b = panel.b;
  int64_t width = panel.candidate.intrinsic->n, pack = panel.pack();
  auto load = [&](int64_t column, int64_t r, int64_t count) {
    Value row = loadColumns(panel, column, b.add(k, panel.constant(r)), count, width);
    return convertElements(b.builder, b.loc, row, panel.copy.have, panel.copy.want);
  };
  for (int64_t column = 0; column < panel.candidate.tileN; column += width) {
    int64_t count = std::min(width, panel.columns - column);
    SmallVector<Value> rows;
    for (int64_t r = 0; r < pack; ++r)
      rows.push_back(r < valid && count > 0 ? load(column, r, count)
                                            : zeroVector(b, elementType(panel.copy.target), width));
    vector::StoreOp::create(b.builder, b.loc, interleave(b, rows), panel.copy.target,
                            b.asValue(b.add(to, panel.constant(column * pack))));
  }
}

static void packByInterleaving(const RhsPanel &panel, OpFoldResult base) {
  LoopBuilder &b = panel.b;
  int64_t pack = panel.pack(), whole = panel.kExtent - panel.kExtent % pack;
  b.loop("pack_rhs.k", panel.constant(0), panel.constant(whole), pack, [&](OpFoldResult k) {
    interleaveStep(panel, k, pack, b.add(base, b.mul(k, panel.candidate.tileN)));
  });
  for (int64_t k = whole; k < (int64_t)llvm::alignTo(panel.kExtent, panel.candidate.intrinsic->k);
       k += pack)
    interleaveStep(panel, panel.constant(k), std::max<int64_t>(panel.kExtent - k, 0),
                   b.add(base, panel.constant(k * panel.candidate.tileN)));
}

/// Element by element, or by whole groups where reduction steps are neighbours in memory.
static void packByColumns(const RhsPanel &panel, OpFoldResult base, bool stepsAreNeighbours) {
  LoopBuilder &b = panel.b;
  int64_t pack = panel.pack(), width = panel.candidate.tileN * pack;
  b.loop("pack_rhs.zero", panel.constant(0),
         panel.constant(llvm::alignTo(panel.kExtent, panel.candidate.intrinsic->k) / pack), 1,
         [&](OpFoldResult step) {
           storeZeros(b, panel.copy.target, b.add(base, b.mul(step, width)), width);
         });
  int64_t whole = stepsAreNeighbours ? panel.kExtent - panel.kExtent % pack : 0;
  b.loop(
      "pack_rhs.n", panel.constant(0), panel.constant(panel.columns), 1, [&](OpFoldResult column) {
        OpFoldResult to = b.add(base, b.mul(column, pack));
        b.loop("pack_rhs.k", panel.constant(0), panel.constant(whole), pack, [&](OpFoldResult k) {
          copyVector(b, panel.copy, panel.sourceAt(column, k),
                     b.add(to, b.mul(k, panel.candidate.tileN)), pack);
        });
        auto copyOne = [&](OpFoldResult step, int64_t r) {
          OpFoldResult k = b.add(step, panel.constant(r));
          copyVector(b, panel.copy, panel.sourceAt(column, k),
                     b.add(b.add(to, b.mul(step, panel.candidate.tileN)), panel.constant(r)), 1);
        };
        int64_t groups = panel.kExtent - panel.kExtent % pack;
        b.loop("pack_rhs.k", panel.constant(whole), panel.constant(groups), pack,
               [&](OpFoldResult step) {
                 for (int64_t r = 0; r < pack; ++r)
                   copyOne(step, r);
               });
        for (int64_t r = 0; r < panel.kExtent - groups; ++r)
          copyOne(panel.constant(groups), r);
      });
}

/// Repeats `body` for each combination of the outer reduction loops, at its slab.
static void forEachSlab(LoopBuilder &b, const Nest &nest, unsigned level, OpFoldResult base,
                        int64_t slab, function_ref<void(OpFoldResult)> body) {
  if (level == nest.outerK.size())
    return body(base);
  int64_t inner = slab;
  for (unsigned i = level + 1; i < nest.outerK.size(); ++i)
    inner *= nest.outerK[i].extent;
  b.loopOver("pack_rhs.outerk", b.outerKAt(level), nest.outerK[level].extent, [&] {
    forEachSlab(b, nest, level + 1, b.add(base, b.mul(b.values[b.outerKAt(level)], inner)), slab,
                body);
  });
}

void ucmoh::packRhs(LoopBuilder &b, const PackedLayout &layout, const Workload &workload,
                    const Nest &nest, const Candidate &candidate, Value source, AffineExpr index,
                    Value packed, OpFoldResult base, Range n, OpFoldResult kFrom, int64_t kExtent) {
  int64_t panelElements = layout.rhsPanelElements(kExtent);
  Copy copy{source, packed, workload.rhs.type, candidate.intrinsic->rhs};
  auto packPanel = [&](OpFoldResult column, int64_t columns) {
    OpFoldResult panelIndex = b.apply((b.builder.getAffineDimExpr(b.variableCount()) -
                                       b.builder.getAffineDimExpr(b.variableCount() + 1))
                                          .floorDiv(candidate.tileN),
                                      {column, n.from});
    OpFoldResult at = b.add(base, b.mul(panelIndex, panelElements));
    forEachSlab(b, nest, 0, at, layout.rhsSlabElements(kExtent), [&](OpFoldResult slab) {
      RhsPanel panel{b, candidate, copy, index, column, kFrom, columns, kExtent};
      if (layout.rhsColumnsAreNeighbours())
        packByInterleaving(panel, slab);
      else
        packByColumns(panel, slab, layout.rhsStepsAreNeighbours());
    });
  };
  int64_t rest = nest.n.extent % candidate.tileN, wholeEnd = nest.n.extent - rest;
  b.loop("pack_rhs.panel", n.from, b.min(n.to, b.builder.getIndexAttr(wholeEnd)), candidate.tileN,
         [&](OpFoldResult column) { packPanel(column, candidate.tileN); });
  if (rest)
    b.ifAtLeast(n.to, nest.n.extent, [&] { packPanel(b.builder.getIndexAttr(wholeEnd), rest); });
  b.values[b.nAt()] = b.values[b.kAt()] = b.builder.getIndexAttr(0);
}
