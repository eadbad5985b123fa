//===- Assignment.cpp - What each level of the hierarchy is assigned of each axis
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tuners with assignment features (Bai et al., TPDS 2025, and ATFormer before it) describe a
/// program by how its axes are assigned to compute and memory units, level by level. Their layout
/// is not published in detail. This is one reading of it: a row for each level and axis with the
/// tile the level gets of the axis, the role the axis has there, and the bytes that the level holds
/// of each operand, against what its memory has room for.
///
//===----------------------------------------------------------------------===//

#include "PublishedFeatures.h"
#include "StatementNest.h"

using namespace mlir;
using namespace ucmoh;

namespace {

enum Level { Problem, Thread, CacheBlock, RegisterTile, Instruction, levelCount };
enum Axis { Batch, M, N, K, axisCount };
enum AxisRole { Serial, Shared, Cached, Unrolled, Tensorized, roleCount };

/// Elements of an axis that a level works on at a time.
using Extents = std::array<int64_t, axisCount>;

struct Assignment {
  Assignment(const Workload &workload, const Candidate &candidate);
  std::array<Extents, levelCount> extents;
};

} // namespace

Assignment::Assignment(const Workload &workload, const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  Nest nest = buildNest(workload, candidate.packLhs, candidate.packRhs);
  extents[Problem] = {workload.extent(DimRole::Batch), workload.extent(DimRole::M),
                      workload.extent(DimRole::N), workload.extent(DimRole::K)};
  extents[Thread] = extents[Problem];
  if (std::optional<ParallelLoop> loop = findParallelLoop(nest, candidate)) {
    unsigned batches = nest.batch.size(), rows = nest.outerM.size();
    unsigned m = batches + rows + nest.outerN.size();
    bool isM = loop->variable == m || loop->variable - batches < rows;
    int64_t &shared = extents[Thread][loop->variable < batches ? Batch : isM ? M : N];
    shared = std::max<int64_t>(1, llvm::divideCeil(shared, candidate.threads));
  }
  extents[CacheBlock] = {1, std::min(candidate.cacheM, nest.m.extent),
                         std::min(candidate.cacheN, nest.n.extent),
                         std::min(candidate.cacheK, nest.k.extent)};
  extents[RegisterTile] = {1, candidate.tileM, candidate.tileN, intrinsic.k};
  extents[Instruction] = {1, intrinsic.m, intrinsic.n, intrinsic.k};
}

static AxisRole roleOf(unsigned level, unsigned axis, const Candidate &candidate,
                       const Assignment &assignment) {
  if (level == Instruction)
    return Tensorized;
  if (level == RegisterTile)
    return Unrolled;
  if (level == Thread && assignment.extents[Thread][axis] != assignment.extents[Problem][axis])
    return Shared;
  bool isPacked = (axis != N && candidate.packLhs == Packing::Block) ||
                  (axis != M && candidate.packRhs == Packing::Block);
  return level == CacheBlock && isPacked ? Cached : Serial;
}

/// Bytes of memory closest to a level.
static double capacity(unsigned level, const Intrinsic &intrinsic, const Machine &machine) {
  double registers = intrinsic.registerCount * intrinsic.registerBits / 8.0;
  const double bytes[] = {double(machine.l3Bytes), double(machine.l3Bytes), double(machine.l2Bytes),
                          double(machine.l1Bytes), registers};
  return bytes[level];
}

static void addRow(std::vector<float> &rows, unsigned level, unsigned axis,
                   const Assignment &assignment, const Candidate &candidate,
                   const Machine &machine) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  auto oneHot = [&](unsigned one, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      rows.push_back(i == one);
  };
  oneHot(level, levelCount);
  oneHot(axis, axisCount);
  oneHot(roleOf(level, axis, candidate, assignment), roleCount);
  const Extents &own = assignment.extents[level];
  int64_t above = assignment.extents[level ? level - 1 : 0][axis];
  int64_t trips = llvm::divideCeil(above, own[axis]);
  rows.push_back(signedLog(own[axis]));
  rows.push_back(signedLog(trips));
  rows.push_back(static_cast<float>(double(trips * own[axis] - above) / above)); // padding
  StringRef order = candidate.order.toText();
  size_t dot = order.find('.');
  StringRef part = level == CacheBlock     ? order.take_front(dot)
                   : level == RegisterTile ? order.drop_front(dot + 1)
                                           : "";
  rows.push_back(static_cast<float>(part.find("?mnk"[axis]) + 1)); // npos + 1 is 0
  double bytes[] = {double(own[M]) * own[K] * intrinsic.lhs.bits / 8,
                    double(own[N]) * own[K] * intrinsic.rhs.bits / 8,
                    double(own[M]) * own[N] * intrinsic.acc.bits / 8};
  for (double operand : bytes)
    rows.push_back(signedLog(own[Batch] * operand));
  double held = own[Batch] * (bytes[0] + bytes[1] + bytes[2]);
  rows.push_back(signedLog(held / capacity(level, intrinsic, machine)));
  rows.push_back(signedLog(intrinsic.latencyCycles));
  rows.push_back(signedLog(intrinsic.throughputCycles));
  rows.push_back(static_cast<float>(candidate.packLhs));
  rows.push_back(static_cast<float>(candidate.packRhs));
}

std::vector<float> ucmoh::assignmentRows(const Workload &workload, const Candidate &candidate,
                                         const Machine &machine) {
  Assignment assignment(workload, candidate);
  std::vector<float> rows;
  for (unsigned level = 0; level < levelCount; ++level)
    for (unsigned axis = 0; axis < axisCount; ++axis)
      addRow(rows, level, axis, assignment, candidate, machine);
  return rows;
}

std::vector<std::string> ucmoh::assignmentNames() {
  return {"problem", "thread",  "block",      "tile",     "instruction", "batch",     "m",
          "n",       "k",       "serial",     "shared",   "cached",      "unrolled",  "tensorized",
          "extent",  "trips",   "padding",    "position", "lhs_bytes",   "rhs_bytes", "acc_bytes",
          "fill",    "latency", "throughput", "pack_lhs", "pack_rhs"};
}
