//===- Unicomo.cpp - A program as behaviours of three vectors each
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// UniCoMo writes a program as load, compute and store behaviours, and each of them as a vector of
/// its loop nest, one of its index expressions and one of its buffers or its intrinsic. All rows
/// begin with the kind of behaviour, whether it is an intrinsic, and the memory levels (1 memory,
/// 2 scratch, 3 registers). Loop extents are raw, other sizes are logarithms, as in the paper.
///
/// Here a behaviour is all statements of one kind, of which the one that runs most often is
/// described; further computes (tiles of remainders) are the epilogue. What is packed ahead of a
/// call is no behaviour, so none is a preprocess. An intrinsic's implementation has no numbers in
/// the paper: intrinsics of the same semantics are the same in the first 179 columns. Two more have
/// what was measured of it, for a model that repairs that.
///
//===----------------------------------------------------------------------===//

#include "StatementNest.h"
#include "ucmoh/Analysis/PublishedFeatures.h"

using namespace mlir;
using namespace ucmoh;

static constexpr unsigned width = 179, more = 2, rowCount = 27;

namespace {

enum Behaviour { Preprocess, Load, Compute, Store, Epilogue, behaviourCount };
enum LoopId { Serial, Unroll, Vectorize, Parallel, BlockX, ThreadX = 7 };
enum Operator { Plus = 1, Times = 3 };

class Matrix {
public:
  Matrix(const Program &program, const Candidate &candidate)
      : program(program), candidate(candidate), intrinsic(*candidate.intrinsic) {}
  void add(Behaviour behaviour, const Statement &statement);
  std::vector<float> take() { return std::move(values); }

private:
  void beginRow(Behaviour behaviour, const Statement &statement);
  void push(double value) {
    if (column < width)
      values[row * (width + more) + column++] = static_cast<float>(value);
  }
  void pushLoop(unsigned id, double extent, unsigned kind);
  void pushLoops(ArrayRef<NestLoop> nest);
  void pushAffine(ArrayRef<NestLoop> nest, const Statement &statement);
  void pushBuffers(ArrayRef<NestLoop> nest, const Statement &statement);
  void pushIntrinsic();

  const Program &program;
  const Candidate &candidate;
  const Intrinsic &intrinsic;
  std::vector<float> values = std::vector<float>(rowCount * (width + more));
  unsigned rows = 0, row = 0, column = 0;
};

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

void Matrix::beginRow(Behaviour behaviour, const Statement &statement) {
  row = rows++;
  column = 0;
  for (unsigned i = 0; i < behaviourCount; ++i)
    push(i == behaviour);
  push(statement.kind == Statement::Compute);
  push(levelOf(statement, false));
  push(levelOf(statement, true));
}

void Matrix::pushLoop(unsigned id, double extent, unsigned kind) {
  for (double value : {double(id), extent, double(kind == Parallel), double(kind),
                       double(kind == Unroll ? candidate.unroll : 0)})
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

void Matrix::pushLoops(ArrayRef<NestLoop> nest) {
  for (const NestLoop &loop : nest)
    if (loop.kind != LoopKind::Guard)
      pushLoop(loop.id + 1, loop.trips, kindOf(loop.kind));
}

/// "loop * stride + loop * stride + …" for each access, reads first.
void Matrix::pushAffine(ArrayRef<NestLoop> nest, const Statement &statement) {
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
void Matrix::pushBuffers(ArrayRef<NestLoop> nest, const Statement &statement) {
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
void Matrix::pushIntrinsic() {
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
  float *implementation = &values[row * (width + more) + width];
  implementation[0] = signedLog(intrinsic.latencyCycles);
  implementation[1] = signedLog(intrinsic.throughputCycles);
}

void Matrix::add(Behaviour behaviour, const Statement &statement) {
  if (rows == rowCount)
    return;
  SmallVector<NestLoop> nest = nestOf(program, statement);
  beginRow(behaviour, statement);
  pushLoops(nest);
  // What is unrolled around an intrinsic or a register.
  pushLoop(program.loops.size() + 1, statement.count, Unroll);
  beginRow(behaviour, statement);
  pushAffine(nest, statement);
  beginRow(behaviour, statement);
  if (statement.kind == Statement::Compute)
    pushIntrinsic();
  else
    pushBuffers(nest, statement);
}

std::vector<float> ucmoh::unicomoRows(const Workload &workload, const Candidate &candidate,
                                      const Machine &) {
  Program program = buildProgram(workload, candidate);
  auto runs = [&](const Statement &statement) {
    return program.executions(statement.loop) * statement.count;
  };
  std::array<const Statement *, Statement::Store + 1> most = {};
  const Statement *second = nullptr;
  for (const Statement &statement : program.statements) {
    const Statement *&known = most[statement.kind];
    bool isMore = !known || runs(statement) > runs(*known);
    const Statement *other = isMore ? known : &statement;
    if (isMore)
      known = &statement;
    if (statement.kind == Statement::Compute && other && (!second || runs(*other) > runs(*second)))
      second = other;
  }
  Matrix matrix(program, candidate);
  for (const Statement *statement : most)
    if (statement)
      matrix.add(statement->kind == Statement::Compute ? Compute
                 : statement->kind == Statement::Store ? Store
                                                       : Load,
                 *statement);
  if (second)
    matrix.add(Epilogue, *second);
  return matrix.take();
}

std::vector<std::string> ucmoh::unicomoNames() {
  std::vector<std::string> names = {"preprocess", "load",         "compute",      "store",
                                    "epilogue",   "is_intrinsic", "source_level", "target_level"};
  llvm::append_range(names, numberedNames("value", width - names.size()));
  llvm::append_range(names, std::initializer_list<std::string>{"latency", "throughput"});
  return names;
}
