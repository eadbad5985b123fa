//===- GridStatements.cpp - What the threads of a grid copy, load and store
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridReader.h"

using namespace mlir;
using namespace ucmoh;

std::optional<int64_t> GridReader::at(const Axis &axis, Value index) {
  if (!axis.id)
    point.thread += axis.advance;
  else
    point.set(axis.id, axis.advance);
  std::optional<int64_t> position = point.evaluate(index);
  if (!axis.id)
    point.thread -= axis.advance;
  else
    point.set(axis.id, 0);
  return position;
}

std::optional<std::vector<int64_t>> GridReader::strides(Value index) {
  std::optional<int64_t> origin = point.evaluate(index);
  std::vector<int64_t> strides;
  for (unsigned id : program.nest(current)) {
    bool moves = program.loops[id].kind != LoopKind::Stage && program.loops[id].trips() > 1;
    std::optional<int64_t> next = moves ? at(axes[id], index) : origin;
    if (!origin || !next)
      return std::nullopt;
    strides.push_back(*next - *origin);
  }
  return strides;
}

/// Copies before the loop over the stages are those that its last turns leave out.
LogicalResult GridReader::addPack(Operation *op, BufferRole role, Value index, int64_t elements) {
  int64_t count = active.value_or(threads);
  if (!inStages) {
    ahead[static_cast<unsigned>(role)] += count;
    return success();
  }
  auto moves = strides(index);
  if (!moves)
    return op->emitError("accesses a position that is no function of blocks and threads");
  bool isLhs = role == BufferRole::PackedLhs;
  Access read{isLhs ? BufferRole::Lhs : BufferRole::Rhs, false, count * elements, {}};
  addStatement(program, straightLine,
               {isLhs ? Statement::PackLhs : Statement::PackRhs,
                current,
                count,
                {read, {role, true, count * elements, *moves}}});
  return success();
}

LogicalResult GridReader::readLoad(LoadOp load) {
  if (load.getRole() == Role::acc)
    return success(); // first values are no part of a program
  IntrinsicOp intrinsic = library.lookup(load.getIntrinsic());
  std::optional<BufferRole> role = buffers.roleOf(load.getMemref());
  if (!intrinsic || !role || load.getIndices().size() != 1)
    return load.emitError("loads by an unknown intrinsic, or not from flat scratch");
  enterWarps();
  bool isLhs = load.getRole() == Role::lhs;
  ArrayRef<int64_t> shape = intrinsic.getShape();
  auto moves = strides(load.getIndices().front());
  if (!moves)
    return load.emitError("accesses a position that is no function of blocks and threads");
  addStatement(program, straightLine,
               {isLhs ? Statement::LoadLhs : Statement::LoadRhs,
                current,
                1,
                {{*role, false, (isLhs ? shape[0] : shape[1]) * shape[2], *moves}}});
  return success();
}

/// Of a lane or thread: its share of what is copied, or of a result.
LogicalResult GridReader::readStore(Operation *op, Value buffer, ValueRange indices,
                                    int64_t elements) {
  std::optional<BufferRole> role = buffers.roleOf(buffer);
  if (!role || *role == BufferRole::Accumulators)
    return success();
  if (indices.size() != 1)
    return op->emitError("accesses a buffer of a program that is not flat");
  if (*role != BufferRole::Result)
    return addPack(op, *role, indices.front(), elements);
  auto moves = strides(indices.front());
  if (!moves)
    return op->emitError("accesses a position that is no function of blocks and threads");
  addStatement(program, straightLine,
               {Statement::Store,
                current,
                fragments,
                {{BufferRole::Result, true, active.value_or(lanes) * elements, *moves}}});
  fragments = 0;
  return success();
}
