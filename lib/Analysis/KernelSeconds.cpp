//===- KernelSeconds.cpp - From a program's time to its kernel's in a network
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSeconds.h"
#include "ucmoh/Analysis/Border.h"
#include "ucmoh/Analysis/KernelShape.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

KernelSeconds::KernelSeconds(const Workload &workload, const Machine &machine)
    : workload(workload), machine(machine),
      isPadded(!workload.isDepthwise && !describePadding(workload).empty()) {}

double KernelSeconds::operator()(const Candidate &candidate, const ProgramFeatures &program,
                                 double seconds) const {
  if (isPadded)
    seconds *= shareOfProgram(candidate, program);
  const Intrinsic &intrinsic = *candidate.intrinsic;
  if (!workload.rhs.isWeight || workload.isDepthwise || intrinsic.isStaged)
    return seconds;
  KernelShape shape(workload, candidate, mayRepeatRows(workload, intrinsic));
  if (candidate.packRhs == Packing::Widened)
    seconds += secondsOfWidening(shape);
  seconds += secondsOfWaiting(shape) + secondsOfRereading(shape, seconds);
  // Both overlap, but neither begins before the other, nor ends with it.
  return std::hypot(seconds, secondsOfArrival(shape));
}

/// What of a program's time goes into the steps of its tiles, by the roofline.
static double shareOfSteps(const ProgramFeatures &program) {
  SmallVector<double, 16> seconds(program.size());
  analyticSeconds(program, seconds);
  double steps = 0;
  for (auto [row, own] : llvm::zip_equal(program, seconds))
    steps += row[Feature::isCompute] ? own : 0;
  return steps / llvm::sum_of(seconds);
}

/// Padding that a kernel leaves out is no part of features, nor of the kernels that models learned
/// from.
double KernelSeconds::shareOfProgram(const Candidate &candidate,
                                     const ProgramFeatures &program) const {
  if (candidate.packLhs != Packing::None)
    return 1;
  Nest nest = buildNest(workload, candidate.packLhs, candidate.packRhs);
  SmallVector<Border> borders = findBorders(workload, nest, candidate);
  if (std::optional<Border> sides = findSides(workload, nest, candidate))
    borders.push_back(*sides);
  return 1 - (1 - shareLeft(borders, workload)) * shareOfSteps(program);
}

/// How many of the tiles that read a panel compute while memory brings it: those that share the
/// part before, where parts are fetched ahead, else the first one.
static double shareOfFirstReaders(const KernelShape &shape) {
  int64_t readers = shape.tilesOfRows();
  for (const Nest::Group &group : shape.nest.outerM)
    readers *= group.extent;
  int64_t first = shape.prefetch ? shape.prefetch->readers : 1;
  return std::min(1.0, double(first) / double(readers));
}

/// How much of the weights nothing fetches ahead: the part that all tiles begin with.
static double shareOfFirstPart(const KernelShape &shape) {
  if (!shape.prefetch)
    return 0;
  const Candidate &candidate = shape.candidate;
  int64_t columns = shape.layout.partExtent('n');
  double steps = shape.prefetch->byPanel
                     ? double(std::min(candidate.cacheK, shape.nest.k.extent)) / shape.nest.k.extent
                     : 1;
  double part = double(shape.prefetch->panels * candidate.tileN) / columns * steps;
  return std::min(part, 1.0);
}

/// How often a kernel reads its weights.
static int64_t passesOverWeights(const KernelShape &shape) {
  const Candidate &candidate = shape.candidate;
  return candidate.order.rowBlocksOutside
             ? llvm::divideCeil(shape.layout.partExtent('m'), candidate.cacheM)
             : 1;
}

/// The type in which weights lie in memory.
static const ElementType &typeInMemory(const KernelShape &shape) {
  return isCopied(shape.candidate.packRhs) ? shape.workload.rhs.type : shape.intrinsic.rhs;
}

/// As the kernel reads them from memory.
static double bytesOfWeights(const KernelShape &shape) {
  const Operand &rhs = shape.workload.rhs;
  return isPackedAhead(shape.candidate.packRhs)
             ? shape.layout.rhsPrepackedElements() * typeInMemory(shape).bits / 8.
             : rhs.elements() * rhs.type.bits / 8.;
}

