//===- Ansor.cpp - Features of each statement that stores
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The groups and sizes of Ansor's per-store features, as TenSet has them: 57 of the computation,
/// 18 for each of the 5 buffers with the most traffic, 10 of the curve of arithmetic intensity, 4
/// of the allocation, 3 of the loops outside. A row is a copy, the sums of a tile or its store.
///
/// Ansor knows scalar loops only, so the loops of the intrinsic are unfolded into them: a compute
/// statement is a multiply-add of scalars in unrolled loops of m, k and the fragments around a
/// vectorized loop of n. The loads into registers are its reads. All but one-hot numbers are
/// logarithms.
///
//===----------------------------------------------------------------------===//

#include "AnsorAccesses.h"
#include "PublishedFeatures.h"

using namespace mlir;
using namespace ucmoh;

static constexpr unsigned bufferLimit = 5, curvePoints = 10;

namespace {

/// Where an annotated loop stands.
enum Position {
  None,
  InnerSpatial,
  MiddleSpatial,
  OuterSpatial,
  InnerReduce,
  MiddleReduce,
  OuterReduce,
  Mixed,
  positionCount
};

/// The loops with one annotation.
struct Annotated {
  unsigned count = 0;
  double length = 0, product = 0; ///< the innermost loop's trips; those of all loops multiplied
  Position position = None;

  void add(double extent, Position at) {
    product = count++ ? product * extent : extent;
    length = extent;
    position = position == None || position == at ? at : Mixed;
  }
};

class AnsorRow {
public:
  AnsorRow(const StoreStatement &store, const Candidate &candidate, const Machine &machine)
      : store(store), candidate(candidate), machine(machine) {}
  void append(std::vector<float> &to) {
    rows = &to;
    pushArithmetic();
    pushAnnotations();
    pushBuffers();
    pushCurve();
    pushAllocation();
    pushOuter();
  }

private:
  void push(double value) { rows->push_back(signedLog(value)); }
  void pushArithmetic();
  void push(const Annotated &annotated);
  void pushAnnotations();
  void pushBuffers();
  void push(const StoreAccess &access);
  void pushCurve();
  void pushAllocation();
  void pushOuter();

  const StoreStatement &store;
  const Candidate &candidate;
  const Machine &machine;
  std::vector<float> *rows = nullptr;
};

} // namespace

/// Counters of floats, of integers, of booleans and of selects.
void AnsorRow::pushArithmetic() {
  enum { FloatMad, IntMad = 7, Select = 15, count };
  double executions = store.executions();
  for (unsigned counter = 0; counter < count; ++counter) {
    bool isMad = counter == (candidate.intrinsic->acc.isInteger() ? IntMad : FloatMad);
    push(isMad               ? executions * store.multiplyAdds
         : counter == Select ? executions * store.selects
                             : 0);
  }
}

void AnsorRow::push(const Annotated &annotated) {
  push(annotated.count);
  push(annotated.product);
  push(annotated.length);
  for (unsigned position = 0; position < positionCount; ++position)
    rows->push_back(annotated.count ? position == annotated.position : position == None);
}

void AnsorRow::pushAnnotations() {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  Annotated vectorized, unrolled, parallel;
  double blocks = 1, warps = 1;
  for (const NestLoop &loop : store.nest) {
    if (loop.kind == LoopKind::Parallel)
      parallel.add(loop.trips, OuterSpatial);
    (loop.kind == LoopKind::Block ? blocks : warps) *=
        loop.kind == LoopKind::Block || loop.kind == LoopKind::Warp ? loop.trips : 1;
  }
  if (store.count > 1)
    unrolled.add(store.count, MiddleSpatial);
  if (store.multiplyAdds > 0) {
    unrolled.add(intrinsic.m, InnerSpatial);
    if (intrinsic.k > 1)
      unrolled.add(intrinsic.k, InnerReduce);
    vectorized.add(intrinsic.n, InnerSpatial);
  } else {
    vectorized.add(store.elements / store.count, InnerSpatial);
  }
  push(vectorized);
  push(unrolled);
  push(parallel);
  bool isGrid = intrinsic.blockThreads > 1;
  // Blocks and threads along x, y and z, and virtual threads: a grid is counted along x.
  const double grid[] = {double(isGrid), isGrid ? blocks : 0, 0, 0, isGrid ? warps : 0, 0, 0, 0};
  for (double value : grid)
    push(value);
}

