//===- LinearForm.h - A position as a linear function of loop iterations
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_ANALYSIS_PROGRAM_LINEARFORM_H
#define UCMOH_LIB_ANALYSIS_PROGRAM_LINEARFORM_H

#include "ucmoh/Analysis/Program.h"

namespace ucmoh {

/// constant + sum of perIteration[i] * (iteration number of loop i). Loops behind the end of
/// `perIteration` count zero.
struct LinearForm {
  int64_t constant = 0;
  llvm::SmallVector<int64_t, 12> perIteration;

  static LinearForm ofConstant(int64_t value) { return {value, {}}; }
  static LinearForm ofLoop(unsigned loop, int64_t step) {
    LinearForm form;
    form.perIteration.resize(loop + 1, 0);
    form.perIteration[loop] = step;
    return form;
  }
  LinearForm &operator+=(const LinearForm &other) {
    constant += other.constant;
    if (perIteration.size() < other.perIteration.size())
      perIteration.resize(other.perIteration.size(), 0);
    for (auto [i, value] : llvm::enumerate(other.perIteration))
      perIteration[i] += value;
    return *this;
  }
  LinearForm &operator*=(int64_t factor) {
    constant *= factor;
    for (int64_t &value : perIteration)
      value *= factor;
    return *this;
  }
  friend LinearForm operator+(LinearForm a, const LinearForm &b) { return a += b; }
  friend LinearForm operator*(LinearForm a, int64_t factor) { return a *= factor; }
  friend LinearForm operator-(LinearForm a, const LinearForm &b) { return a += b * -1; }
};

/// The form as `Access::strides` in `loop`. What a guard holds is executed in one iteration of the
/// loops that the guard refines: it does not move with them.
inline std::vector<int64_t> stridesIn(const Program &program, std::optional<unsigned> loop,
                                      const LinearForm &form) {
  llvm::SmallVector<unsigned> nest = program.nest(loop);
  std::vector<int64_t> strides;
  for (unsigned id : nest)
    strides.push_back(id < form.perIteration.size() ? form.perIteration[id] : 0);
  for (unsigned id : nest)
    if (program.loops[id].kind == LoopKind::Guard)
      for (std::optional<unsigned> refined = id; refined; refined = program.loops[*refined].refines)
        strides[llvm::find(nest, *refined) - nest.begin()] = 0;
  return strides;
}

/// Adds a statement, or joins it to the like one that stands in the same straight-line code: the
/// statements from `from` on.
inline void addStatement(Program &program, size_t from, Statement statement) {
  for (Statement &other : llvm::drop_begin(program.statements, from)) {
    if (other.kind != statement.kind || other.loop != statement.loop ||
        other.accesses.size() != statement.accesses.size() ||
        !llvm::equal(other.accesses, statement.accesses, [](const Access &a, const Access &b) {
          return a.buffer == b.buffer && a.strides == b.strides;
        }))
      continue;
    other.count += statement.count;
    for (auto [mine, its] : llvm::zip(other.accesses, statement.accesses))
      mine.elements += its.elements;
    return;
  }
  program.statements.push_back(std::move(statement));
}

} // namespace ucmoh

#endif // UCMOH_LIB_ANALYSIS_PROGRAM_LINEARFORM_H
