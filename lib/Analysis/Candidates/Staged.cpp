//===- Staged.cpp - Candidates of intrinsics whose operands are staged through shared memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staged.h"
#include "ucmoh/Analysis/SharedLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// Blocks along the second and third axis of a grid (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
static constexpr int64_t largestGrid = 65535;

static std::string whyBlockIsWrong(const Workload &workload, const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  SharedLayout shared(workload, candidate);
  if (shared.threads() > intrinsic.blockThreads)
    return "the block needs " + std::to_string(shared.threads()) + " threads, the target has " +
           std::to_string(intrinsic.blockThreads);
  if (shared.bytes() > intrinsic.sharedMemoryBytes)
    return "the block needs " + std::to_string(shared.bytes()) +
           " bytes of shared memory, the target has " + std::to_string(intrinsic.sharedMemoryBytes);
  int64_t outer = 1;
  Nest nest = buildNest(workload, candidate.packLhs, candidate.packRhs);
  for (const auto *list : {&nest.batch, &nest.outerM, &nest.outerN})
    for (const Nest::Group &group : *list)
      outer *= group.extent;
  if (outer > largestGrid || llvm::divideCeil(nest.m.extent, candidate.cacheM) > largestGrid ||
      llvm::divideCeil(nest.n.extent, candidate.cacheN) > largestGrid)
    return "the grid has more than " + std::to_string(largestGrid) + " blocks along one axis";
  return "";
}

std::string ucmoh::whyStagingIsWrong(const Workload &workload, const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (!intrinsic.isStaged)
    return candidate.pipelineDepth == 1
               ? ""
               : "the intrinsic does not read shared memory, so 'pipeline_depth' must be 1";
  if (candidate.packLhs != Packing::Block || candidate.packRhs == Packing::None)
    return "the intrinsic reads shared memory, so 'pack_lhs' must be block and 'pack_rhs' block or "
           "prepacked";
  if (candidate.threads != 1 || candidate.unroll != 1)
    return "blocks of threads share the work: 'threads' and 'unroll' must be 1";
  if (candidate.cacheM <= 0 || candidate.cacheN <= 0 || candidate.cacheK <= 0 ||
      candidate.cacheM % candidate.tileM || candidate.cacheN % candidate.tileN ||
      candidate.cacheK % intrinsic.k)
    return "the cache tile must be a multiple of the register tile and of the intrinsic's k";
  return whyBlockIsWrong(workload, candidate);
}

/// Powers of two times `unit`, up to `most` elements and not beyond what covers `extent`.
static SmallVector<int64_t> multiples(int64_t unit, int64_t least, int64_t most, int64_t extent) {
  SmallVector<int64_t> values;
  for (int64_t value = unit; value <= most; value *= 2) {
    if (value >= least)
      values.push_back(value);
    if (value >= extent)
      break;
  }
  if (values.empty())
    values.push_back(unit);
  return values;
}

/// The pipeline depths and cache tiles of the reduction of one block of warps.
static void addPipelines(Candidate candidate, const Workload &workload, const Target &target,
                         std::vector<Candidate> &candidates) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  int64_t most = 128 * 8 / intrinsic.lhs.bits; // rows of 128 bytes
  for (int64_t k : multiples(intrinsic.k, 0, most, workload.extent(DimRole::K)))
    for (int64_t depth : {1, 2, 3, 4}) {
      candidate.cacheK = k;
      candidate.pipelineDepth = depth;
      if (depth > 1 && k * (depth - 1) >= workload.extent(DimRole::K))
        break;
      if (whyIllegal(workload, candidate, target).empty())
        candidates.push_back(candidate);
    }
}

void ucmoh::addStagedCandidates(const Workload &workload, const Intrinsic &intrinsic,
                                const Target &target, std::vector<Candidate> &candidates) {
  SmallVector<Packing> packings = {Packing::Block};
  if (workload.rhs.isConstant)
    packings.insert(packings.begin(), Packing::Prepacked);
  constexpr std::pair<int64_t, int64_t> warpGrids[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2},
                                                       {1, 4}, {2, 4}, {4, 2}};
  for (Packing packRhs : packings) {
    Nest nest = buildNest(workload, Packing::Block, packRhs);
    for (int64_t rows : multiples(intrinsic.m, 16, 64, nest.m.extent))
      for (int64_t columns : multiples(intrinsic.n, 16, 64, nest.n.extent))
        for (auto [warpsM, warpsN] : warpGrids) {
          // Warps that have nothing to do are no use.
          if (rows * (warpsM - 1) >= nest.m.extent || columns * (warpsN - 1) >= nest.n.extent)
            continue;
          Candidate candidate;
          candidate.intrinsic = &intrinsic;
          candidate.tileM = rows;
          candidate.tileN = columns;
          candidate.cacheM = rows * warpsM;
          candidate.cacheN = columns * warpsN;
          candidate.order = {/*rowBlocksOutside=*/false, /*rowTilesInside=*/true};
          candidate.packLhs = Packing::Block;
          candidate.packRhs = packRhs;
          addPipelines(candidate, workload, target, candidates);
        }
  }
}
