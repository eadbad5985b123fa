//===- AsyncCopy.cpp - cp.async and its groups ----------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncCopy.h"
#include "Block.h"
#include "Builder.h"
#include "CudaTypes.h"

using namespace ucmoh::ptx;

void AsyncCopies::reset() {
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    open[lane].clear();
    groups[lane].clear();
  }
}

void AsyncCopies::commit(unsigned lane) {
  groups[lane].push_back(std::move(open[lane]));
  open[lane].clear();
}

AsyncCopies::Group AsyncCopies::finish(unsigned lane, size_t keep, bool all) {
  Group result;
  while (groups[lane].size() > keep) {
    result.append(groups[lane].front());
    groups[lane].pop_front();
  }
  if (all) {
    result.append(open[lane]);
    open[lane].clear();
  }
  return result;
}

namespace {

/// Copies `count` bytes; with a third operand only so many of them, the rest is zero.
void copyAsync(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  Block &block = warp.block;
  unsigned size = instruction.count;
  uint64_t *to = warp.operand(instruction, 0), *from = warp.operand(instruction, 1);
  uint64_t *given = instruction.slots.size() > 2 ? warp.operand(instruction, 2) : nullptr;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t target = to[lane] + instruction.offset, source = from[lane] + instruction.sourceOffset;
    unsigned bytes = given ? std::min<uint32_t>(given[lane], size) : size;
    if (target % size || source % size)
      return warp.fail(lane, CUDA_ERROR_MISALIGNED_ADDRESS,
                       llvm::Twine(target % size ? "shared" : "global") +
                           " address is misaligned for " + llvm::Twine(size) + " bytes");
    const uint8_t *data =
        bytes ? warp.accessSpace(Space::Global, lane, source, bytes, Access::Read) : nullptr;
    if (bytes && !data)
      return;
    auto result = block.shared.beginCopy(warp.index, warp.clock, target, size);
    if (result.verdict != SharedMemory::Verdict::Fine)
      return warp.failShared(lane, result);
    std::memset(block.shared.data(target), 0, size);
    if (bytes)
      std::memcpy(block.shared.data(target), data, bytes);
    warp.copies.add(lane, {uint32_t(target), size});
    block.launch.statistics.cpAsyncBytes += bytes;
  });
}

void commitGroup(Warp &warp, const Instruction &, LaneMask lanes) {
  forEachLane(lanes, [&](unsigned lane) { warp.copies.commit(lane); });
}

/// `mode` says that copies without a group are waited for too.
void waitGroups(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    for (AsyncCopies::Copy copy : warp.copies.finish(lane, instruction.offset, instruction.mode))
      warp.block.shared.complete(warp.index, warp.clock, copy.address, copy.size);
  });
}

bool decodeCommit(Builder &b) {
  b.instruction.handler = commitGroup;
  return b.expectOperands(0);
}

bool decodeWait(Builder &b, bool all) {
  b.instruction.handler = waitGroups;
  b.instruction.mode = all;
  if (all)
    return b.expectOperands(0);
  if (!b.expectOperands(1) || b.operand(0).kind != OperandSyntax::Integer)
    return b.fail("wait_group needs a number");
  b.instruction.offset = b.operand(0).value;
  return true;
}

bool decodeCopy(Builder &b) {
  Instruction &instruction = b.instruction;
  bool onlyL2 = b.take("cg");
  b.takeHints();
  if (!b.takeSpace() || instruction.space != Space::Shared || !b.takeSpace() ||
      instruction.space != Space::Global)
    return b.fail("a copy goes from global to shared memory");
  if (b.numOperands() < 3 || b.operand(2).kind != OperandSyntax::Integer)
    return b.fail("a copy needs its size");
  unsigned size = instruction.count = b.operand(2).value;
  if (size != 16 && (onlyL2 || (size != 4 && size != 8)))
    return b.fail("a copy has 4, 8 or 16 bytes, with .cg 16");
  instruction.handler = copyAsync;
  if (!b.address(0))
    return false;
  int64_t displacement = instruction.offset;
  if (!b.address(1))
    return false;
  instruction.sourceOffset = instruction.offset;
  instruction.offset = displacement;
  return b.numOperands() < 4 || b.source(3);
}

} // namespace

bool ucmoh::ptx::decodeAsyncCopy(Builder &b) {
  if (!b.take("async"))
    return b.fail("unsupported kind of copy");
  if (b.take("bulk"))
    return decodeBulkCopy(b);
  if (b.take("mbarrier"))
    return decodeCopyArrive(b);
  if (b.take("commit_group"))
    return decodeCommit(b);
  if (b.take("wait_group"))
    return decodeWait(b, /*all=*/false);
  if (b.take("wait_all"))
    return decodeWait(b, /*all=*/true);
  return decodeCopy(b);
}