/// What one core reads from memory in a second, in so many places side by side: two bring as much
/// more than one as four more than two.
static double bandwidthOfCore(const Machine &machine, int64_t streams) {
  double one = machine.memoryBytesPerSecond, four = machine.memoryStreamsBytesPerSecond;
  return four == 0 || streams == 1 ? one : streams == 2 ? std::sqrt(one * four) : four;
}

/// What all threads together read from memory in a second.
double KernelSeconds::bandwidth(const KernelShape &shape) const {
  const Candidate &candidate = shape.candidate;
  int64_t streams = candidate.packRhs == Packing::Prepacked
                        ? shape.tile(candidate.tileM, candidate.tileN, candidate.cacheK).streams
                        : 1;
  return std::min(candidate.threads * bandwidthOfCore(machine, streams),
                  machine.totalMemoryBytesPerSecond);
}

/// The layers before have pushed the weights out of all caches: a kernel of few rows takes what
/// these take to arrive.
double KernelSeconds::secondsOfArrival(const KernelShape &shape) const {
  return bytesOfWeights(shape) / bandwidth(shape);
}

/// Tiles compute while weights arrive, but those that come later wait. Weights larger than the last
/// cache were in none when models learned. Those of half its size are gone before another pass
/// reads them again, which models have seen too seldom to know.
double KernelSeconds::secondsOfWaiting(const KernelShape &shape) const {
  if (!isPackedAhead(shape.candidate.packRhs))
    return 0;
  double bytes = bytesOfWeights(shape);
  double waited = 0;
  if (bytes <= machine.l3Bytes)
    waited =
        1 - shareOfFirstReaders(shape) + shareOfFirstPart(shape) * (1 - 1. / shape.tilesOfRows());
  if (2 * bytes > machine.l3Bytes)
    waited += passesOverWeights(shape) - 1;
  return bytes / bandwidth(shape) * waited;
}

/// Each fragment is loaded, converted and stored once for all rows of a block.
double KernelSeconds::secondsOfWidening(const KernelShape &shape) const {
  constexpr double cyclesPerFragment = 3; // docs/results/served.md#widened-weights
  double fragments = double(shape.layout.rhsPrepackedElements()) / double(shape.intrinsic.n);
  return fragments * passesOverWeights(shape) * cyclesPerFragment /
         (machine.clockGHz * 1e9 * double(shape.candidate.threads));
}

/// How much of what a kernel reads again and again the second cache does not hold while tiles of
/// rows pass a block of several panels: the block and the rows of lhs that all blocks read. Less
/// than all of a cache is of use: lines compete for places, and others are fetched ahead.
static double shareNotHeld(const KernelShape &shape, const Machine &machine) {
  constexpr double ofUse = 0.7; // docs/results/unknown-machines.md
  const Candidate &candidate = shape.candidate;
  int64_t rows = std::min(candidate.cacheM, shape.nest.m.extent);
  int64_t columns = std::min(candidate.cacheN, shape.nest.n.extent);
  int64_t steps = std::min(candidate.cacheK, shape.nest.k.extent);
  int64_t bits = rows * shape.intrinsic.lhs.bits + columns * shape.intrinsic.rhs.bits;
  return std::max(0., 1 - ofUse * machine.l2Bytes * 8. / (double(bits) * steps));
}

/// Each tile of rows reads all panels of a block before the next tile does, so that what the second
/// cache does not hold of them comes from the third one. Tiles wait for it, the longer the more of
/// that cache's time it takes.
double KernelSeconds::secondsOfRereading(const KernelShape &shape, double seconds) const {
  const Candidate &candidate = shape.candidate;
  if (candidate.packRhs != Packing::Prepacked || candidate.order.rowTilesInside ||
      candidate.cacheN <= candidate.tileN)
    return 0;
  double bytes = bytesOfWeights(shape) * double(shape.tilesOfRows() - passesOverWeights(shape));
  double moved = bytes * shareNotHeld(shape, machine) /
                 (machine.l3BytesPerCycle * machine.clockGHz * 1e9 * double(candidate.threads));
  return moved * std::min(1., moved / seconds);
}
