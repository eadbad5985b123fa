//===- Notes.cpp - A program as it is noted, loop by loop
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Notes.h"

using namespace mlir;
using namespace ucmoh;

void ProgramNotes::enterWarps(int64_t warps) {
  if (!current || program.loops[*current].kind != LoopKind::Warp)
    open({LoopKind::Warp, warps, 1, current, std::nullopt});
}

std::vector<int64_t> ProgramNotes::stridesOf(const Position &position) const {
  SmallVector<unsigned> nest = program.nest(current);
  std::vector<int64_t> strides;
  for (unsigned id : nest)
    strides.push_back(position.step(program.loops[id].kind == LoopKind::Warp ? 0 : id + 1));
  for (auto [at, id] : llvm::enumerate(nest)) {
    if (program.loops[id].trips() <= 1)
      strides[at] = 0;
    if (program.loops[id].kind != LoopKind::Guard)
      continue;
    for (std::optional<unsigned> refined = id; refined; refined = program.loops[*refined].refines)
      strides[llvm::find(nest, *refined) - nest.begin()] = 0;
  }
  return strides;
}

/// What follows the stores of a tile belongs to another one.
void ProgramNotes::beginStatement(Statement::Kind kind) {
  if (afterStore && kind != Statement::Store)
    straightLine = program.statements.size();
  afterStore = kind == Statement::Store;
}

/// Most statements repeat the last one of their kind: they need no strides of their own.
bool ProgramNotes::joinLast(Statement::Kind kind, int64_t count, ArrayRef<NotedAccess> accesses) {
  beginStatement(kind);
  const Last &known = last[kind];
  if (known.statement < straightLine || known.statement >= program.statements.size())
    return false;
  Statement &statement = program.statements[known.statement];
  if (accesses.size() > 1 || statement.loop != current ||
      statement.accesses.size() != accesses.size())
    return false;
  if (!accesses.empty() && (statement.accesses.front().buffer != accesses.front().buffer ||
                            known.steps != accesses.front().at.steps))
    return false;
  statement.count += count;
  if (!accesses.empty())
    extend(known.statement, 0, accesses.front());
  return true;
}

/// Adds what is accessed as well to what a statement accesses.
void ProgramNotes::extend(size_t statement, size_t at, const NotedAccess &by) {
  Access &access = program.statements[statement].accesses[at];
  int64_t &first = firsts[statement][at], begin = by.at.first + by.offset;
  int64_t end = std::max(first + access.span, begin + std::max(by.span, by.run));
  first = std::min(first, begin);
  access.span = end - first;
  access.elements += by.elements;
}

Statement &ProgramNotes::join(Statement::Kind kind, int64_t count, ArrayRef<NotedAccess> accesses,
                              bool byStrides) {
  beginStatement(kind);
  Statement statement{kind, current, count, {}};
  for (const NotedAccess &access : accesses)
    statement.accesses.push_back({access.buffer, access.isWrite, access.elements, access.run,
                                  std::max(access.span, access.run), access.divides,
                                  stridesOf(access.at)});
  auto isAlike = [&](const Statement &other) {
    return other.kind == kind && other.loop == current &&
           llvm::equal(other.accesses, statement.accesses, [&](const Access &a, const Access &b) {
             return a.buffer == b.buffer && (!byStrides || a.strides == b.strides);
           });
  };
  size_t found =
      std::find_if(program.statements.begin() + straightLine, program.statements.end(), isAlike) -
      program.statements.begin();
  last[kind] = {found, {}};
  if (!accesses.empty())
    last[kind].steps = accesses.front().at.steps;
  if (found == program.statements.size()) {
    program.statements.push_back(std::move(statement));
    firsts.push_back(llvm::map_to_vector<2>(
        accesses, [](const NotedAccess &access) { return access.at.first + access.offset; }));
    return program.statements.back();
  }
  program.statements[found].count += count;
  for (size_t i = 0; i < accesses.size(); ++i)
    if (byStrides)
      extend(found, i, accesses[i]);
    else
      program.statements[found].accesses[i].elements += accesses[i].elements;
  return program.statements[found];
}
