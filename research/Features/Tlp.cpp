//===- Tlp.cpp - The schedule as a sequence of primitives
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// TLP describes a schedule by its primitives: the type one-hot, then all integers as they stand.
/// A candidate is no list of primitives; this is the list that would make its program: fuse dims,
/// split the loops by cache tile, register tile and intrinsic, reorder, cache what is packed,
/// tensorize, unroll, share between threads. The sizes are those of TLP on CPUs.
///
//===----------------------------------------------------------------------===//

#include "PublishedFeatures.h"
#include "StatementNest.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ucmoh;

static constexpr unsigned length = 25, width = 22, typeCount = 11;

namespace {

enum Primitive {
  Fuse,
  Split,
  Reorder,
  CacheRead,
  CacheWrite,
  ComputeAt,
  Tensorize,
  Unroll,
  Vectorize,
  Parallel,
  Pipeline
};

/// Primitives behind the last row, and integers behind the end of one, are cropped.
class Sequence {
public:
  void add(Primitive type, ArrayRef<int64_t> integers) {
    if (used == length)
      return;
    float *row = values.data() + used++ * width;
    row[type] = 1;
    for (auto [i, integer] : llvm::enumerate(integers.take_front(width - typeCount)))
      row[typeCount + i] = static_cast<float>(integer);
  }
  std::vector<float> take() { return std::move(values); }

private:
  std::vector<float> values = std::vector<float>(length * width);
  unsigned used = 0;
};

} // namespace

static void addLoops(Sequence &sequence, const Nest &nest, const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  SmallVector<const Nest::Group *> variables = nest.variables();
  for (auto [number, group] : llvm::enumerate(variables)) {
    SmallVector<int64_t> fused = {static_cast<int64_t>(number)};
    for (unsigned dim : group->dims)
      fused.push_back(nest.dimExtents[dim]);
    if (group->dims.size() > 1)
      sequence.add(Fuse, fused);
  }
  for (auto [number, group] : llvm::enumerate(variables)) {
    SmallVector<int64_t> split = {static_cast<int64_t>(number), group->extent};
    if (group == &nest.m)
      split.append({candidate.cacheM, candidate.tileM, intrinsic.m});
    else if (group == &nest.n)
      split.append({candidate.cacheN, candidate.tileN, intrinsic.n});
    else if (group == &nest.k)
      split.append({candidate.cacheK, intrinsic.k, intrinsic.k});
    sequence.add(Split, split);
  }
  SmallVector<int64_t> order;
  for (char letter : candidate.order.toText())
    order.push_back(StringRef("nmk").find(letter) + 1);
  sequence.add(Reorder, order);
}

static void addCaches(Sequence &sequence, const Nest &nest, const Candidate &candidate) {
  auto number = [](Packing packing) { return static_cast<int64_t>(packing); };
  if (candidate.packLhs != Packing::None) {
    sequence.add(CacheRead, {0, number(candidate.packLhs), candidate.intrinsic->k});
    sequence.add(ComputeAt, {0, static_cast<int64_t>(candidate.order.toText().find('.'))});
  }
  if (candidate.packRhs != Packing::None) {
    sequence.add(CacheRead, {1, number(candidate.packRhs), candidate.intrinsic->kInterleave});
    sequence.add(ComputeAt, {1, static_cast<int64_t>(candidate.order.toText().find('.'))});
  }
  if (candidate.cacheK < nest.k.extent)
    sequence.add(CacheWrite, {2, candidate.cacheM, candidate.cacheN});
}

std::vector<float> ucmoh::tlpRows(const Workload &workload, const Candidate &candidate,
                                  const Machine &) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  Nest nest = buildNest(workload, candidate.packLhs, candidate.packRhs);
  Sequence sequence;
  addLoops(sequence, nest, candidate);
  addCaches(sequence, nest, candidate);
  // The intrinsic's name as a token, which has no order; then what it computes.
  int64_t token = llvm::xxh3_64bits(intrinsic.id()) % 256;
  sequence.add(Tensorize, {token, intrinsic.m, intrinsic.n, intrinsic.k, intrinsic.lhs.kind,
                           intrinsic.lhs.bits, intrinsic.rhs.kind, intrinsic.rhs.bits,
                           intrinsic.acc.kind, intrinsic.acc.bits});
  sequence.add(Unroll, {1, candidate.tileM / intrinsic.m, candidate.tileN / intrinsic.n});
  sequence.add(Vectorize, {intrinsic.n, intrinsic.subgroupSize});
  if (std::optional<ParallelLoop> loop = findParallelLoop(nest, candidate))
    sequence.add(Parallel, {candidate.threads, loop->variable, loop->extent, loop->step});
  if (candidate.pipelineDepth > 1)
    sequence.add(Pipeline, {candidate.pipelineDepth});
  return sequence.take();
}

std::vector<std::string> ucmoh::tlpNames() {
  std::vector<std::string> names = {"fuse",        "split",      "reorder",   "cache_read",
                                    "cache_write", "compute_at", "tensorize", "unroll",
                                    "vectorize",   "parallel",   "pipeline"};
  llvm::append_range(names, numberedNames("integer", width - typeCount));
  return names;
}
