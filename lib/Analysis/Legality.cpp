//===- Legality.cpp - What a candidate must fulfil to be compiled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows/WindowCandidates.h"
#include "ucmoh/Analysis/SharedLayout.h"
#include "ucmoh/Analysis/ThreadRegisters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

int64_t ucmoh::signShift(ElementType have, ElementType want) {
  if (have == want || have.bits != want.bits || !have.isInteger())
    return 0;
  return want.kind == ElementType::UnsignedInt ? 128 : -128;
}

bool ucmoh::isShifted(const Operand &operand, ElementType want) {
  return operand.zeroPoint || operand.zeroOffset + signShift(operand.type, want) != 0;
}

bool ucmoh::isConvertible(ElementType have, ElementType want) {
  if (have == want)
    return true;
  if (have.isInteger() != want.isInteger())
    return false;
  if (have.bits == want.bits)
    return have.isInteger() && have.bits == 8;
  // A signed type holds all values of a narrower one of either sign.
  return have.bits < want.bits && want.kind != ElementType::UnsignedInt;
}

LogicalResult ucmoh::refuse(Explain explain, const llvm::Twine &why) {
  if (explain)
    explain(why);
  return failure();
}

static LogicalResult verifyTypes(const Workload &workload, const Intrinsic &intrinsic,
                                 Explain explain) {
  if (workload.acc.type != intrinsic.acc)
    return refuse(explain, "the intrinsic accumulates in " + intrinsic.acc.name() + ", the op in " +
                               workload.acc.type.name());
  if (!isConvertible(workload.lhs.type, intrinsic.lhs) ||
      !isConvertible(workload.rhs.type, intrinsic.rhs))
    return refuse(explain, "operands " + workload.lhs.type.name() + " and " +
                               workload.rhs.type.name() + " do not convert to the intrinsic's " +
                               intrinsic.lhs.name() + " and " + intrinsic.rhs.name());
  return success();
}

/// Bounds of what enters the intrinsic: the operand's elements, converted, and the zeros that fill
/// up fragments.
static ElementRange rangeIn(const Operand &operand, ElementType want) {
  ElementRange range = operand.range.value_or(fullRange(operand.type));
  int64_t shift = operand.type.bits != want.bits || operand.type == want ? 0
                  : want.kind == ElementType::UnsignedInt ? int64_t(1) << (want.bits - 1)
                                                          : -(int64_t(1) << (want.bits - 1));
  return {std::min<int64_t>(range.low + shift, 0), std::max<int64_t>(range.high + shift, 0)};
}

static LogicalResult verifySums(const Workload &workload, const Intrinsic &intrinsic,
                                Explain explain) {
  if (!intrinsic.partialProducts)
    return success();
  ElementRange lhs = rangeIn(workload.lhs, intrinsic.lhs);
  ElementRange rhs = rangeIn(workload.rhs, intrinsic.rhs);
  auto [low, high] =
      std::minmax({lhs.low * rhs.low, lhs.low * rhs.high, lhs.high * rhs.low, lhs.high * rhs.high});
  ElementRange sums = fullRange(intrinsic.partialSum);
  if (low * intrinsic.partialProducts >= sums.low && high * intrinsic.partialProducts <= sums.high)
    return success();
  return refuse(explain,
                llvm::formatv("{0} adds {1} products in {2}, which may not hold them: lhs is known "
                              "to be in [{3}, {4}], rhs in [{5}, {6}]",
                              intrinsic.id(), intrinsic.partialProducts,
                              intrinsic.partialSum.name(), lhs.low, lhs.high, rhs.low, rhs.high));
}

/// Registers that threads of a device keep beside fragments at least: addresses and loop counters
/// (docs/results/devices.md says what was measured). What needs more may spill, which is a feature.
static constexpr int64_t registersBesideFragments = 12;

/// A register tile has whole fragments, and all of them fit in registers with the operands of one
/// step.
static LogicalResult verifyTile(const Candidate &candidate, Explain explain) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (candidate.tileM <= 0 || candidate.tileN <= 0 || candidate.tileM % intrinsic.m ||
      candidate.tileN % intrinsic.n)
    return refuse(explain,
                  "the register tile must be a positive multiple of the intrinsic's m and n");
  int64_t needed =
      fragmentRegisters(intrinsic, candidate.tileM / intrinsic.m, candidate.tileN / intrinsic.n);
  if (intrinsic.subgroupSize > 1)
    needed += registersBesideFragments;
  if (needed > intrinsic.registerCount)
    return refuse(explain, "the register tile needs " + llvm::Twine(needed) + " of " +
                               llvm::Twine(intrinsic.registerCount) + " registers");
  return success();
}

