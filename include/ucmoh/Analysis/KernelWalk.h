//===- KernelWalk.h - The nest of one kernel, written once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loops of a kernel, the copies of its operands and its register tiles, as a walk that talks
/// to a sink. One sink notes the program that a cost model scores, another one emits IR: what is
/// scored is what is compiled, by construction.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_KERNELWALK_H
#define UCMOH_ANALYSIS_KERNELWALK_H

#include "ucmoh/Analysis/GridWalk.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh {

/// Walks the nest of one kernel. Positions and values of loops are of the sink's type `Index`; a
/// part of the values of m or n, which one iteration of a loop has, is of its type `Part`. A sink
/// has these members:
///
/// - `constant`, `add`, `sub`, `mul`: arithmetic, `mul` by a number
/// - `divide`, `remainder`: by a number, of values that are not negative
/// - `position(operand, values)`: of an operand's element, for these values of the nest's variables
/// - `whole(extent)`, `part(of, from, step)`, `begin(part)`: parts
/// - `wanted(extent)`: those rows that are wanted of so many
/// - `loop(from, to, step, body)`: a loop with constant bounds; no loop where it runs once
/// - `loopOver(part, end, step, body)`: over the values of a part that lie below `end`
/// - `loopOverWanted(part, step, body)`: over the wanted rows of a part; `body` gets how many it
///   computes, since the last ones may be fewer, or begin earlier
/// - `ifReached(part, end, body)`: where the part ends with the last value of the variable
/// - `parallelLoop(extent, step, body)`: iterations that threads share
/// - `allocate(role, elements)`: a buffer of the kernel
/// - `copy(role, from, to, count)`: copies neighbours from an operand to its packed buffer
/// - `clear(role, to, count)`: zeros, behind the end of an operand
/// - `interleave(rows, columns, to)`: copies rows of rhs so that a column's elements are neighbours
/// - `transpose(columns, to, step)`: copies columns of rhs, of which as many groups of reduction
///   steps are neighbours as there are columns, so that the columns of a group are neighbours;
///   `step` elements lie between two groups
/// - `tile(tile)`: one register tile (TileWalk.h)
/// - those of GridWalk, for devices
template <typename Sink> class KernelWalk {
public:
  /// The sink's positions and parts.
  using Index = typename Sink::Index;
  using Part = typename Sink::Part;

  /// Says what a register tile computes, and where it is.
  using Tile = PlacedTile<Index>;

  KernelWalk(const KernelShape &shape, Sink &sink)
      : shape(shape), candidate(shape.candidate), nest(shape.nest), sink(sink),
        values(shape.variableCount(), sink.constant(0)),
        m(shape.leavesRows() ? sink.wanted(nest.m.extent) : sink.whole(nest.m.extent)),
        n(sink.whole(nest.n.extent)) {}

  /// The kernel.
  void run() {
    if (shape.intrinsic.isStaged)
      return GridWalk<Sink>(shape, sink).run();
    if (!shape.parallel)
      return threadPart();
    const ParallelLoop &loop = *shape.parallel;
    sink.parallelLoop(loop.extent, loop.step, [&](const Index &from) {
      if (loop.variable == shape.mAt())
        m = sink.part(m, from, loop.step);
      else if (loop.variable == shape.nAt())
        n = sink.part(n, from, loop.step);
      else
        values[loop.variable] = from;
      threadPart();
    });
  }

  /// The copy of the whole rhs that candidates read for which isPackedAhead holds.
  void prepack() { prepack(0, sink.constant(0)); }

private:
  using Body = llvm::function_ref<void(const Index &)>;

  /// One block of the reduction.
  struct Block {
    Index from;
    int64_t extent;
    bool isFirst, isLast;
  };

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// Walks through the part of one thread, which has buffers of its own.
  void threadPart() {
    if (candidate.packLhs == Packing::Block)
      sink.allocate(BufferRole::PackedLhs, shape.layout.lhsBlockElements());
    if (isCopied(candidate.packRhs))
      sink.allocate(BufferRole::PackedRhs, shape.layout.rhsBlockElements());
    if (shape.reductionIsSplit())
      sink.allocate(BufferRole::Accumulators, shape.layout.accumulatorElements());
    outerLoops(0, shape.outerMAt(), [&] {
      auto outerRows = [&](llvm::function_ref<void()> body) {
        outerLoops(shape.outerMAt(), shape.mAt(), body);
      };
      if (candidate.order.columnBlocksOutside)
        return columnBlocks([&] { outerRows([&] { rowBlocks([&] { reductionBlocks(); }); }); });
      outerRows([&] { blockLoops(); });
    });
  }

  /// The loops over the variables from `level` on, up to that of `end`.
  void outerLoops(unsigned level, unsigned end, llvm::function_ref<void()> body) {
    if (level == end)
      return body();
    if (shape.parallel && shape.parallel->variable == level)
      return outerLoops(level + 1, end, body);
    loopOver(level, nest.variables()[level]->extent, [&] { outerLoops(level + 1, end, body); });
  }

  void loopOver(unsigned variable, int64_t extent, llvm::function_ref<void()> body) {
    Index saved = values[variable];
    sink.loop(0, extent, 1, [&](const Index &value) {
      values[variable] = value;
      body();
    });
    values[variable] = saved;
  }

  void blockLoops() {
    auto reduce = [&] { reductionBlocks(); };
    if (candidate.order.rowBlocksOutside)
      rowBlocks([&] { columnBlocks(reduce); });
    else
      columnBlocks([&] { rowBlocks(reduce); });
  }

  /// A block is copied as soon as the loops that it depends on are open.
  void rowBlocks(llvm::function_ref<void()> body) {
    blockLoop(m, shape.layout.partExtent('m'), nest.m.extent, candidate.cacheM, [&] {
      if (!shape.reductionIsSplit())
        packLhs(sink.constant(0), nest.k.extent);
      body();
    });
  }
  void columnBlocks(llvm::function_ref<void()> body) {
    blockLoop(n, shape.layout.partExtent('n'), nest.n.extent, candidate.cacheN, [&] {
      if (!shape.reductionIsSplit())
        packRhs(sink.constant(0), nest.k.extent);
      body();
    });
  }

  void blockLoop(Part &part, int64_t partExtent, int64_t extent, int64_t step,
                 llvm::function_ref<void()> body) {
    if (step >= partExtent)
      return body();
    Part all = part;
    sink.loopOver(all, extent, step, [&](const Index &from) {
      part = sink.part(all, from, step);
      body();
    });
    part = all;
  }

  void reductionBlocks() {
    int64_t extent = nest.k.extent, step = candidate.cacheK;
    if (!shape.reductionIsSplit())
      return tileLoops({sink.constant(0), extent, true, true});
    int64_t last = (llvm::divideCeil(extent, step) - 1) * step;
    reductionBlock({sink.constant(0), step, true, false});
    sink.loop(step, last, step,
              [&](const Index &from) { reductionBlock({from, step, false, false}); });
    reductionBlock({sink.constant(last), extent - last, false, true});
  }

  void reductionBlock(const Block &block) {
    packLhs(block.from, block.extent);
    packRhs(block.from, block.extent);
    tileLoops(block);
  }

  void tileLoops(const Block &block) {
    if (candidate.order.rowTilesInside)
      columnTiles(
          [&](int64_t columns) { rowTiles([&](int64_t rows) { tile(rows, columns, block); }); });
    else
      rowTiles(
          [&](int64_t rows) { columnTiles([&](int64_t columns) { tile(rows, columns, block); }); });
  }

  void rowTiles(llvm::function_ref<void(int64_t)> body) {
    if (shape.leavesRows())
      return tilesOfWanted(body);
    tileLoop(shape.mAt(), m, nest.m.extent, candidate.tileM, shape.rowTiles.restRows, body);
  }
  void columnTiles(llvm::function_ref<void(int64_t)> body) {
    tileLoop(shape.nAt(), n, nest.n.extent, candidate.tileN, nest.n.extent % candidate.tileN, body);
  }

  void tilesOfWanted(llvm::function_ref<void(int64_t)> body) {
    sink.loopOverWanted(m, candidate.tileM, [&](const Index &at, int64_t rows) {
      values[shape.mAt()] = at;
      body(rows);
    });
    values[shape.mAt()] = sink.constant(0);
  }

  /// Whole tiles, then one of `rest` at the end of the variable.
  void tileLoop(unsigned variable, const Part &part, int64_t extent, int64_t size, int64_t rest,
                llvm::function_ref<void(int64_t)> body) {
    sink.loopOver(part, extent - extent % size, size, [&](const Index &at) {
      values[variable] = at;
      body(size);
    });
    if (extent % size)
      sink.ifReached(part, extent, [&] {
        values[variable] = sink.constant(extent - rest);
        body(rest);
      });
    values[variable] = sink.constant(0);
  }

  //===--------------------------------------------------------------------===//
  // Register tiles
  //===--------------------------------------------------------------------===//

  void tile(int64_t rows, int64_t columns, const Block &block) {
    Index row = values[shape.mAt()], column = values[shape.nAt()];
    Index rowInBlock = sink.sub(row, sink.begin(m));
    Index columnInBlock = sink.sub(column, sink.begin(n));
    sink.tile(Tile{shape.tile(rows, columns, block.extent), lhsAt(rowInBlock, block),
                   rhsAt(columnInBlock, block), nextAt(row, rowInBlock, columnInBlock, block), row,
                   column, rowInBlock, columnInBlock, block.isFirst, block.isLast, values});
  }

  Index positionAt(const Operand &operand, const Index &k) {
    values[shape.kAt()] = k;
    Index at = sink.position(operand, values);
    values[shape.kAt()] = sink.constant(0);
    return at;
  }

  Index lhsAt(const Index &rowInBlock, const Block &block) {
    if (candidate.packLhs == Packing::None)
      return positionAt(shape.workload.lhs, block.from);
    return sink.mul(rowInBlock, shape.layout.lhsRowElements(block.extent));
  }

  Index rhsAt(const Index &columnInBlock, const Block &block) {
    if (candidate.packRhs == Packing::None)
      return positionAt(shape.workload.rhs, block.from);
    if (isCopied(candidate.packRhs))
      return sink.mul(sink.divide(columnInBlock, candidate.tileN),
                      shape.layout.rhsPanelElements(block.extent));
    return packedAt(values[shape.nAt()], block.from);
  }

  /// Where a rhs that is packed ahead has step `k` of the panel with the column.
  Index packedAt(const Index &column, const Index &k) {
    Index panel =
        sink.add(panelsBefore<Sink>(shape, sink, values), sink.divide(column, candidate.tileN));
    return sink.add(sink.mul(panel, shape.layout.rhsPanelElements(nest.k.extent)),
                    sink.mul(k, candidate.tileN));
  }

  /// The part of a prepacked rhs that comes next is cut into as many shares as there are tiles
  /// until then. At its end rhs begins anew.
  Index nextAt(const Index &row, const Index &rowInBlock, const Index &columnInBlock,
               const Block &block) {
    if (!shape.prefetch)
      return sink.constant(0);
    const RhsPrefetch &prefetch = *shape.prefetch;
    if (candidate.packRhs == Packing::Widened)
      return nextToWiden(rowInBlock, block);
    int64_t panel = shape.layout.rhsPanelElements(nest.k.extent);
    int64_t read = prefetch.byPanel ? shape.layout.rhsPanelElements(block.extent) : panel;
    int64_t share = read / candidate.tileN * prefetch.elements;
    Index current = sink.add(panelsBefore<Sink>(shape, sink, values),
                             sink.divide(values[shape.nAt()], candidate.tileN));
    Index tileInPart = sink.divide(prefetch.byPanel ? rowInBlock : row, candidate.tileM);
    if (!prefetch.byPanel) {
      Index panelInPart = sink.divide(columnInBlock, candidate.tileN);
      current = sink.sub(current, panelInPart);
      if (candidate.order.columnBlocksOutside)
        tileInPart = sink.add(sink.mul(outerRow(), shape.tilesOfRows()), tileInPart);
      tileInPart = sink.add(sink.mul(tileInPart, prefetch.panels), panelInPart);
    }
    Index next = sink.mul(sink.add(current, sink.constant(prefetch.panels)), panel);
    next = sink.add(sink.add(next, sink.mul(tileInPart, share)),
                    sink.mul(block.from, prefetch.byPanel ? candidate.tileN : prefetch.elements));
    return sink.remainder(next, shape.layout.rhsPrepackedElements() - share);
  }

  /// Tiles fetch what takes the place of the panel that they read.
  Index nextToWiden(const Index &rowInBlock, const Block &block) {
    const Index &column = values[shape.nAt()];
    int64_t share =
        shape.layout.rhsPanelElements(block.extent) / candidate.tileN * shape.prefetch->elements;
    Index next = block.isLast
                     ? packedAt(sink.add(column, sink.constant(candidate.cacheN)), sink.constant(0))
                     : packedAt(column, sink.add(block.from, sink.constant(block.extent)));
    next = sink.add(next, sink.mul(sink.divide(rowInBlock, candidate.tileM), share));
    return sink.remainder(next, shape.layout.rhsPrepackedElements() - share);
  }

  /// How many rows that no tile crosses lie before those of the current values.
  Index outerRow() {
    Index row = sink.constant(0);
    for (unsigned i = shape.outerMAt(); i < shape.outerNAt(); ++i)
      row = sink.add(sink.mul(row, nest.variables()[i]->extent), values[i]);
    return row;
  }

  //===--------------------------------------------------------------------===//
  // Copies of lhs: row by row, zeros behind the end
  //===--------------------------------------------------------------------===//

  void packLhs(const Index &kFrom, int64_t extent) {
    if (candidate.packLhs != Packing::Block)
      return;
    int64_t row = shape.layout.lhsRowElements(extent), run = shape.layout.lhsRun(extent);
    sink.loopOver(m, nest.m.extent, 1, [&](const Index &at) {
      values[shape.mAt()] = at;
      Index to = sink.mul(sink.sub(at, sink.begin(m)), row);
      sink.loop(0, extent, run, [&](const Index &k) {
        copyRun(BufferRole::PackedLhs, positionAt(shape.workload.lhs, sink.add(kFrom, k)),
                sink.add(to, k), run);
      });
      if (row > extent)
        sink.clear(BufferRole::PackedLhs, sink.add(to, sink.constant(extent)), row - extent);
    });
    values[shape.mAt()] = sink.constant(0);
  }

  /// Neighbours: 64 bytes at a time, the rest by powers of two.
  void copyRun(BufferRole role, const Index &from, const Index &to, int64_t count) {
    bool isLhs = role == BufferRole::PackedLhs;
    int64_t wide = 512 / (isLhs ? shape.intrinsic.lhs : shape.intrinsic.rhs).bits;
    int64_t whole = count - count % wide;
    auto copy = [&](const Index &at, int64_t part) {
      sink.copy(role, sink.add(from, at), sink.add(to, at), part);
    };
    sink.loop(0, whole, wide, [&](const Index &at) { copy(at, wide); });
    for (int64_t done = whole, part = wide / 2; part > 0; part /= 2)
      if (count - done >= part) {
        copy(sink.constant(done), part);
        done += part;
      }
  }

  //===--------------------------------------------------------------------===//
  // Copies of rhs: panels of tileN columns
  //===--------------------------------------------------------------------===//

  void packRhs(const Index &kFrom, int64_t extent) {
    if (candidate.packRhs == Packing::Block)
      packPanels(sink.constant(0), kFrom, extent);
    else if (candidate.packRhs == Packing::Widened)
      widenPanels(kFrom, extent);
  }

  /// Panels begin with a multiple of their columns, each of which has one element for each step.
  void widenPanels(const Index &kFrom, int64_t extent) {
    int64_t steps = nest.k.extent, panel = candidate.tileN;
    Index first = sink.add(
        sink.mul(panelsBefore<Sink>(shape, sink, values), shape.layout.rhsPanelElements(steps)),
        sink.mul(kFrom, panel));
    sink.loopOver(n, nest.n.extent, panel, [&](const Index &column) {
      copyRun(BufferRole::PackedRhs, sink.add(first, sink.mul(column, steps)),
              sink.mul(sink.sub(column, sink.begin(n)), extent), panel * extent);
    });
  }

  void prepack(unsigned level, const Index &position) {
    if (level == shape.outerMAt())
      level = shape.outerNAt();
    if (level == shape.mAt())
      return packPanels(sink.mul(position, shape.layout.rhsPanels() *
                                               shape.layout.rhsPanelElements(nest.k.extent)),
                        sink.constant(0), nest.k.extent);
    int64_t extent = nest.variables()[level]->extent;
    loopOver(level, extent,
             [&] { prepack(level + 1, sink.add(sink.mul(position, extent), values[level])); });
  }

  void packPanels(const Index &base, const Index &kFrom, int64_t extent) {
    int64_t rest = nest.n.extent % candidate.tileN, whole = nest.n.extent - rest;
    auto packPanel = [&](const Index &column, int64_t columns) {
      Index panel = sink.divide(sink.sub(column, sink.begin(n)), candidate.tileN);
      Index to = sink.add(base, sink.mul(panel, shape.layout.rhsPanelElements(extent)));
      packSlabs(0, {column, kFrom, columns, extent}, to);
    };
    sink.loopOver(n, whole, candidate.tileN,
                  [&](const Index &column) { packPanel(column, candidate.tileN); });
    if (rest)
      sink.ifReached(n, nest.n.extent, [&] { packPanel(sink.constant(whole), rest); });
    values[shape.nAt()] = values[shape.kAt()] = sink.constant(0);
  }

  struct Panel {
    Index column, kFrom;
    int64_t columns, extent;
  };

  /// One slab for each combination of the outer loops of the reduction.
  void packSlabs(unsigned level, const Panel &panel, const Index &to) {
    if (level == nest.outerK.size())
      return shape.layout.rhsColumnsAreNeighbours() ? interleave(panel, to)
                                                    : copyColumns(panel, to);
    unsigned variable = shape.outerKAt(level);
    loopOver(variable, nest.outerK[level].extent, [&] {
      Index by = sink.mul(values[variable], shape.layout.rhsSlabStride(level, panel.extent));
      packSlabs(level + 1, panel, sink.add(to, by));
    });
  }

  Index sourceAt(const Panel &panel, const Index &column, const Index &k) {
    values[shape.nAt()] = sink.add(panel.column, column);
    return positionAt(shape.workload.rhs, sink.add(panel.kFrom, k));
  }

  /// Whole groups of reduction steps in a loop, then the last ones one by one.
  void interleave(const Panel &panel, const Index &to) {
    int64_t pack = shape.intrinsic.kInterleave, whole = panel.extent - panel.extent % pack;
    sink.loop(0, whole, pack, [&](const Index &k) {
      interleaveGroup(panel, k, pack, sink.add(to, sink.mul(k, candidate.tileN)));
    });
    for (int64_t k = whole; k < int64_t(llvm::alignTo(panel.extent, shape.intrinsic.k)); k += pack)
      interleaveGroup(panel, sink.constant(k), std::max<int64_t>(panel.extent - k, 0),
                      sink.add(to, sink.constant(k * candidate.tileN)));
  }

  /// One group of reduction steps, of which `valid` exist, for all columns of the panel.
  void interleaveGroup(const Panel &panel, const Index &k, int64_t valid, const Index &to) {
    int64_t width = shape.intrinsic.n, pack = shape.intrinsic.kInterleave;
    for (int64_t column = 0; column < candidate.tileN; column += width) {
      int64_t columns = std::min(width, panel.columns - column);
      llvm::SmallVector<Index, 4> rows;
      for (int64_t r = 0; r < std::min(valid, pack) && columns > 0; ++r)
        rows.push_back(sourceAt(panel, sink.constant(column), sink.add(k, sink.constant(r))));
      sink.interleave(rows, columns, sink.add(to, sink.constant(column * pack)));
    }
  }

  /// Columns whose reduction steps are neighbours: blocks of them are transposed in registers, what
  /// is left at the ends is copied.
  void copyColumns(const Panel &panel, const Index &to) {
    int64_t width = shape.intrinsic.n, pack = shape.intrinsic.kInterleave, block = width * pack;
    bool transposes = shape.layout.rhsBlocksAreNeighbours();
    int64_t columns = transposes ? panel.columns - panel.columns % width : 0;
    int64_t steps = transposes ? panel.extent - panel.extent % block : 0;
    sink.loop(0, steps ? columns : 0, width, [&](const Index &column) {
      sink.loop(0, steps, block, [&](const Index &k) { transposeBlock(panel, column, k, to); });
    });
    if (steps && columns && steps < panel.extent)
      copyPart(panel, {0, columns, columns, steps}, to);
    if (!steps || columns < candidate.tileN)
      copyPart(panel, {steps ? columns : 0, panel.columns, candidate.tileN, 0}, to);
  }

  void transposeBlock(const Panel &panel, const Index &column, const Index &k, const Index &to) {
    int64_t pack = shape.intrinsic.kInterleave;
    llvm::SmallVector<Index, 16> columns;
    for (int64_t i = 0; i < shape.intrinsic.n; ++i)
      columns.push_back(sourceAt(panel, sink.add(column, sink.constant(i)), k));
    Index at = sink.add(sink.add(to, sink.mul(column, pack)), sink.mul(k, candidate.tileN));
    sink.transpose(columns, at, candidate.tileN * pack);
  }

  /// Columns [from, valid) of a panel, and zeros up to `to`; from a step of the reduction on.
  struct PanelPart {
    int64_t from, valid, to, step;
  };

  /// Zeros, over which the columns are then written: by whole groups where reduction steps are
  /// neighbours in memory, else element by element.
  void copyPart(const Panel &panel, const PanelPart &part, const Index &to) {
    int64_t pack = shape.intrinsic.kInterleave, width = candidate.tileN * pack;
    int64_t groups = panel.extent - panel.extent % pack;
    int64_t whole = shape.layout.rhsStepsAreNeighbours() ? groups : part.step;
    sink.loop(part.step / pack, llvm::alignTo(panel.extent, shape.intrinsic.k) / pack, 1,
              [&](const Index &step) {
                Index at = sink.add(to, sink.mul(step, width));
                sink.clear(BufferRole::PackedRhs, sink.add(at, sink.constant(part.from * pack)),
                           (part.to - part.from) * pack);
              });
    sink.loop(part.from, part.valid, 1, [&](const Index &column) {
      Index columnTo = sink.add(to, sink.mul(column, pack));
      auto copySteps = [&](const Index &k, int64_t first, int64_t count) {
        Index at = sink.add(columnTo, sink.mul(k, candidate.tileN));
        sink.copy(BufferRole::PackedRhs, sourceAt(panel, column, sink.add(k, sink.constant(first))),
                  sink.add(at, sink.constant(first)), count);
      };
      sink.loop(part.step, whole, pack, [&](const Index &k) { copySteps(k, 0, pack); });
      sink.loop(whole, groups, pack, [&](const Index &k) {
        for (int64_t r = 0; r < pack; ++r)
          copySteps(k, r, 1);
      });
      for (int64_t r = 0; r < panel.extent - groups; ++r)
        copySteps(sink.constant(groups), r, 1);
    });
  }

  const KernelShape &shape;
  const Candidate &candidate;
  const Nest &nest;
  Sink &sink;
  llvm::SmallVector<Index> values; ///< values of the nest's variables
  Part m, n;                       ///< the rows and columns of the current cache tile
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_KERNELWALK_H
