//===- Warp.h - 32 lanes in lock step ---------------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_WARP_H
#define UCMOH_PTXINTERPRETER_WARP_H

#include "AsyncCopy.h"
#include "SharedMemory.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"

namespace ucmoh::ptx {

class Block;
struct Instruction;

/// Says what an access does to memory.
enum class Access : uint8_t { Read, Write, Update };

/// Calls `action` for each lane of `lanes`.
template <typename Action> inline void forEachLane(LaneMask lanes, Action action) {
  if (lanes == allLanes) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      action(lane);
    return;
  }
  for (; lanes; lanes &= lanes - 1)
    action(unsigned(llvm::countr_zero(lanes)));
}

/// A warp: registers and where the lanes are. Lanes that part at a branch run one group after the
/// other, up to the branch's join: there they run together again, as on hardware.
class Warp {
public:
  enum class State : uint8_t { Ready, AtBarrier, Exited };

  Warp(Block &block, unsigned index, const Kernel &kernel);
  /// The first instruction, with `threads` live lanes.
  void reset(unsigned threads);
  /// Runs until something has to be waited for, nothing is left, or an instruction was wrong.
  void run();

  uint64_t *lanes(Slot slot) { return &registers[size_t(slot) * warpSize]; }
  uint64_t *operand(const Instruction &instruction, unsigned i) {
    return lanes(instruction.slots[i]);
  }
  LaneMask &initialized(Slot slot) { return initializedLanes[slot]; }

  // Control, for handlers.
  void branch(LaneMask taken, const Instruction &instruction);
  void exit(LaneMask lanes);
  /// Stops running after this instruction; `again` repeats it later.
  void wait(State reason, bool again);

  /// The bytes at `address` if the lane may access them so, or null after `fail`.
  uint8_t *access(const Instruction &instruction, unsigned lane, uint64_t address, unsigned size,
                  Access access);
  uint8_t *accessSpace(Space space, unsigned lane, uint64_t address, unsigned size, Access access);
  /// The address without its window, and the space that the window names.
  static Space resolveGeneric(uint64_t &address);

  /// Reports the first mistake of the launch.
  void fail(unsigned lane, int code, const llvm::Twine &what);
  void failShared(unsigned lane, const SharedMemory::Result &result);

  Block &block;
  const unsigned index;
  Clock clock;
  AsyncCopies copies;
  State state = State::Exited;
  LaneMask liveLanes = 0;
  LaneMask activeLanes = 0;
  uint32_t programCounter = 0;
  unsigned carry[warpSize] = {};
  /// The bar.red that the warp waits in, or null.
  const Instruction *reduction = nullptr;

private:
  void step(const Instruction &instruction);
  bool checkOperands(const Instruction &instruction, LaneMask lanes);
  bool checkAligned(const Instruction &instruction, LaneMask lanes);
  void resume();
  void fillSpecial(Slot slot, Special special);
  uint64_t specialValue(Special special, unsigned lane) const;
  uint8_t *accessGlobal(unsigned lane, uint64_t address, unsigned size, Access access);
  uint8_t *accessShared(unsigned lane, uint64_t address, unsigned size, Access access);

  const Kernel &kernel;
  std::vector<uint64_t> registers;
  std::vector<LaneMask> initializedLanes;
  std::vector<uint8_t> localMemory;
  /// Lanes that go on at `programCounter` when those before them in the list have got to `join`.
  struct Group {
    uint32_t programCounter;
    LaneMask lanes;
    uint32_t join;
  };
  std::vector<Group> waiting; ///< the next one last
  uint32_t activeJoin = 0;
  bool stopped = false;
  /// The region of the last global access.
  uint64_t regionBegin = 0, regionEnd = 0;
  bool regionWritable = false;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_WARP_H
