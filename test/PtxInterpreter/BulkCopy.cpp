//===- BulkCopy.cpp - cp.async.bulk ---------------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Builder.h"
#include "CudaTypes.h"
#include "TensorMap.h"

using namespace ucmoh::ptx;

namespace {

/// Slots of all bulk copies: target or tensor map, source or tensor map, mbarrier, coordinates.
/// `extent` is the rank; 0 is a copy of plain bytes with the size in the place of coordinates.
uint64_t addressAt(Warp &warp, const Instruction &instruction, unsigned slot, unsigned lane) {
  uint64_t address = warp.operand(instruction, slot)[lane];
  return slot < instruction.displacements.size() ? address + instruction.displacements[slot]
                                                 : address;
}

bool writeShared(Warp &warp, unsigned lane, const Mbarrier &barrier, uint64_t address,
                 const uint8_t *data, unsigned size) {
  SharedMemory &shared = warp.block.shared;
  auto result =
      shared.writeAs(barrier.writer, warp.block.time, warp.index, warp.clock, address, size);
  if (result.verdict != SharedMemory::Verdict::Fine) {
    warp.failShared(lane, result);
    return false;
  }
  if (data)
    std::memcpy(shared.data(address), data, size);
  else
    std::memset(shared.data(address), 0, size);
  return true;
}

/// Reads a tensor map from wherever it is; false after an error.
bool readMap(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address,
             TensorMap &map) {
  const uint8_t *bytes = nullptr;
  if (address % 64 == 0 || (address & windowMask) == paramWindow)
    bytes = warp.accessSpace(Space::Generic, lane, address, 128, Access::Read);
  if (bytes)
    std::memcpy(&map, bytes, sizeof map);
  if (bytes && map.magic == TensorMap::signature && map.rank == instruction.extent[0])
    return true;
  warp.fail(lane, CUDA_ERROR_LAUNCH_FAILED,
            "no tensor map of this rank, from cuTensorMapEncodeTiled, is at this address");
  return false;
}

/// Calls `action(shared address, global address or 0)` for each row of 16 bytes or one element of
/// the box: the smaller of them never crosses a border of the tensor or a swizzled chunk.
template <typename Action>
void forEachOfBox(const TensorMap &map, const int32_t *origin, uint64_t tile, Action action) {
  uint64_t total = 1;
  for (unsigned i = 0; i < map.rank; ++i)
    total *= map.box[i];
  for (uint64_t index = 0; index < total; ++index) {
    uint64_t rest = index, address = map.address;
    bool inside = true;
    for (unsigned i = 0; i < map.rank; ++i) {
      int64_t place = int64_t(origin[i]) + int64_t(rest % map.box[i]);
      rest /= map.box[i];
      inside &= place >= 0 && uint64_t(place) < map.extents[i];
      address += place * (i ? map.strides[i - 1] : map.elementBytes);
    }
    action(swizzleAddress(tile + index * map.elementBytes, map.swizzle), inside ? address : 0);
  }
}

void origin(Warp &warp, const Instruction &instruction, unsigned lane, unsigned first,
            int32_t *result) {
  for (unsigned i = 0; i < instruction.extent[0]; ++i)
    result[i] = warp.operand(instruction, first + i)[lane];
}

uint64_t boxBytes(const TensorMap &map) {
  uint64_t bytes = map.elementBytes;
  for (unsigned i = 0; i < map.rank; ++i)
    bytes *= map.box[i];
  return bytes;
}

bool checkTile(Warp &warp, unsigned lane, uint64_t tile) {
  if (tile % 128 == 0)
    return true;
  warp.fail(lane, CUDA_ERROR_MISALIGNED_ADDRESS, "a tile must be aligned to 128 bytes");
  return false;
}

void finishCopy(Warp &warp, Mbarrier &barrier, uint64_t bytes) {
  barrier.arriving.times[barrier.writer] = warp.block.time;
  barrier.pendingBytes -= bytes;
  Mbarriers::update(barrier);
  ++warp.block.events;
  warp.block.launch.statistics.bulkBytes += bytes;
}

void loadTensor(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t tile = addressAt(warp, instruction, 0, lane),
             at = addressAt(warp, instruction, 2, lane);
    Warp::resolveGeneric(tile);
    Warp::resolveGeneric(at);
    Mbarrier *barrier = warp.block.mbarriers.find(at);
    TensorMap map;
    int32_t place[5];
    if (!barrier)
      return warp.fail(lane, CUDA_ERROR_LAUNCH_FAILED, "no mbarrier was initialized there");
    if (!readMap(warp, instruction, lane, addressAt(warp, instruction, 1, lane), map) ||
        !checkTile(warp, lane, tile))
      return;
    origin(warp, instruction, lane, 3, place);
    ++warp.block.time;
    forEachOfBox(map, place, tile, [&](uint64_t to, uint64_t from) {
      const uint8_t *data = nullptr;
      if (warp.block.launch.error ||
          (from &&
           !(data = warp.accessSpace(Space::Global, lane, from, map.elementBytes, Access::Read))))
        return;
      writeShared(warp, lane, *barrier, to, data, map.elementBytes);
    });
    finishCopy(warp, *barrier, boxBytes(map));
  });
}

