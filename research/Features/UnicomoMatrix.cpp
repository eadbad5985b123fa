//===- UnicomoMatrix.cpp - Behaviours as three vectors each
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnicomoMatrix.h"

using namespace mlir;
using namespace ucmoh;

namespace {
enum LoopId { Serial, Unroll, Vectorize, Parallel, BlockX, ThreadX = 7 };
enum Operator { Plus = 1, Times = 3 };
} // namespace

/// The memory level of a buffer; a statement that only reads or only writes has registers at its
/// other end.
static unsigned levelOf(const Statement &statement, bool isWrite) {
  for (const Access &access : statement.accesses)
    if (access.isWrite == isWrite)
      return access.buffer == BufferRole::PackedLhs || access.buffer == BufferRole::PackedRhs ||
                     access.buffer == BufferRole::Accumulators
                 ? 2
                 : 1;
  return 3;
}

void UnicomoMatrix::beginRow(UnicomoBehaviour behaviour, const Statement &statement) {
  row = rows++;
  column = 0;
  for (unsigned i = 0; i < unicomoBehaviourCount; ++i)
    push(i == unsigned(behaviour));
  push(statement.kind == Statement::Compute);
  push(levelOf(statement, false));
  push(levelOf(statement, true));
}

void UnicomoMatrix::pushLoop(unsigned id, double extent, unsigned kind) {
  for (double value :
       {double(id), extent, double(kind == Parallel), double(kind), double(kind == Unroll)})
    push(value);
}

static unsigned kindOf(LoopKind kind) {
  switch (kind) {
  case LoopKind::Parallel:
    return Parallel;
  case LoopKind::Block:
    return BlockX;
  case LoopKind::Warp:
    return ThreadX;
  default:
    return Serial;
  }
}

void UnicomoMatrix::pushLoops(ArrayRef<NestLoop> nest) {
  for (const NestLoop &loop : nest)
    if (loop.kind != LoopKind::Guard)
      pushLoop(loop.id + 1, loop.trips, kindOf(loop.kind));
}

/// "loop * stride + loop * stride + …" for each access, reads first.
void UnicomoMatrix::pushAffine(ArrayRef<NestLoop> nest, const Statement &statement) {
  for (bool isWrite : {false, true})
    for (const Access &access : statement.accesses) {
      if (access.isWrite != isWrite)
        continue;
      bool isFirst = true;
      for (auto [i, stride] : llvm::enumerate(access.strides)) {
        if (stride == 0)
          continue;
        if (!isFirst)
          push(Plus);
        isFirst = false;
        for (double value : {double(nest[i].id + 1), double(Times), double(stride)})
          push(value);
      }
    }
}

/// 16 arithmetic counters, all zero of a copy; then each buffer.
void UnicomoMatrix::pushBuffers(ArrayRef<NestLoop> nest, const Statement &statement) {
  column += 16;
  for (const Access &access : statement.accesses) {
    const Buffer &buffer = program[access.buffer];
    double bytes = buffer.elementBits / 8.0, executions = 1, reuse = 1;
    double smallest = 0;
    for (auto [i, loop] : llvm::enumerate(nest)) {
      executions *= loop.trips;
      int64_t stride = access.strides.empty() ? 1 : access.strides[i];
      if (stride == 0)
        reuse *= std::max(1.0, loop.trips);
      else if (smallest == 0 || std::abs(stride) < smallest)
        smallest = std::abs(stride);
    }
    double touched = executions * access.elements * bytes;
    for (double value : {access.elements * bytes, smallest, reuse, touched, touched / reuse})
      push(signedLog(value));
    double inner = access.elements * bytes;
    for (size_t i = nest.size(); i-- > 0;) {
      if (access.strides.empty() || access.strides[i] != 0)
        inner *= nest[i].trips;
      push(signedLog(inner));
    }
    push(signedLog(access.elements));
  }
}

/// Its semantics: a loop nest of its own and the fragments. Last, its implementation.
void UnicomoMatrix::pushIntrinsic() {
  bool isFloat = !intrinsic.acc.isInteger();
  double steps = double(intrinsic.m) * intrinsic.n * intrinsic.k;
  for (unsigned counter = 0; counter < 16; ++counter)
    push(counter == (isFloat ? 0 : 7) ? signedLog(steps) : 0);
  const int64_t extents[] = {intrinsic.m, intrinsic.n, intrinsic.k};
  for (auto [i, extent] : llvm::enumerate(extents))
    pushLoop(i + 1, extent, Serial);
  std::tuple<int64_t, int64_t, unsigned> fragments[] = {
      {intrinsic.m, intrinsic.k, intrinsic.lhs.bits},
      {intrinsic.n, intrinsic.k, intrinsic.rhs.bits},
      {intrinsic.m, intrinsic.n, intrinsic.acc.bits}};
  for (auto [rows, columns, bits] : fragments) {
    double bytes = double(rows) * columns * bits / 8;
    for (double value : {columns * bits / 8.0, 1.0, steps / (double(rows) * columns), bytes, bytes,
                         double(rows), double(columns)})
      push(signedLog(value));
  }
  float *implementation = &values[row * unicomoWidth + unicomoPublishedWidth];
  implementation[0] = signedLog(intrinsic.latencyCycles);
  implementation[1] = signedLog(intrinsic.throughputCycles);
}

void UnicomoMatrix::add(UnicomoBehaviour behaviour, const Statement &statement) {
  if (rows == unicomoRowCount)
    return;
  SmallVector<NestLoop> nest = nestOf(program, statement);
  beginRow(behaviour, statement);
  pushLoops(nest);
  // The unrolled executions around an intrinsic or a register are a loop.
  pushLoop(program.loops.size() + 1, statement.count, Unroll);
  beginRow(behaviour, statement);
  pushAffine(nest, statement);
  beginRow(behaviour, statement);
  if (statement.kind == Statement::Compute)
    pushIntrinsic();
  else
    pushBuffers(nest, statement);
}
