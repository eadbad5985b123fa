//===- WindowCandidates.cpp - The legal ways to compute a depthwise convolution
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowCandidates.h"
#include "ucmoh/Analysis/ThreadRegisters.h"
#include "ucmoh/Analysis/WindowNest.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// All orders of blocks: channels innermost, columns innermost, channels outside of all.
static constexpr LoopOrder windowOrders[] = {
    {false, false}, {false, true}, {false, true, /*columnBlocksOutside=*/true}};

/// Whether the intrinsic is an instruction that multiplies vectors lane by lane, where lhs is a
/// vector of its own rather than one element for all lanes. 16-bit integers lie in pairs: one of
/// a pair is zero where elements were extended to the lanes of the sums.
static bool multipliesLanes(const Intrinsic &intrinsic) {
  IntrinsicOp op = intrinsic.op;
  auto isVector = [&](Role role) { return isa<VectorType>(op.getFragmentType(role)); };
  bool fillsLane = intrinsic.k == 1 ||
                   (intrinsic.k == 2 && intrinsic.lhs.isInteger() && intrinsic.lhs.bits == 16);
  return intrinsic.m == 1 && intrinsic.subgroupSize == 1 && !intrinsic.isStaged && fillsLane &&
         intrinsic.lhs == intrinsic.rhs && isVector(Role::lhs) && isVector(Role::rhs) &&
         isVector(Role::acc);
}

LogicalResult ucmoh::verifyLanes(const Intrinsic &intrinsic, Explain explain) {
  if (!multipliesLanes(intrinsic))
    return refuse(explain, "the intrinsic does not multiply lane by lane, as a depthwise "
                           "convolution does");
  return success();
}

/// A whole image and all of its channels: windows are blocked in registers only.
static void setCacheTile(const WindowNest &nest, Candidate &candidate) {
  candidate.cacheM = nest.extents[nest.columns];
  candidate.cacheN =
      candidate.order.columnBlocksOutside ? candidate.tileN : nest.extents[nest.channels];
  candidate.cacheK = 1;
  for (unsigned loop : nest.reduction)
    candidate.cacheK *= nest.extents[loop];
}

LogicalResult ucmoh::verifyWindows(const Workload &workload, const Candidate &candidate,
                                   Explain explain) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  WindowNest nest = WindowNest::get(workload);
  if (candidate.tileM <= 0 || candidate.tileN <= 0 || candidate.tileN % intrinsic.n)
    return refuse(explain, "the register tile must be positive, with whole vectors of channels");
  if (nest.extents[nest.channels] % intrinsic.n)
    return refuse(explain, llvm::Twine(nest.extents[nest.channels]) +
                               " channels are no whole vectors of " + llvm::Twine(intrinsic.n));
  if (candidate.tileM > nest.extents[nest.columns] || candidate.tileN > nest.extents[nest.channels])
    return refuse(explain, "the register tile is larger than the result");
  int64_t needed = fragmentRegisters(intrinsic, candidate.tileM, candidate.tileN / intrinsic.n);
  if (needed > intrinsic.registerCount)
    return refuse(explain, "the register tile needs " + llvm::Twine(needed) + " of " +
                               llvm::Twine(intrinsic.registerCount) + " registers");
  Candidate whole = candidate;
  setCacheTile(nest, whole);
  if (candidate.packLhs != Packing::None || candidate.packRhs != Packing::None ||
      candidate.threads != 1 || candidate.pipelineDepth != 1 ||
      !llvm::is_contained(windowOrders, candidate.order) || candidate.cacheM != whole.cacheM ||
      candidate.cacheN != whole.cacheN || candidate.cacheK != whole.cacheK)
    return refuse(explain, "windows have nothing to choose but the intrinsic, the register tile "
                           "and one of the orders nmk.mn, nmk.nm and nomk.nm: they are not packed, "
                           "and the cache tile is the whole");
  return success();
}

/// As many as fit, fewer that waste less at the end, and small ones.
static SmallVector<int64_t> columnChoices(const Intrinsic &intrinsic, int64_t vectors,
                                          int64_t extent) {
  int64_t most = std::min((intrinsic.registerCount - 1 - vectors) / vectors, extent);
  llvm::SmallSetVector<int64_t, 8> choices;
  for (int64_t limit : {most, most * 2 / 3, most / 2, most / 4}) {
    if (limit <= 0)
      continue;
    choices.insert(limit);
    choices.insert(llvm::divideCeil(extent, llvm::divideCeil(extent, limit))); // equal blocks
  }
  choices.insert(1);
  return choices.takeVector();
}

/// Returns the fastest intrinsic for each number of lanes, because code for all with as many lanes
/// is the same.
static std::vector<const Intrinsic *> findIntrinsics(const Workload &workload,
                                                     const Target &target) {
  std::vector<const Intrinsic *> found;
  for (const Intrinsic &intrinsic : target.intrinsics) {
    if (failed(verifyIntrinsic(workload, intrinsic, /*explain=*/nullptr)))
      continue;
    auto alike =
        llvm::find_if(found, [&](const Intrinsic *other) { return other->n == intrinsic.n; });
    if (alike == found.end())
      found.push_back(&intrinsic);
    else if (intrinsic.throughputCycles < (*alike)->throughputCycles)
      *alike = &intrinsic;
  }
  return found;
}

void ucmoh::addWindowCandidates(const Workload &workload, const Target &target,
                                std::vector<Candidate> &candidates) {
  WindowNest nest = WindowNest::get(workload);
  for (const Intrinsic *intrinsic : findIntrinsics(workload, target))
    for (int64_t vectors : {1, 2, 3, 4})
      for (int64_t columns : columnChoices(*intrinsic, vectors, nest.extents[nest.columns]))
        for (const LoopOrder &order : windowOrders) {
          Candidate candidate;
          candidate.intrinsic = intrinsic;
          candidate.tileM = columns;
          candidate.tileN = vectors * intrinsic->n;
          candidate.order = order;
          setCacheTile(nest, candidate);
          if (succeeded(verifyWindows(workload, candidate, /*explain=*/nullptr)))
            candidates.push_back(candidate);
        }
}
