//===- Notes.h - A program as it is noted, loop by loop
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_NOTES_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_NOTES_H

#include "ucmoh/Analysis/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh {

/// A number at several points of a program: in the first iteration of all loops, and where one loop
/// is in its second iteration instead. What is computed from such numbers is computed point by
/// point, so any function of loops has its exact values there.
struct Position {
  int64_t first = 0;
  /// Loops add these numbers to `first` in their second iteration: at 0 for the subgroups of a
  /// block, at i + 1 for loop i. Loops behind its end add nothing.
  llvm::SmallVector<int64_t, 14> steps;

  static Position ofConstant(int64_t value) { return {value, {}}; }
  static Position ofLoop(unsigned loop, int64_t step) { return ofPoint(loop + 1, step); }
  static Position ofWarp() { return ofPoint(0, 1); }
  int64_t step(unsigned point) const { return point < steps.size() ? steps[point] : 0; }

  /// The same function of both numbers at each point.
  template <typename Function>
  static Position combine(const Position &a, const Position &b, Function function) {
    Position result = ofConstant(function(a.first, b.first));
    size_t count = std::max(a.steps.size(), b.steps.size());
    result.steps.resize(count);
    for (size_t i = 0; i < count; ++i)
      result.steps[i] = function(a.first + a.step(i), b.first + b.step(i)) - result.first;
    return result;
  }

private:
  static Position ofPoint(unsigned point, int64_t step) {
    Position position;
    position.steps.resize(point + 1, 0);
    position.steps[point] = step;
    return position;
  }
};

/// One access as it is noted.
struct NotedAccess {
  BufferRole buffer;
  bool isWrite;
  int64_t elements, run;
  const Position &at;
  int64_t offset = 0;   ///< elements from `at` to the first one
  int64_t span = 0;     ///< from the first to the last one; 0: `run`
  bool divides = false; ///< see Access
};

/// Collects loops and statements in the order of the code. Statements that do the same in the same
/// straight-line code are one statement; what follows the stores of a tile is code of its own.
class ProgramNotes {
public:
  Program program;

  std::optional<unsigned> getCurrent() const { return current; }
  /// `body` with the loop's number, as the innermost open loop.
  void inLoop(Loop loop, llvm::function_ref<void(unsigned)> body) {
    unsigned id = open(loop);
    body(id);
    close(loop.parent);
  }
  unsigned open(const Loop &loop) {
    program.loops.push_back(loop);
    current = program.loops.size() - 1;
    return *current;
  }
  void close(std::optional<unsigned> outer) { current = outer; }
  /// The loop over the subgroups of a block, unless it is open.
  void enterWarps(int64_t warps);

  void note(Statement::Kind kind, int64_t count, llvm::ArrayRef<NotedAccess> accesses) {
    if (!joinLast(kind, count, accesses))
      join(kind, count, accesses, /*byStrides=*/true);
  }
  /// Notes what the threads of a block copy in turns. The first turn says how the copy moves.
  void noteTurn(Statement::Kind kind, int64_t count, llvm::ArrayRef<NotedAccess> accesses,
                bool isAsynchronous) {
    join(kind, count, accesses, /*byStrides=*/false).isAsynchronous |= isAsynchronous;
  }

private:
  /// What holds within a condition on a loop does not move with that loop.
  std::vector<int64_t> stridesOf(const Position &position) const;
  void beginStatement(Statement::Kind kind);
  Statement &join(Statement::Kind kind, int64_t count, llvm::ArrayRef<NotedAccess> accesses,
                  bool byStrides);
  void extend(size_t statement, size_t access, const NotedAccess &by);
  bool joinLast(Statement::Kind kind, int64_t count, llvm::ArrayRef<NotedAccess> accesses);

  std::optional<unsigned> current;
  size_t straightLine = 0; ///< where the code began in which like statements join
  bool afterStore = false;
  /// The last statement of each kind, and the steps of its first access.
  struct Last {
    size_t statement = ~size_t(0);
    llvm::SmallVector<int64_t, 14> steps;
  };
  Last last[Statement::Store + 1];
  std::vector<llvm::SmallVector<int64_t, 2>> firsts; ///< where accesses of statements begin
};

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_NOTES_H