/// The buffers with the most traffic; zeros for those that there are not.
void AnsorRow::pushBuffers() {
  std::vector<StoreAccess> sorted = store.accesses;
  llvm::sort(sorted, [](const StoreAccess &a, const StoreAccess &b) {
    return std::pair(-a.bytes, a.buffer) < std::pair(-b.bytes, b.buffer);
  });
  sorted.resize(bufferLimit);
  for (const StoreAccess &access : sorted)
    push(access);
}

void AnsorRow::push(const StoreAccess &access) {
  double line = machine.cacheLineBytes, span = std::min(line, std::max(1.0, access.runBytes));
  double lines = access.bytes / line, uniqueLines = access.uniqueBytes / span;
  bool isUsed = access.bytes > 0;
  for (unsigned type = 0; type < 3; ++type) // read, write, both
    rows->push_back(isUsed && type == access.isWritten * (1u + access.isRead));
  push(access.bytes);
  push(access.uniqueBytes);
  push(lines);
  push(uniqueLines);
  for (unsigned type = 0; type < 3; ++type)
    rows->push_back(isUsed && type == static_cast<unsigned>(access.reuse));
  push(access.reuseIterations);
  push(access.reuseBytes);
  push(access.reuseCount);
  for (double value : {access.bytes, access.uniqueBytes, lines, uniqueLines})
    push(value / std::max(1.0, access.reuseCount));
  push(access.stride);
}

/// Operations per byte that is touched, of ever more of the loops; at equal steps of the logarithm
/// of the operations.
void AnsorRow::pushCurve() {
  std::vector<std::pair<double, double>> curve = store.intensities();
  double last = curve.back().first;
  size_t at = 0;
  for (unsigned point = 1; point <= curvePoints; ++point) {
    double operations = last * point / curvePoints;
    while (at + 1 < curve.size() && curve[at].first < operations - 1e-4)
      ++at;
    double value = curve[at].second;
    if (at > 0) {
      auto [before, base] = curve[at - 1];
      double rise = curve[at].first - before, share = (operations - before) / rise;
      value = rise > 0 ? base + (value - base) * std::clamp(share, 0.0, 1.0) : value;
    }
    push(value);
  }
}

void AnsorRow::pushAllocation() {
  push(store.allocatedBytes);
  push(1); // allocated once, outside of all loops
  push(store.executions() * store.elements);
  push(store.allocatedBytes > 0 ? store.executions() * store.elements : 0);
}

void AnsorRow::pushOuter() {
  push(store.executions());
  push(store.nest.size());
  push(1); // automatic unrolling, which no candidate has
}

std::vector<float> ucmoh::ansorRows(const Workload &workload, const Candidate &candidate,
                                    const Machine &machine) {
  std::vector<float> rows;
  for (const StoreStatement &store : storesOf(buildProgram(workload, candidate), candidate))
    AnsorRow(store, candidate, machine).append(rows);
  return rows;
}

std::vector<std::string> ucmoh::ansorNames() {
  std::vector<std::string> names = numberedNames("arithmetic", 16);
  for (StringRef kind : {"vectorized", "unrolled", "parallel"})
    llvm::append_range(names, numberedNames(kind, 3 + positionCount));
  llvm::append_range(names, numberedNames("grid", 8));
  for (unsigned buffer = 0; buffer < bufferLimit; ++buffer)
    llvm::append_range(names, numberedNames(("buffer" + Twine(buffer)).str(), 18));
  llvm::append_range(names, numberedNames("intensity", curvePoints));
  llvm::append_range(names, numberedNames("allocation", 4));
  llvm::append_range(names, numberedNames("outer", 3));
  return names;
}
