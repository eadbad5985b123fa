//===- Program.h - The abstract form of a tensorized kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel does, without its IR: loops, buffers, and load, compute and store statements. The
/// walk over a kernel's nest (KernelWalk.h) notes a program in microseconds (buildProgram) or emits
/// the kernel; readProgram reads a program from any loops around ucmoh.load, compute and store.
/// What consumers of the result add to the stores is not part of a program.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_PROGRAM_H
#define UCMOH_ANALYSIS_PROGRAM_H

#include "ucmoh/Analysis/Candidates.h"
#include <array>
#include <tuple>

namespace ucmoh {

/// How the iterations of a loop are executed.
enum class LoopKind {
  Serial,   ///< one after the other
  Parallel, ///< iterations that threads share
  Block,    ///< one axis of a device's grid of blocks of threads
  Warp,     ///< the subgroups of a block
  Guard     ///< no loop but a condition on the loop it refines: `extent` iterations fulfil it
};

/// One loop.
struct Loop {
  LoopKind kind;                  ///< how it is executed
  int64_t extent, step;           ///< all iterations together, where it refines another loop
  std::optional<unsigned> parent; ///< the loop around it
  /// The enclosing loop whose current part [at, at + step) this one runs over: both together visit
  /// `extent` once.
  std::optional<unsigned> refines;

  /// Iterations, all together where it refines another loop.
  int64_t trips() const { return (extent + step - 1) / step; }
  bool operator==(const Loop &other) const {
    return std::tie(kind, extent, step, parent, refines) ==
           std::tie(other.kind, other.extent, other.step, other.parent, other.refines);
  }
};

/// Where data lies: an operand in memory, or a buffer of the kernel.
enum class BufferRole { Lhs, Rhs, Result, PackedLhs, PackedRhs, Accumulators };
constexpr unsigned bufferRoleCount = 6;

/// One buffer: an operand, or what the kernel allocates.
struct Buffer {
  int64_t elements = 0;     ///< 0: the program has no such buffer
  unsigned elementBits = 0; ///< bits that one element has
  /// Size of one execution's worth: what all elements take.
  double bytes() const { return double(elements) * elementBits / 8; }
  bool operator==(const Buffer &other) const {
    return std::tie(elements, elementBits) == std::tie(other.elements, other.elementBits);
  }
};

/// One access of a statement to a buffer.
struct Access {
  BufferRole buffer; ///< what it touches
  bool isWrite;      ///< else it reads
  int64_t elements;  ///< all the accesses that the statement stands for have so many
  int64_t run;       ///< neighbouring elements that the first of them moves at a time
  int64_t span;      ///< elements from the first to the last one that they touch
  /// Its position takes a division by a function of the innermost loop: a window, for instance.
  bool divides = false;
  /// By how many elements it moves from the first iteration of each enclosing loop to the second,
  /// outermost loop first.
  std::vector<int64_t> strides;
  bool operator==(const Access &other) const {
    return std::tie(buffer, isWrite, elements, run, span, divides, strides) ==
           std::tie(other.buffer, other.isWrite, other.elements, other.run, other.span,
                    other.divides, other.strides);
  }
};

/// One statement: a copy, a load, an execution or a store.
struct Statement {
  /// Says what the statement does.
  enum Kind {
    Convert, ///< before the kernel: a whole operand, to the intrinsic's element type
    Sum,     ///< before the kernel: an operand over the reduction, for zero points and shifts
    PackLhs, ///< copies a part of lhs to its packed buffer
    PackRhs, ///< copies a part of rhs to its packed buffer
    LoadAcc, ///< partial sums, between blocks of the reduction
    LoadRhs, ///< a fragment
    LoadLhs, ///< a fragment, all of which exists in memory
    LoadLhsPartial, ///< only a part of the fragment exists in memory
    Compute,        ///< an execution of the intrinsic
    Store           ///< writes the result, or partial sums
  };
  Kind kind;                    ///< what it does
  std::optional<unsigned> loop; ///< innermost one around it
  int64_t count;                ///< how often it is written out there: the unrolled fragments
  std::vector<Access> accesses; ///< what it reads before what it writes
  bool isAsynchronous = false;  ///< copies go past registers, while threads compute
  bool operator==(const Statement &other) const {
    return std::tie(kind, loop, count, accesses, isAsynchronous) ==
           std::tie(other.kind, other.loop, other.count, other.accesses, other.isAsynchronous);
  }
};

/// A kernel without its IR.
struct Program {
  std::vector<Loop> loops;                     ///< in the order of the code
  std::array<Buffer, bufferRoleCount> buffers; ///< by role
  std::vector<Statement> statements;           ///< in the order of the code
  /// Holds what ops before the kernel do in each call, outside of all loops. It is no part of the
  /// kernel's IR.
  std::vector<Statement> preparation;
  /// Fragments of lhs are vectors like those of rhs, multiplied lane by lane.
  bool isLaneByLane = false;
  int64_t threads = 1;       ///< that share the parallel loop
  int64_t pipelineDepth = 1; ///< slots of shared memory that blocks of the reduction pass through

  Buffer &operator[](BufferRole role) { return buffers[static_cast<unsigned>(role)]; }
  const Buffer &operator[](BufferRole role) const { return buffers[static_cast<unsigned>(role)]; }
  /// How often what stands directly in `loop` is executed; once outside of all loops.
  int64_t executions(std::optional<unsigned> loop) const;
  /// The loops around what stands in `loop`, outermost first, `loop` included.
  llvm::SmallVector<unsigned> nest(std::optional<unsigned> loop) const;
  /// Whether both kernels are the same; what happens before them is not compared.
  bool operator==(const Program &other) const {
    return std::tie(loops, buffers, statements, isLaneByLane) ==
           std::tie(other.loops, other.buffers, other.statements, other.isLaneByLane);
  }
};

/// Threads share `extent` iterations in parts of `step`: how many the busiest thread has.
int64_t extentOfBusiest(int64_t extent, int64_t step, int64_t threads);

/// The loop of a nest that threads share: `step` of the `extent` values of a variable each.
struct ParallelLoop {
  unsigned variable;    ///< position in Nest::variables()
  int64_t extent, step; ///< values of the variable; of one iteration
};

/// The loop under the candidate whose iterations `candidate.threads` share: an outer dim, or whole
/// tiles of m or n. It is the one that leaves the least to the busiest thread; of about equal ones,
/// rows before columns, unless there are few. None for one thread.
std::optional<ParallelLoop> findParallelLoop(const Nest &nest, const Candidate &candidate);

/// Returns the part of the thread that has most of the shared loop's iterations, as a program of
/// one thread.
Program programOfBusiest(Program program);

/// Builds the program that the candidate makes of the workload; needs no IR. The candidate must be
/// legal.
Program buildProgram(const Workload &workload, const Candidate &candidate);

/// Reads the program of loops around ucmoh.load, compute and store: those of `root`, a kernel, a
/// function or a loop, whoever wrote them. Fails with an error at the op that has no place in a
/// program: a position that does not follow from loops, an unknown intrinsic, a loop without
/// constant bounds.
mlir::FailureOr<Program> readProgram(mlir::Operation *root, const TargetLibrary &library);

/// As text, one line per loop and statement, indented: for people and for test failures.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Program &program);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_PROGRAM_H
