//===- ProgramSink.h - The walk over a kernel's nest as a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_PROGRAMSINK_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_PROGRAMSINK_H

#include "Notes.h"
#include "ucmoh/Analysis/KernelWalk.h"

namespace ucmoh {

/// Notes what a walk does: see KernelWalk.h and TileWalk.h for what each member stands for.
class ProgramSink {
public:
  using Index = Position;
  struct Part {
    Position from;
    int64_t end;                    ///< where the whole variable ends
    std::optional<unsigned> within; ///< the loop whose iteration has this part
  };
  using Body = llvm::function_ref<void(const Position &)>;
  using Tile = KernelWalk<ProgramSink>::Tile;

  explicit ProgramSink(const KernelShape &shape);
  Program take() { return std::move(notes.program); }

  // Arithmetic.
  static Position constant(int64_t value) { return Position::ofConstant(value); }
  static Position add(const Position &a, const Position &b) {
    return Position::combine(a, b, [](int64_t x, int64_t y) { return x + y; });
  }
  static Position sub(const Position &a, const Position &b) {
    return Position::combine(a, b, [](int64_t x, int64_t y) { return x - y; });
  }
  static Position mul(const Position &a, int64_t factor) {
    return apply(a, [=](int64_t x) { return x * factor; });
  }
  static Position divide(const Position &a, int64_t factor) {
    return apply(a, [=](int64_t x) { return llvm::divideFloorSigned(x, factor); });
  }
  static Position remainder(const Position &a, int64_t factor) {
    return apply(a, [=](int64_t x) { return llvm::mod(x, factor); });
  }
  static Position offset(const Position &at, int64_t elements) {
    Position moved = at;
    moved.first += elements;
    return moved;
  }
  static Position advance(const Position &at, const Position &iteration, int64_t stride) {
    return Position::combine(at, iteration, [=](int64_t x, int64_t y) { return x + y * stride; });
  }
  Position position(const Operand &operand, llvm::ArrayRef<Position> values);

  // Parts and loops. What runs once is no loop.
  static Part whole(int64_t extent) { return {{}, extent, std::nullopt}; }
  static Part wanted(int64_t extent) { return whole(extent); } // at most
  void loopOverWanted(const Part &part, int64_t step,
                      llvm::function_ref<void(const Position &, int64_t)> body) {
    loopOver(part, llvm::alignTo(part.end, step), step,
             [&](const Position &at) { body(at, step); });
  }
  Part part(const Part &of, const Position &from, int64_t) const {
    return {from, of.end, notes.getCurrent()};
  }
  static const Position &begin(const Part &part) { return part.from; }
  void loop(int64_t from, int64_t to, int64_t step, Body body);
  void loopOver(const Part &part, int64_t end, int64_t step, Body body);
  void ifReached(const Part &part, int64_t end, llvm::function_ref<void()> body);
  void parallelLoop(int64_t extent, int64_t step, Body body);

  // Statements of a kernel.
  void allocate(BufferRole role, int64_t elements);
  void copy(BufferRole role, const Position &from, const Position &to, int64_t count);
  void clear(BufferRole role, const Position &to, int64_t count);
  void interleave(llvm::ArrayRef<Position> rows, int64_t columns, const Position &to);
  void transpose(llvm::ArrayRef<Position> columns, const Position &to, int64_t step);
  void tile(const Tile &what);
  void launch(int64_t gridX, int64_t gridY, int64_t gridZ,
              llvm::function_ref<void(const Position &, const Position &, const Position &,
                                      const Position &)>
                  body);
  void warpTile(const Tile &what, const Position &rowFrom, const Position &columnFrom,
                const Position &panelsBefore);

  // Statements of a register tile.
  void reduce(int64_t extent, int64_t step, Body body);
  void reduceStreams(int64_t extent, int64_t step, int64_t streams,
                     llvm::function_ref<void(const Position &, int64_t)> body) {
    reduce(extent, step, [&](const Position &at) {
      for (int64_t stream = 0; stream < streams; ++stream)
        body(at, stream);
    });
  }
  void reduceOuter(unsigned, int64_t extent, Body body) { reduce(extent, 1, body); }
  void firstValues(int64_t i);
  void step(llvm::ArrayRef<Position> at);
  void loadRhs(int64_t j);
  void loadLhs(int64_t i, int64_t validM, int64_t validK);
  void compute(int64_t i, int64_t j);
  void lastValues(int64_t i);
  void beginPipeline() {}
  void endStage() {}
  void copyStage(const Position &slot, const Position &from);
  void nextStage(const Position &block, int64_t trips);

private:
  template <typename Function> static Position apply(const Position &a, Function function) {
    return Position::combine(a, a, [=](int64_t x, int64_t) { return function(x); });
  }
  /// Holds what is known of an operand's index over the nest's variables.
  struct OperandIndex {
    mlir::AffineExpr expr; ///< null until it is asked for
    bool isLinear;
    int64_t constant;
    llvm::SmallVector<int64_t, 8> coefficients;
  };
  const OperandIndex &indexOf(const Operand &operand);
  void findDivisions(mlir::AffineExpr expr, llvm::ArrayRef<Position> values, size_t points);
  bool divides() const;
  void noteStage(BufferRole role, int64_t elements, int64_t chunk, const Position &source,
                 const Position &target, ElementType have, ElementType want);
  void setOperandBuffers();
  void notePreparation();
  /// How many of the rows of a row of fragments exist in the tile.
  int64_t validRows(int64_t i) const;
  bool isStaged() const { return shape.intrinsic.isStaged; }
  void enterWarps() {
    if (isStaged())
      notes.enterWarps(shape.shared.warps());
  }

  const KernelShape &shape;
  ProgramNotes notes;
  OperandIndex indices[3];                   ///< the indices of lhs, rhs and the result
  llvm::SmallVector<unsigned> dividedPoints; ///< the points that divide the position asked for last
  /// The register tile at hand.
  const TileShape *current = nullptr;
  Position tileLhs, tileRhs; ///< where it begins, in the first slot
  Position lhsFrom, rhsFrom; ///< the same in the current one
  Position lhsAt, rhsAt;     ///< the current step
  bool loadsSums = false, storesSums = false;
  Position resultAt, sumsAt;
  int64_t resultRow = 0; ///< elements from row to row
  /// Where the current block of a grid begins.
  llvm::SmallVector<Position> blockValues;
  Position columnFrom, panelsBefore;
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_PROGRAMSINK_H