/// Blocks along the second and third axis of a grid: CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability".
static constexpr int64_t largestGrid = 65535;

static LogicalResult verifyGrid(const Workload &workload, const Nest &nest,
                                const Candidate &candidate, Explain explain) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  SharedLayout shared(workload, candidate);
  if (shared.threads() > intrinsic.blockThreads)
    return refuse(explain, "the block needs " + llvm::Twine(shared.threads()) +
                               " threads, the target has " + llvm::Twine(intrinsic.blockThreads));
  if (shared.bytes() > intrinsic.sharedMemoryBytes)
    return refuse(explain, "the block needs " + llvm::Twine(shared.bytes()) +
                               " bytes of shared memory, the target has " +
                               llvm::Twine(intrinsic.sharedMemoryBytes));
  int64_t outer = 1;
  for (const auto *list : {&nest.batch, &nest.outerM, &nest.outerN})
    for (const Nest::Group &group : *list)
      outer *= group.extent;
  if (outer > largestGrid || llvm::divideCeil(nest.m.extent, candidate.cacheM) > largestGrid ||
      llvm::divideCeil(nest.n.extent, candidate.cacheN) > largestGrid)
    return refuse(explain,
                  "the grid has more than " + llvm::Twine(largestGrid) + " blocks along one axis");
  return success();
}

/// Verifies what candidates of intrinsics that read shared memory must have, and what all others
/// must not have.
static LogicalResult verifyStaging(const Workload &workload, const Nest &nest,
                                   const Candidate &candidate, Explain explain) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (!intrinsic.isStaged && candidate.pipelineDepth == 1)
    return success();
  if (!intrinsic.isStaged)
    return refuse(explain,
                  "the intrinsic does not read shared memory, so 'pipeline_depth' must be 1");
  if (candidate.packLhs != Packing::Block || candidate.packRhs == Packing::None)
    return refuse(explain, "the intrinsic reads shared memory, so 'pack_lhs' must be block and "
                           "'pack_rhs' block or prepacked");
  if (candidate.threads != 1)
    return refuse(explain, "blocks of threads share the work: 'threads' must be 1");
  if (candidate.cacheM <= 0 || candidate.cacheN <= 0 || candidate.cacheK <= 0 ||
      candidate.cacheM % candidate.tileM || candidate.cacheN % candidate.tileN ||
      candidate.cacheK % intrinsic.k)
    return refuse(explain, "the cache tile must be a multiple of the register tile and of the "
                           "intrinsic's k");
  return verifyGrid(workload, nest, candidate, explain);
}

static LogicalResult verifyBlocks(const Nest &nest, const Candidate &candidate, Explain explain) {
  auto divides = [](int64_t block, int64_t tile, int64_t extent) {
    return block > 0 && (block >= extent || block % tile == 0);
  };
  if (!divides(candidate.cacheM, candidate.tileM, nest.m.extent) ||
      !divides(candidate.cacheN, candidate.tileN, nest.n.extent))
    return refuse(explain, "a cache tile must be a multiple of the register tile");
  if (!divides(candidate.cacheK, candidate.intrinsic->k, nest.k.extent))
    return refuse(explain, "the cache tile's k must be a multiple of the intrinsic's");
  if (candidate.order.columnBlocksOutside &&
      (candidate.intrinsic->isStaged || nest.outerM.empty() || !nest.outerN.empty()))
    return refuse(explain, "an order with 'o' is for loops over rows that no tile crosses, without "
                           "such loops over columns and without a grid of blocks of threads");
  bool isSplit = candidate.cacheK < nest.k.extent;
  if (isSplit && !nest.outerK.empty())
    return refuse(explain, "a reduction with outer loops cannot be blocked");
  return success();
}

/// Whether consecutive values of a group's variable are neighbours in the operand's memory.
static bool isContiguous(const Workload &workload, const Nest::Group &group,
                         const Operand &operand) {
  return group.dims.empty() || coefficient(operand.linearIndex(), group.dims.back()) == 1;
}

