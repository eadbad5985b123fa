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

std::optional<ParallelLoop> ucmoh::findParallelLoop(const Nest &nest, const Candidate &candidate) {
  int64_t threads = candidate.threads;
  if (threads == 1)
    return std::nullopt;
  unsigned m = nest.batch.size() + nest.outerM.size() + nest.outerN.size(), n = m + 1;
  SmallVector<const Nest::Group *> variables = nest.variables();
  for (unsigned i = 0; i < m; ++i)
    if (variables[i]->extent >= threads)
      return ParallelLoop{i, variables[i]->extent, 1};
  int64_t tilesM = llvm::divideCeil(nest.m.extent, candidate.tileM);
  int64_t tilesN = llvm::divideCeil(nest.n.extent, candidate.tileN);
  if (std::max(tilesM, tilesN) == 1)
    return std::nullopt;
  auto share = [&](int64_t tiles) -> int64_t { return llvm::divideCeil(tiles, threads); };
  if (tilesM >= tilesN)
    return ParallelLoop{m, nest.m.extent, share(tilesM) * candidate.tileM};
  return ParallelLoop{n, nest.n.extent, share(tilesN) * candidate.tileN};
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
