//===- Program.cpp - The abstract form of a tensorized kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Program.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

SmallVector<unsigned> Program::nest(std::optional<unsigned> loop) const {
  SmallVector<unsigned> ids;
  for (; loop; loop = loops[*loop].parent)
    ids.insert(ids.begin(), *loop);
  return ids;
}

int64_t Program::executions(std::optional<unsigned> loop) const {
  SmallVector<unsigned> ids = nest(loop);
  int64_t count = 1;
  for (unsigned id : ids)
    // A loop whose parts another one visits is counted there.
    if (llvm::none_of(ids, [&](unsigned other) { return loops[other].refines == id; }))
      count *= loops[id].trips();
  return count;
}

int64_t ucmoh::extentOfBusiest(int64_t extent, int64_t step, int64_t threads) {
  int64_t trips = llvm::divideCeil(extent, step);
  return std::min(extent, int64_t(llvm::divideCeil(trips, threads)) * step);
}

/// Rows of each thread, so that reading all of rhs takes less time than computing with it: a vector
/// unit multiplies a vector a cycle, and the L3 cache sends half of one.
static constexpr int64_t rowsPerThread = 16;

/// Whether weights are larger than all else. They come from memory or a cache that threads share,
/// and each thread would read all of them where threads share rows.
static bool outweighsRows(const Nest &nest, const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  int64_t m = nest.m.extent, n = nest.n.extent, k = nest.k.extent;
  return isPackedAhead(candidate.packRhs) &&
         n * k * intrinsic.rhs.bits > m * k * intrinsic.lhs.bits + m * n * intrinsic.acc.bits;
}

/// The loops that may be shared, the best of equally long parts first: an outer dim; then rows, as
/// what is between contractions is shared by rows and finds them in a thread's cache; then columns.
static SmallVector<ParallelLoop> loopsToShare(const Nest &nest, const Candidate &candidate) {
  int64_t threads = candidate.threads;
  unsigned m = nest.batch.size() + nest.outerM.size() + nest.outerN.size(), n = m + 1;
  SmallVector<const Nest::Group *> variables = nest.variables();
  SmallVector<ParallelLoop> loops;
  for (unsigned i = 0; i < m; ++i)
    if (variables[i]->extent >= threads)
      loops.push_back({i, variables[i]->extent, 1});
  auto add = [&](unsigned variable, const Nest::Group &group, int64_t tile) {
    int64_t tiles = llvm::divideCeil(group.extent, tile);
    if (tiles > 1)
      loops.push_back({variable, group.extent, int64_t(llvm::divideCeil(tiles, threads)) * tile});
  };
  bool columnsFirst = nest.m.extent < rowsPerThread * threads || outweighsRows(nest, candidate);
  if (columnsFirst || nest.leastRows)
    add(n, nest.n, candidate.tileN);
  if (nest.leastRows) // and it is not known how many
    return loops;
  add(m, nest.m, candidate.tileM);
  if (!columnsFirst)
    add(n, nest.n, candidate.tileN);
  return loops;
}

std::optional<ParallelLoop> ucmoh::findParallelLoop(const Nest &nest, const Candidate &candidate) {
  constexpr double worthIt = 0.95; // a little less to do does not make up for data that is far
  std::optional<ParallelLoop> best;
  if (candidate.threads == 1)
    return best;
  auto share = [&](const ParallelLoop &loop) {
    return double(extentOfBusiest(loop.extent, loop.step, candidate.threads)) / loop.extent;
  };
  for (const ParallelLoop &loop : loopsToShare(nest, candidate))
    if (!best || share(loop) < worthIt * share(*best))
      best = loop;
  return best;
}

Program ucmoh::programOfBusiest(Program program) {
  int64_t threads = std::exchange(program.threads, 1);
  for (auto [id, shared] : llvm::enumerate(program.loops)) {
    if (shared.kind != LoopKind::Parallel)
      continue;
    shared.extent = extentOfBusiest(shared.extent, shared.step, threads);
    shared.kind = LoopKind::Serial;
    // Loops over its parts come after it.
    SmallVector<unsigned> parts = {unsigned(id)};
    for (unsigned other = id + 1; other < program.loops.size(); ++other)
      if (Loop &loop = program.loops[other];
          loop.refines && llvm::is_contained(parts, *loop.refines)) {
        loop.extent = std::min(loop.extent, shared.extent);
        parts.push_back(other);
      }
  }
  return program;
}

static StringRef name(BufferRole role) {
  static constexpr StringLiteral names[] = {"lhs",        "rhs",        "result",
                                            "packed_lhs", "packed_rhs", "accumulators"};
  return names[static_cast<unsigned>(role)];
}

static StringRef name(Statement::Kind kind) {
  static constexpr StringLiteral names[] = {"convert",  "sum",      "pack_lhs", "pack_rhs",
                                            "load_acc", "load_rhs", "load_lhs", "load_lhs partial",
                                            "compute",  "store"};
  return names[kind];
}

static void print(raw_ostream &os, const Loop &loop) {
  static constexpr StringLiteral names[] = {"for", "parallel", "block", "warp", "guard"};
  os << names[static_cast<unsigned>(loop.kind)] << " " << loop.extent << " step " << loop.step;
  if (loop.refines)
    os << " refines " << *loop.refines;
}

static void print(raw_ostream &os, const Statement &statement) {
  os << name(statement.kind) << " x" << statement.count;
  for (const Access &access : statement.accesses) {
    os << (access.isWrite ? " -> " : " <- ") << name(access.buffer) << " " << access.elements
       << " [";
    llvm::interleave(access.strides, os, " ");
    os << "]";
  }
}

raw_ostream &ucmoh::operator<<(raw_ostream &os, const Program &program) {
  for (unsigned i = 0; i < bufferRoleCount; ++i)
    if (program.buffers[i].elements)
      os << name(static_cast<BufferRole>(i)) << ": " << program.buffers[i].elements << " x "
         << program.buffers[i].elementBits << " bits\n";
  for (auto [id, loop] : llvm::enumerate(program.loops)) {
    os << "loop " << id << " in ";
    if (loop.parent)
      os << *loop.parent;
    os << ": ";
    print(os, loop);
    os << "\n";
  }
  for (const Statement &statement : program.preparation) {
    os << "before: ";
    print(os, statement);
    os << "\n";
  }
  for (const Statement &statement : program.statements) {
    os << "in ";
    if (statement.loop)
      os << *statement.loop;
    os << ": ";
    print(os, statement);
    os << "\n";
  }
  return os;
}