static LogicalResult verifyLhsPacking(const Workload &workload, const Nest &nest,
                                      const Candidate &candidate, Explain explain) {
  if (candidate.packLhs == Packing::Prepacked)
    return refuse(explain, "lhs cannot be prepacked");
  if (candidate.packLhs == Packing::None && !isContiguous(workload, nest.k, workload.lhs))
    return refuse(explain, "lhs is read in place, but the reduction does not run along its memory");
  if (candidate.packLhs == Packing::Block && !nest.outerK.empty())
    return refuse(explain, "lhs is packed, but rhs read in place splits the reduction");
  return success();
}

/// Whether packed bf16 becomes the f32 that the intrinsic takes, block by block: the upper half of
/// it, with any instructions. To widen f16 takes some that not all targets have.
static bool canWiden(const Workload &workload, const Nest &nest, const Intrinsic &intrinsic) {
  const ElementType half{ElementType::BFloat, 16}, single{ElementType::Float, 32};
  return workload.rhs.type == half && intrinsic.rhs == single && intrinsic.k == 1 &&
         !intrinsic.isStaged && nest.outerK.empty() && !workload.isConvolution &&
         !workload.isDepthwise;
}

static LogicalResult verifyRhsPacking(const Workload &workload, const Nest &nest,
                                      const Candidate &candidate, Explain explain) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (isPackedAhead(candidate.packRhs) && !workload.rhs.isConstant)
    return refuse(explain, "rhs is not a constant or a weight, so it cannot be prepacked");
  if (candidate.packRhs == Packing::Widened && !canWiden(workload, nest, intrinsic))
    return refuse(explain, "rhs is widened, but it is not bf16 that the intrinsic takes as f32, or "
                           "the op is no product with one reduction");
  if (candidate.packRhs != Packing::None)
    return success();
  if (intrinsic.kInterleave != 1 || intrinsic.k != 1 || workload.rhs.type != intrinsic.rhs)
    return refuse(explain, "rhs is read in place, but the intrinsic needs it in another form");
  if (!isContiguous(workload, nest.n, workload.rhs) || nest.n.extent % intrinsic.n)
    return refuse(explain,
                  "rhs is read in place, but its columns are not whole fragments in memory");
  return success();
}

LogicalResult ucmoh::verifyIntrinsic(const Workload &workload, const Intrinsic &intrinsic,
                                     Explain explain) {
  if (workload.isDepthwise && failed(verifyLanes(intrinsic, explain)))
    return failure();
  return success(succeeded(verifyTypes(workload, intrinsic, explain)) &&
                 (workload.isDepthwise || succeeded(verifySums(workload, intrinsic, explain))));
}

std::string ucmoh::explainRejected(const Workload &workload, const Target &target) {
  std::vector<std::string> reasons;
  auto note = [&](const llvm::Twine &why) { reasons.push_back(why.str()); };
  for (const Intrinsic &intrinsic : target.intrinsics)
    if (!workload.isDepthwise && succeeded(verifyTypes(workload, intrinsic, /*explain=*/nullptr)))
      (void)verifySums(workload, intrinsic, note);
  return llvm::join(reasons, "; ");
}

LogicalResult ucmoh::verifySchedule(const Workload &workload, const Nest &nest,
                                    const Candidate &candidate, Explain explain) {
  return success(succeeded(verifyTile(candidate, explain)) &&
                 succeeded(verifyStaging(workload, nest, candidate, explain)) &&
                 succeeded(verifyBlocks(nest, candidate, explain)) &&
                 succeeded(verifyLhsPacking(workload, nest, candidate, explain)) &&
                 succeeded(verifyRhsPacking(workload, nest, candidate, explain)));
}

LogicalResult ucmoh::verifyCandidate(const Workload &workload, const Candidate &candidate,
                                     Explain explain) {
  if (failed(verifyIntrinsic(workload, *candidate.intrinsic, explain)))
    return failure();
  if (workload.isDepthwise)
    return verifyWindows(workload, candidate, explain);
  Nest nest = buildNest(workload, candidate.packLhs, candidate.packRhs);
  return verifySchedule(workload, nest, candidate, explain);
}
