//===- Legality.cpp - What a candidate must fulfil to be compiled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates/Staged.h"
#include "ucmoh/Analysis/ThreadRegisters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
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

static std::string whyTypesDiffer(const Workload &workload, const Intrinsic &intrinsic) {
  if (workload.acc.type != intrinsic.acc)
    return "the intrinsic accumulates in " + intrinsic.acc.name() + ", the op in " +
           workload.acc.type.name();
  if (!isConvertible(workload.lhs.type, intrinsic.lhs) ||
      !isConvertible(workload.rhs.type, intrinsic.rhs))
    return "operands " + workload.lhs.type.name() + " and " + workload.rhs.type.name() +
           " do not convert to the intrinsic's " + intrinsic.lhs.name() + " and " +
           intrinsic.rhs.name();
  return "";
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

static std::string whyInexact(const Workload &workload, const Intrinsic &intrinsic) {
  if (!intrinsic.partialProducts)
    return "";
  ElementRange lhs = rangeIn(workload.lhs, intrinsic.lhs);
  ElementRange rhs = rangeIn(workload.rhs, intrinsic.rhs);
  auto [low, high] =
      std::minmax({lhs.low * rhs.low, lhs.low * rhs.high, lhs.high * rhs.low, lhs.high * rhs.high});
  ElementRange sums = fullRange(intrinsic.partialSum);
  if (low * intrinsic.partialProducts >= sums.low && high * intrinsic.partialProducts <= sums.high)
    return "";
  return llvm::formatv("{0} adds {1} products in {2}, which may not hold them: lhs is known to be "
                       "in [{3}, {4}], rhs in [{5}, {6}]",
                       intrinsic.id(), intrinsic.partialProducts, intrinsic.partialSum.name(),
                       lhs.low, lhs.high, rhs.low, rhs.high);
}

/// Registers that threads of a device keep beside fragments at least: addresses and loop counters
/// (docs/results/devices.md says what was measured). What needs more may spill, which is a feature.
static constexpr int64_t registersBesideFragments = 12;

/// Tiles: of whole fragments, and all of them in registers with the operands of one step.
static std::string whyTilesDoNotFit(const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (candidate.tileM <= 0 || candidate.tileN <= 0 || candidate.unroll <= 0 ||
      candidate.tileM % intrinsic.m || candidate.tileN % intrinsic.n)
    return "the register tile must be a positive multiple of the intrinsic's m and n";
  int64_t needed =
      fragmentRegisters(intrinsic, candidate.tileM / intrinsic.m, candidate.tileN / intrinsic.n);
  if (intrinsic.subgroupSize > 1)
    needed += registersBesideFragments;
  if (needed > intrinsic.registerCount)
    return "the register tile needs " + std::to_string(needed) + " of " +
           std::to_string(intrinsic.registerCount) + " registers";
  return "";
}

static std::string whyBlocksDoNotFit(const Nest &nest, const Candidate &candidate) {
  auto divides = [](int64_t block, int64_t tile, int64_t extent) {
    return block > 0 && (block >= extent || block % tile == 0);
  };
  if (!divides(candidate.cacheM, candidate.tileM, nest.m.extent) ||
      !divides(candidate.cacheN, candidate.tileN, nest.n.extent))
    return "a cache tile must be a multiple of the register tile";
  if (!divides(candidate.cacheK, candidate.intrinsic->k, nest.k.extent))
    return "the cache tile's k must be a multiple of the intrinsic's";
  bool isSplit = candidate.cacheK < nest.k.extent;
  if (isSplit && !nest.outerK.empty())
    return "a reduction with outer loops cannot be blocked";
  return "";
}

/// Whether consecutive values of a group's variable are neighbours in the operand's memory.
static bool isContiguous(const Workload &workload, const Nest::Group &group,
                         const Operand &operand) {
  return group.dims.empty() || coefficient(operand.linearIndex(), group.dims.back()) == 1;
}

static std::string whyPackingIsWrong(const Workload &workload, const Nest &nest,
                                     const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (candidate.packLhs == Packing::Prepacked)
    return "lhs cannot be prepacked";
  if (candidate.packLhs == Packing::None && !isContiguous(workload, nest.k, workload.lhs))
    return "lhs is read in place, but the reduction does not run along its memory";
  if (candidate.packLhs == Packing::Block && !nest.outerK.empty())
    return "lhs is packed, but rhs read in place splits the reduction";
  if (candidate.packRhs == Packing::Prepacked && !workload.rhs.isConstant)
    return "rhs is not a constant or a weight, so it cannot be prepacked";
  if (candidate.packRhs != Packing::None)
    return "";
  if (intrinsic.kInterleave != 1 || intrinsic.k != 1 || workload.rhs.type != intrinsic.rhs)
    return "rhs is read in place, but the intrinsic needs it in another form";
  if (!isContiguous(workload, nest.n, workload.rhs) || nest.n.extent % intrinsic.n)
    return "rhs is read in place, but its columns are not whole fragments in memory";
  return "";
}

std::string ucmoh::whyUnusable(const Workload &workload, const Intrinsic &intrinsic) {
  std::string why = whyTypesDiffer(workload, intrinsic);
  return why.empty() ? whyInexact(workload, intrinsic) : why;
}

std::string ucmoh::explainRejected(const Workload &workload, const Target &target) {
  std::vector<std::string> reasons;
  for (const Intrinsic &intrinsic : target.intrinsics)
    if (whyTypesDiffer(workload, intrinsic).empty())
      if (std::string why = whyInexact(workload, intrinsic); !why.empty())
        reasons.push_back(why);
  return llvm::join(reasons, "; ");
}

std::string ucmoh::whyIllegal(const Workload &workload, const Candidate &candidate,
                              const Target &target) {
  if (std::string why = whyUnusable(workload, *candidate.intrinsic); !why.empty())
    return why;
  if (std::string why = whyTilesDoNotFit(candidate); !why.empty())
    return why;
  if (std::string why = whyStagingIsWrong(workload, candidate); !why.empty())
    return why;
  Nest nest = buildNest(workload, candidate.packLhs, candidate.packRhs);
  if (std::string why = whyBlocksDoNotFit(nest, candidate); !why.empty())
    return why;
  return whyPackingIsWrong(workload, nest, candidate);
}
