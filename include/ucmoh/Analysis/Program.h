//===- Program.h - The abstract form of a tensorized kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel does, without its IR: loops, buffers, and load, compute and store statements. A
/// program is predicted from a workload and a candidate (buildProgram, microseconds) or read from a
/// kernel that ucmoh-tile and ucmoh-tensorize made (readProgram). Both agree: what a cost model
/// scores is what is compiled. What consumers of the result add to the stores is not part of it.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_PROGRAM_H
#define UCMOH_ANALYSIS_PROGRAM_H

#include "ucmoh/Analysis/Candidates.h"
#include <array>
#include <tuple>

namespace ucmoh {

enum class LoopKind {
  Serial,
  Parallel,
  Block, ///< parts of an operand's dim, one for each block of threads of a device
  Warp,  ///< register tiles of a block, one for each group of lanes
  Stage, ///< blocks of the reduction that pass through the slots of scratch
  Guard  ///< no loop but a condition that holds once in all iterations of the loop it refines
};

struct Loop {
  LoopKind kind;
  int64_t extent, step; ///< of all iterations together, where it refines another loop
  std::optional<unsigned> parent;
  /// The enclosing loop whose current part [at, at + step) this one runs over: both together visit
  /// `extent` once.
  std::optional<unsigned> refines;

  int64_t trips() const { return (extent + step - 1) / step; }
  bool operator==(const Loop &other) const {
    return std::tie(kind, extent, step, parent, refines) ==
           std::tie(other.kind, other.extent, other.step, other.parent, other.refines);
  }
};

/// Where data lies: an operand in memory, or scratch of the kernel.
enum class BufferRole { Lhs, Rhs, Result, PackedLhs, PackedRhs, Accumulators };
constexpr unsigned bufferRoleCount = 6;

struct Buffer {
  int64_t elements = 0; ///< 0: the program has no such buffer
  unsigned elementBits = 0;
  bool operator==(const Buffer &other) const {
    return std::tie(elements, elementBits) == std::tie(other.elements, other.elementBits);
  }
};

struct Access {
  BufferRole buffer;
  bool isWrite;
  int64_t elements; ///< per execution of the statement
  /// By how many elements it moves with each iteration of the enclosing loops, outermost first.
  /// Empty for what packing reads: a convolution's window does not move evenly.
  std::vector<int64_t> strides;
  bool operator==(const Access &other) const {
    return std::tie(buffer, isWrite, elements, strides) ==
           std::tie(other.buffer, other.isWrite, other.elements, other.strides);
  }
};

struct Statement {
  enum Kind {
    PackLhs,
    PackRhs,
    LoadAcc, ///< partial sums, between blocks of the reduction
    LoadRhs,
    LoadLhs,
    LoadLhsPartial, ///< of which only a part exists in memory
    Compute,
    Store ///< of the result, or of partial sums
  };
  Kind kind;
  std::optional<unsigned> loop; ///< innermost one around it
  int64_t count;                ///< how often it is written out there: the unrolled fragments
  std::vector<Access> accesses;
  bool operator==(const Statement &other) const {
    return std::tie(kind, loop, count, accesses) ==
           std::tie(other.kind, other.loop, other.count, other.accesses);
  }
};

struct Program {
  std::vector<Loop> loops; ///< in the order of the code
  std::array<Buffer, bufferRoleCount> buffers;
  std::vector<Statement> statements; ///< in the order of the code

  Buffer &operator[](BufferRole role) { return buffers[static_cast<unsigned>(role)]; }
  const Buffer &operator[](BufferRole role) const { return buffers[static_cast<unsigned>(role)]; }
  /// How often what stands directly in `loop` is executed; once outside of all loops.
  int64_t executions(std::optional<unsigned> loop) const;
  /// The loops around what stands in `loop`, outermost first, `loop` included.
  llvm::SmallVector<unsigned> nest(std::optional<unsigned> loop) const;
  bool operator==(const Program &other) const {
    return std::tie(loops, buffers, statements) ==
           std::tie(other.loops, other.buffers, other.statements);
  }
};

/// The loop of a nest that threads share: `step` of the `extent` values of a variable each.
struct ParallelLoop {
  unsigned variable; ///< position in Nest::variables
  int64_t extent, step;
};

/// The outermost loop under the candidate, which runs in parallel: the first outer dim that gives
/// each of `candidate.threads` something to do, else whole tiles of m or n. None for one thread.
std::optional<ParallelLoop> findParallelLoop(const Nest &nest, const Candidate &candidate);

/// What the candidate makes of the workload; needs no IR. The candidate must be legal.
Program buildProgram(const Workload &workload, const Candidate &candidate);

/// The program of a kernel that consists of ucmoh.load, compute and store. Fails with an error at
/// the op that has no place in a program: an access whose position is not affine, an unknown
/// intrinsic, a loop without constant bounds.
mlir::FailureOr<Program> readProgram(KernelOp kernel, const TargetLibrary &library);

/// As text, one line per loop and statement, indented: for people and for test failures.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Program &program);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_PROGRAM_H
