//===- Shared.cpp - What all rows of a program share: machine, loops, intrinsic, strides
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

using namespace mlir;
using namespace ucmoh;

void ucmoh::describeMachine(const Machine &machine, FeatureRow &row) {
  using F = Feature;
  row[F::clockGHz] = machine.clockGHz;
  row[F::l1Bytes] = machine.l1Bytes;
  row[F::l2Bytes] = machine.l2Bytes;
  row[F::l3Bytes] = machine.l3Bytes;
  row[F::l1BytesPerCycle] = machine.l1BytesPerCycle;
  row[F::broadcastBytesPerCycle] = machine.broadcastBytesPerCycle;
  row[F::l2BytesPerCycle] = machine.l2BytesPerCycle;
  row[F::l3BytesPerCycle] = machine.l3BytesPerCycle;
  double cyclesPerSecond = machine.clockGHz * 1e9;
  row[F::cores] = machine.cores;
  row[F::totalMemoryBytesPerCycle] = machine.totalMemoryBytesPerSecond / cyclesPerSecond;
  row[F::memoryLatencyCycles] = machine.memoryLatencyCycles;
  row[F::coreScratchBytes] = machine.coreScratchBytes;
  row[F::coreRegisters] = machine.coreRegisters;
  row[F::coreThreads] = machine.coreThreads;
  row[F::memoryBytesPerCycle] = machine.memoryBytesPerSecond / cyclesPerSecond;
}

void Extractor::setLoops() {
  shared[F::m] = workload.extent(DimRole::M);
  shared[F::n] = workload.extent(DimRole::N);
  shared[F::k] = workload.extent(DimRole::K);
  shared[F::batch] = workload.extent(DimRole::Batch);
  shared[F::tileM] = candidate.tileM;
  shared[F::tileN] = candidate.tileN;
  shared[F::cacheM] = blockM();
  shared[F::cacheN] = blockN();
  shared[F::cacheK] = blockK();
  shared[F::unroll] = candidate.unroll;
  shared[F::threads] = candidate.threads;
  shared[F::busiestShare] = 1;
  if (std::optional<ParallelLoop> loop = findParallelLoop(nest, candidate))
    shared[F::busiestShare] =
        std::min(1.0, double(blocks(blocks(loop->extent, loop->step), candidate.threads)) *
                          loop->step / loop->extent);
  shared[F::outerLoopIsM] = candidate.order.rowBlocksOutside;
  shared[F::innerLoopIsM] = candidate.order.rowTilesInside;
  shared[F::intrinsicM] = intrinsic.m;
  shared[F::intrinsicN] = intrinsic.n;
  shared[F::intrinsicK] = intrinsic.k;
  shared[F::lhsBits] = intrinsic.lhs.bits;
  shared[F::rhsBits] = intrinsic.rhs.bits;
  shared[F::accBits] = intrinsic.acc.bits;
  shared[F::latencyCycles] = intrinsic.latencyCycles;
  shared[F::throughputCycles] = intrinsic.throughputCycles;
}

double Extractor::strideBytes(const Operand &operand, const Nest::Group &group,
                              unsigned bits) const {
  if (group.dims.empty())
    return 0;
  return coefficient(operand.linearIndex(), group.dims.back()) * bits / 8.0;
}

/// How tiles walk through memory. What a device reads lies in scratch.
void Extractor::setStrides() {
  if (intrinsic.isStaged)
    return;
  shared[F::lhsRowBytes] = candidate.packLhs == Packing::None
                               ? strideBytes(workload.lhs, nest.m, intrinsic.lhs.bits)
                               : llvm::alignTo(blockK(), intrinsic.k) * intrinsic.lhs.bits / 8.0;
  shared[F::rhsStepBytes] = candidate.packRhs == Packing::None
                                ? strideBytes(workload.rhs, nest.k, intrinsic.rhs.bits)
                                : candidate.tileN * intrinsic.rhsPack * intrinsic.rhs.bits / 8.0;
  shared[F::resultRowBytes] = strideBytes(workload.acc, nest.m, intrinsic.acc.bits);
  auto alignment = [](float bytes) -> int64_t {
    return bytes > 0 ? int64_t(1) << std::min(16, llvm::countr_zero(uint64_t(bytes))) : 0;
  };
  shared[F::lhsRowAlignment] = alignment(shared[F::lhsRowBytes]);
  shared[F::rhsStepAlignment] = alignment(shared[F::rhsStepBytes]);
  shared[F::resultRowAlignment] = alignment(shared[F::resultRowBytes]);
}
