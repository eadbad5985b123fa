//===- Warp.cpp - 32 lanes in lock step -----------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "CudaTypes.h"

using namespace ucmoh::ptx;

Warp::Warp(Block &block, unsigned index, const Kernel &kernel)
    : block(block), index(index), kernel(kernel), registers(size_t(kernel.numSlots) * warpSize),
      initializedLanes(kernel.numSlots), localMemory(size_t(kernel.localBytes) * warpSize) {}

uint64_t Warp::specialValue(Special special, unsigned lane) const {
  const Launch &launch = block.launch;
  uint64_t thread = index * warpSize + lane;
  switch (special) {
  case Special::TidX:
    return thread % launch.block.x;
  case Special::TidY:
    return thread / launch.block.x % launch.block.y;
  case Special::TidZ:
    return thread / launch.block.x / launch.block.y;
  case Special::NtidX:
    return launch.block.x;
  case Special::NtidY:
    return launch.block.y;
  case Special::NtidZ:
    return launch.block.z;
  case Special::CtaidX:
    return block.position.x;
  case Special::CtaidY:
    return block.position.y;
  case Special::CtaidZ:
    return block.position.z;
  case Special::NctaidX:
    return launch.grid.x;
  case Special::NctaidY:
    return launch.grid.y;
  case Special::NctaidZ:
    return launch.grid.z;
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return index;
  case Special::NwarpId:
    return (launch.block.total() + warpSize - 1) / warpSize;
  case Special::LaneMaskEq:
    return 1u << lane;
  case Special::LaneMaskLe:
    return (2ull << lane) - 1;
  case Special::LaneMaskLt:
    return (1u << lane) - 1;
  case Special::LaneMaskGe:
    return uint32_t(-1) << lane;
  case Special::LaneMaskGt:
    return uint32_t(-2ll << lane);
  case Special::DynamicSharedBytes:
    return launch.dynamicSharedBytes;
  case Special::TotalSharedBytes:
    return launch.dynamicSharedBytes + kernel.staticSharedBytes;
  case Special::Zero:
    return 0;
  case Special::One:
    return 1;
  }
  return 0;
}

void Warp::fillSpecial(Slot slot, Special special) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    lanes(slot)[lane] = specialValue(special, lane);
  initialized(slot) = allLanes;
}

void Warp::reset(unsigned threads) {
  std::fill(initializedLanes.begin(), initializedLanes.end(), 0);
  for (auto [slot, value] : kernel.constants) {
    std::fill_n(lanes(slot), warpSize, value);
    initialized(slot) = allLanes;
  }
  for (auto [slot, special] : kernel.specials)
    fillSpecial(slot, special);
  liveLanes = activeLanes = threads >= warpSize ? allLanes : (1u << threads) - 1;
  programCounter = 0;
  waiting.clear();
  activeJoin = kernel.code.size();
  state = State::Ready;
  clock = Clock();
  clock.times[index] = block.time;
  copies.reset();
  reduction = nullptr;
}

void Warp::run() {
  stopped = false;
  while (!stopped) {
    if (programCounter >= kernel.code.size())
      exit(activeLanes);
    else
      step(kernel.code[programCounter]);
  }
}

void Warp::step(const Instruction &instruction) {
  LaneMask executing = activeLanes;
  if (instruction.isGuarded) {
    const uint64_t *guard = lanes(instruction.guard);
    if ((initialized(instruction.guard) & executing) != executing)
      return fail(0, CUDA_ERROR_LAUNCH_FAILED, "the guard is an uninitialized predicate");
    LaneMask set = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      set |= uint32_t(guard[lane] & 1) << lane;
    executing &= instruction.guardNegated ? ~set : set;
  }
  ++block.launch.statistics.instructions;
  if (executing || instruction.isControl) {
    if (!checkOperands(instruction, executing) ||
        (instruction.isAligned && !checkAligned(instruction, executing)))
      return;
    instruction.handler(*this, instruction, executing);
  }
  if (!instruction.isControl && !stopped)
    ++programCounter;
  if (!waiting.empty() && !stopped)
    resume();
}

bool Warp::checkOperands(const Instruction &instruction, LaneMask executing) {
  if (instruction.isMove)
    return true;
  for (unsigned i = instruction.numResults, e = instruction.slots.size(); i < e; ++i) {
    LaneMask missing = executing & ~initialized(instruction.slots[i]);
    if (!missing)
      continue;
    fail(llvm::countr_zero(missing), CUDA_ERROR_LAUNCH_FAILED,
         "source operand " + llvm::Twine(i - instruction.numResults + 1) +
             " is an uninitialized register");
    return false;
  }
  for (unsigned i = 0; i < instruction.numResults; ++i)
    initialized(instruction.slots[i]) |= executing;
  return true;
}

bool Warp::checkAligned(const Instruction &instruction, LaneMask executing) {
  if (executing == allLanes)
    return true;
  fail(llvm::countr_zero(~executing), CUDA_ERROR_LAUNCH_FAILED,
       "all 32 lanes of a warp must execute this together, but this lane does not (executing: 0x" +
           llvm::Twine::utohexstr(executing) + ")");
  return false;
}

/// The next group, once the active one has arrived or is empty.
void Warp::resume() {
  while (!waiting.empty() && (!activeLanes || programCounter == activeJoin)) {
    programCounter = waiting.back().programCounter;
    activeLanes = waiting.back().lanes & liveLanes;
    activeJoin = waiting.back().join;
    waiting.pop_back();
  }
}

void Warp::branch(LaneMask taken, const Instruction &instruction) {
  uint32_t next = programCounter + 1, target = instruction.offset;
  programCounter = taken ? target : next;
  if (!taken || taken == activeLanes)
    return;
  ++block.launch.statistics.divergentBranches;
  // Lanes that leave a loop in turn share the group that waits for them all.
  if (instruction.join != activeJoin || waiting.empty())
    waiting.push_back({instruction.join, activeLanes, activeJoin});
  waiting.push_back({next, activeLanes & ~taken, instruction.join});
  activeLanes = taken;
  activeJoin = instruction.join;
}

void Warp::exit(LaneMask lanes) {
  liveLanes &= ~lanes;
  activeLanes &= ~lanes;
  if (activeLanes) {
    ++programCounter;
  } else if (liveLanes) {
    resume();
  } else {
    state = State::Exited;
    stopped = true;
  }
}

void Warp::wait(State reason, bool again) {
  state = reason;
  stopped = true;
  programCounter += !again;
}

void Warp::fail(unsigned lane, int code, const llvm::Twine &what) {
  stopped = true;
  Launch &launch = block.launch;
  if (launch.error)
    return;
  launch.error = code;
  unsigned line = programCounter < kernel.code.size() ? kernel.code[programCounter].line : 0;
  llvm::StringRef text = line ? kernel.module->lines[line - 1].trim() : "";
  auto at = [&](Special special) { return llvm::Twine(specialValue(special, lane)).str(); };
  launch.message =
      ("kernel '" + kernel.name + "' line " + llvm::Twine(line) + ": `" + text + "`: block (" +
       llvm::Twine(block.position.x) + "," + llvm::Twine(block.position.y) + "," +
       llvm::Twine(block.position.z) + ") thread (" + at(Special::TidX) + "," + at(Special::TidY) +
       "," + at(Special::TidZ) + "): " + what)
          .str();
}
