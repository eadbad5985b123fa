//===- WarpMemory.cpp - Accesses of a warp to the spaces of memory --------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "CudaTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace ucmoh::ptx;

static std::string hexadecimal(uint64_t value) { return "0x" + llvm::utohexstr(value, true); }

Space Warp::resolveGeneric(uint64_t &address) {
  uint64_t window = address & windowMask;
  if (window == sharedWindow || window == localWindow || window == paramWindow) {
    address &= ~windowMask;
    return window == sharedWindow  ? Space::Shared
           : window == localWindow ? Space::Local
                                   : Space::Param;
  }
  return Space::Global;
}

void Warp::failShared(unsigned lane, const SharedMemory::Result &result) {
  std::string where = "shared byte " + hexadecimal(result.address) + " (" +
                      std::to_string(int64_t(result.address) - sharedBase) + ")";
  std::string other = result.warp < maxWarps
                          ? "warp " + std::to_string(result.warp)
                          : "a bulk copy whose mbarrier this warp has not waited for,";
  switch (result.verdict) {
  case SharedMemory::Verdict::Fine:
    return;
  case SharedMemory::Verdict::OutOfBounds:
    return fail(lane, CUDA_ERROR_ILLEGAL_ADDRESS,
                where + " is out of bounds: the block has " + std::to_string(block.shared.size()));
  case SharedMemory::Verdict::Uninitialized:
    return fail(lane, CUDA_ERROR_LAUNCH_FAILED, where + " is uninitialized");
  case SharedMemory::Verdict::Pending:
    return fail(lane, CUDA_ERROR_LAUNCH_FAILED,
                where + " awaits an asynchronous copy of " + other +
                    " that its thread has not waited for");
  case SharedMemory::Verdict::RaceWithWrite:
    return fail(lane, CUDA_ERROR_LAUNCH_FAILED,
                "race: " + where + " was written by " + other + " with no barrier since");
  case SharedMemory::Verdict::RaceWithRead:
    return fail(lane, CUDA_ERROR_LAUNCH_FAILED,
                "race: " + where + " was read by " + other + " with no barrier since");
  }
}

uint8_t *Warp::accessShared(unsigned lane, uint64_t address, unsigned size, Access access) {
  SharedMemory &shared = block.shared;
  SharedMemory::Result result = access == Access::Read ? shared.read(index, clock, address, size)
                                : access == Access::Write
                                    ? shared.write(index, clock, address, size)
                                    : shared.update(index, clock, address, size);
  if (result.verdict == SharedMemory::Verdict::Fine)
    return shared.data(address);
  failShared(lane, result);
  return nullptr;
}

uint8_t *Warp::accessGlobal(unsigned lane, uint64_t address, unsigned size, Access access) {
  if (address < regionBegin || address >= regionEnd || size > regionEnd - address) {
    const DeviceMemory::Region *region = block.launch.memory.find(address);
    if (!region || size > region->size - (address - region->begin)) {
      fail(lane, CUDA_ERROR_ILLEGAL_ADDRESS,
           std::to_string(size) + " bytes at global address " + hexadecimal(address) +
               (region ? " leave a region of " + std::to_string(region->size) + " bytes at " +
                             hexadecimal(region->begin)
                       : " are out of bounds: no device memory is there"));
      return nullptr;
    }
    regionBegin = region->begin;
    regionEnd = region->begin + region->size;
    regionWritable = region->kind != DeviceMemory::ReadOnly;
  }
  if (access != Access::Read && !regionWritable) {
    fail(lane, CUDA_ERROR_ILLEGAL_ADDRESS, "write to constant memory");
    return nullptr;
  }
  return reinterpret_cast<uint8_t *>(address);
}

uint8_t *Warp::accessSpace(Space space, unsigned lane, uint64_t address, unsigned size,
                           Access kind) {
  if (space == Space::Generic)
    space = resolveGeneric(address);
  if (space == Space::Shared)
    return accessShared(lane, address, size, kind);
  if (space == Space::Global || space == Space::Const)
    return accessGlobal(lane, address, size, kind);
  bool isLocal = space == Space::Local;
  std::vector<uint8_t> &bytes = isLocal ? localMemory : block.launch.arguments;
  uint64_t limit = isLocal ? kernel.localBytes : bytes.size();
  if (address > limit || size > limit - address || (!isLocal && kind != Access::Read)) {
    fail(lane, CUDA_ERROR_ILLEGAL_ADDRESS,
         std::to_string(size) + " bytes at " + hexadecimal(address) + " are out of bounds: " +
             std::to_string(limit) + " bytes of " + (isLocal ? "local" : "parameter") + " memory");
    return nullptr;
  }
  return bytes.data() + address + (isLocal ? uint64_t(kernel.localBytes) * lane : 0);
}

uint8_t *Warp::access(const Instruction &instruction, unsigned lane, uint64_t address,
                      unsigned size, Access kind) {
  if (address % size == 0)
    return accessSpace(instruction.space, lane, address, size, kind);
  fail(lane, CUDA_ERROR_MISALIGNED_ADDRESS,
       "address " + hexadecimal(address) + " is misaligned: " + std::to_string(size) +
           " bytes need a multiple of that");
  return nullptr;
}