/// The slots are: tensor map, source, coordinates. The bytes are read and written at once.
void storeTensor(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t tile = addressAt(warp, instruction, 1, lane);
    Warp::resolveGeneric(tile);
    TensorMap map;
    int32_t place[5];
    if (!readMap(warp, instruction, lane, addressAt(warp, instruction, 0, lane), map) ||
        !checkTile(warp, lane, tile))
      return;
    origin(warp, instruction, lane, 2, place);
    forEachOfBox(map, place, tile, [&](uint64_t from, uint64_t to) {
      unsigned size = map.elementBytes;
      uint8_t *target = nullptr, *data = nullptr;
      if (to && !warp.block.launch.error)
        target = warp.accessSpace(Space::Global, lane, to, size, Access::Write);
      if (target)
        data = warp.accessSpace(Space::Shared, lane, from, size, Access::Read);
      if (data)
        std::memcpy(target, data, size);
    });
    warp.block.launch.statistics.bulkBytes += boxBytes(map);
  });
}

/// Plain bytes from global to shared memory.
void loadBytes(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t to = addressAt(warp, instruction, 0, lane), at = addressAt(warp, instruction, 2, lane);
    Warp::resolveGeneric(to);
    Warp::resolveGeneric(at);
    uint64_t from = addressAt(warp, instruction, 1, lane);
    uint32_t size = warp.operand(instruction, 3)[lane];
    Mbarrier *barrier = warp.block.mbarriers.find(at);
    if (!barrier || (to | from | size) % 16)
      return warp.fail(lane, CUDA_ERROR_MISALIGNED_ADDRESS,
                       "a bulk copy needs an mbarrier and multiples of 16 bytes");
    const uint8_t *data = warp.accessSpace(Space::Global, lane, from, size, Access::Read);
    ++warp.block.time;
    if (data && writeShared(warp, lane, *barrier, to, data, size))
      finishCopy(warp, *barrier, size);
  });
}

void ignore(Warp &, const Instruction &, LaneMask) {}

/// The tensor map and its coordinates: `[map, {x, y}]`.
bool coordinates(Builder &b, size_t i) {
  const auto &elements = b.operand(i).elements;
  return (elements.size() == 2 && b.source(elements[1])) || b.fail("coordinates are missing");
}

bool decodeTensorCopy(Builder &b) {
  Instruction &instruction = b.instruction;
  for (unsigned rank = 1; rank <= 5; ++rank)
    if (b.take(std::to_string(rank) + "d"))
      instruction.extent[0] = rank;
  b.take("tile");
  b.takeSpace();
  Space target = instruction.space;
  b.takeSpace();
  if (target == Space::Shared) {
    instruction.handler = loadTensor;
    return b.take("mbarrier::complete_tx::bytes") && b.expectOperands(3) && b.plainAddress(0) &&
           b.plainAddress(1) && b.plainAddress(2) && coordinates(b, 1);
  }
  instruction.handler = storeTensor;
  return b.take("bulk_group") && b.expectOperands(2) && b.plainAddress(0) && b.plainAddress(1) &&
         coordinates(b, 0);
}

} // namespace

bool ucmoh::ptx::decodeBulkCopy(Builder &b) {
  // Stores are complete when they are issued.
  if (b.take("commit_group") || b.take("wait_group")) {
    b.take("read");
    b.instruction.handler = ignore;
    return true;
  }
  if (b.take("L2::cache_hint"))
    b.dropOperand(b.numOperands() - 1);
  if (b.take("tensor"))
    return decodeTensorCopy(b);
  b.takeSpace();
  if (b.instruction.space != Space::Shared || !b.takeSpace() ||
      !b.take("mbarrier::complete_tx::bytes"))
    return b.fail("a bulk copy of bytes goes from global to shared memory");
  b.instruction.handler = loadBytes;
  return b.expectOperands(4) && b.plainAddress(0) && b.plainAddress(1) && b.plainAddress(3) &&
         b.source(2);
}
