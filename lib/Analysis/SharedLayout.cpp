//===- SharedLayout.cpp - What a block of threads keeps in shared memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/SharedLayout.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ucmoh;

/// Rows of an odd multiple of the padding fall into different banks.
static int64_t padded(int64_t elements, unsigned bits, int64_t paddingBytes) {
  int64_t bytes = elements * bits / 8;
  if (paddingBytes == 0 || bytes % (2 * paddingBytes))
    return elements;
  return elements + paddingBytes * 8 / bits;
}

int64_t SharedLayout::paddedOperand(int64_t elements, unsigned bits) const {
  return padded(elements, bits, intrinsic.rowPaddingBytes);
}

/// A target's row padding is for elements of so many bits.
static constexpr unsigned paddedElementBits = 16;

/// Lanes hold as many results of one row of a fragment as the padding has elements: wider results
/// are further apart.
int64_t SharedLayout::epilogueStagingRow() const {
  return padded(candidate.tileN, intrinsic.acc.bits,
                intrinsic.rowPaddingBytes * intrinsic.acc.bits / paddedElementBits);
}

int64_t SharedLayout::rhsOffsetBytes() const {
  return llvm::alignTo(candidate.pipelineDepth * lhsSlot() * intrinsic.lhs.bits / 8, 128);
}

int64_t SharedLayout::epilogueStagingOffsetBytes() const {
  return rhsOffsetBytes() +
         llvm::alignTo(candidate.pipelineDepth * rhsSlot() * intrinsic.rhs.bits / 8, 128);
}

int64_t SharedLayout::barriersOffsetBytes() const {
  return llvm::alignTo(epilogueStagingOffsetBytes() +
                           warps() * epilogueStagingPerWarp() * intrinsic.acc.bits / 8,
                       16);
}

int64_t SharedLayout::barrierBytes() const {
  return lhsRun() || rhsRun() ? *findBarrierCopy().getBarrier() : 0;
}

int64_t SharedLayout::bytes() const {
  if (int64_t size = barrierBytes())
    return barriersOffsetBytes() + candidate.pipelineDepth * size;
  return epilogueStagingOffsetBytes() + warps() * epilogueStagingPerWarp() * intrinsic.acc.bits / 8;
}

/// The largest power of two up to `most` so that each group of that many elements along `along`,
/// begun at a multiple of it, is whole, contiguous and aligned in the operand.
static int64_t chunkAlong(const Workload &workload, const Operand &operand, DimRole role,
                          int64_t most) {
  AffineExpr index = operand.linearIndex();
  unsigned along =
      workload.dimsOf(role).empty() ? workload.dims.size() : workload.dimsOf(role).back();
  int64_t chunk = llvm::bit_floor(static_cast<uint64_t>(most));
  for (unsigned dim = 0; dim < workload.dims.size() && chunk > 1; ++dim) {
    int64_t step = coefficient(index, dim);
    if (dim == along && step != 1)
      return 1;
    int64_t multiple = dim == along ? workload.dims[dim].extent : step;
    while (multiple % chunk)
      chunk /= 2;
  }
  return along == workload.dims.size() ? 1 : chunk;
}

AsyncCopyOp SharedLayout::findAsyncCopy(ElementType have, ElementType want, int64_t chunk) const {
  if (have != want)
    return {};
  for (auto op : intrinsic.getTarget().getOps<AsyncCopyOp>())
    if (!op.getBarrier() && static_cast<int64_t>(op.getBytes()) * 8 == chunk * want.bits)
      return op;
  AsyncCopyOp any = findBarrierCopy(); // it copies more at once than the others
  return any && chunk > unitOf(any, want) ? any : AsyncCopyOp();
}

AsyncCopyOp SharedLayout::findBarrierCopy() const {
  for (auto op : intrinsic.getTarget().getOps<AsyncCopyOp>())
    if (op.getBarrier())
      return op;
  return {};
}

/// Returns the number of elements that the engine's lengths are multiples of.
int64_t SharedLayout::unitOf(AsyncCopyOp engine, const ElementType &type) const {
  return static_cast<int64_t>(engine.getBytes()) * 8 / type.bits;
}

/// A row of one unit is copied by a thread, and so are rows that take longer to begin one by one.
bool SharedLayout::isWorthOneCopy(AsyncCopyOp engine, const ElementType &type, int64_t run) const {
  int64_t bytes = run * type.bits / 8;
  return run > unitOf(engine, type) && bytes >= int64_t(engine.getShortest().value_or(0));
}

/// The elements of a row of lhs that one copy of any length takes; 0 where there is none, or
/// nothing long enough. A row that ends early does so at a unit: else it is divided.
int64_t SharedLayout::lhsRun() const {
  AsyncCopyOp engine = findBarrierCopy();
  if (!engine || workload.lhs.type != intrinsic.lhs || workload.dimsOf(DimRole::K).empty())
    return 0;
  int64_t unit = unitOf(engine, intrinsic.lhs), run = candidate.cacheK;
  if (run % unit || chunkAlong(workload, workload.lhs, DimRole::K, unit) != unit)
    return 0;
  if (workload.dimsOf(DimRole::K).size() > 1)
    run = std::gcd(run, workload.dims[workload.dimsOf(DimRole::K).back()].extent);
  return isWorthOneCopy(engine, intrinsic.lhs, run) ? run : 0;
}

/// Returns how many elements of a prepacked rhs are contiguous: a row of a panel.
int64_t SharedLayout::rhsRun() const {
  AsyncCopyOp engine = findBarrierCopy();
  int64_t run = candidate.tileN * intrinsic.kInterleave;
  if (!engine || candidate.packRhs != Packing::Prepacked || run % unitOf(engine, intrinsic.rhs))
    return 0;
  return isWorthOneCopy(engine, intrinsic.rhs, run) ? run : 0;
}

int64_t SharedLayout::lhsChunk() const {
  if (int64_t run = lhsRun())
    return run;
  int64_t most = std::min<int64_t>(128 / std::max(intrinsic.lhs.bits, workload.lhs.type.bits),
                                   candidate.cacheK);
  return chunkAlong(workload, workload.lhs, DimRole::K, most);
}

int64_t SharedLayout::rhsChunk() const {
  if (int64_t run = rhsRun())
    return run;
  int64_t most = 128 / std::max(intrinsic.rhs.bits, workload.rhs.type.bits);
  if (candidate.packRhs == Packing::Prepacked) // rows of panels are contiguous in both
    return llvm::bit_floor(static_cast<uint64_t>(
        std::min<int64_t>(most, llvm::MinAlign(candidate.tileN * intrinsic.kInterleave, most))));
  if (intrinsic.kInterleave == 1)
    return chunkAlong(workload, workload.rhs, DimRole::N,
                      std::min(most, static_cast<int64_t>(llvm::MinAlign(candidate.tileN, most))));
  return chunkAlong(workload, workload.rhs, DimRole::K, std::min(most, intrinsic.kInterleave));
}
