//===- MoveInstructions.cpp - mov, cvta and what only moves values --------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "Lane.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh::ptx;

namespace {

void setInitialized(Warp &warp, Slot slot, LaneMask lanes, LaneMask isDefined) {
  LaneMask &mask = warp.initialized(slot);
  mask = (mask & ~lanes) | (lanes & isDefined);
}

void move(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  setInitialized(warp, instruction.slots[0], lanes, warp.initialized(instruction.slots[1]));
  forEachLane(lanes, [&](unsigned i) { d[i] = a[i]; });
}

/// `count` bits of each source, the first one lowest.
void pack(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0);
  LaneMask isDefined = allLanes;
  uint64_t result[warpSize] = {};
  for (unsigned k = 1; k < instruction.slots.size(); ++k) {
    uint64_t *part = warp.operand(instruction, k);
    uint64_t mask = (uint64_t(1) << instruction.count) - 1;
    forEachLane(
        lanes, [&](unsigned i) { result[i] |= (part[i] & mask) << (instruction.count * (k - 1)); });
    isDefined &= warp.initialized(instruction.slots[k]);
  }
  setInitialized(warp, instruction.slots[0], lanes, isDefined);
  forEachLane(lanes, [&](unsigned i) { d[i] = result[i]; });
}

void unpack(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t source[warpSize];
  std::copy_n(warp.operand(instruction, instruction.numResults), warpSize, source);
  LaneMask isDefined = warp.initialized(instruction.slots[instruction.numResults]);
  uint64_t mask = (uint64_t(1) << instruction.count) - 1;
  for (unsigned k = 0; k < instruction.numResults; ++k) {
    uint64_t *d = warp.operand(instruction, k);
    setInitialized(warp, instruction.slots[k], lanes, isDefined);
    forEachLane(lanes, [&](unsigned i) { d[i] = source[i] >> (instruction.count * k) & mask; });
  }
}

bool decodeMove(Builder &b) {
  Instruction &instruction = b.instruction;
  b.takeType(instruction.type);
  if (!b.expectOperands(2) || instruction.type == Type::B128 || !b.allOperands())
    return b.fail("unsupported form of mov");
  unsigned sources = instruction.slots.size() - instruction.numResults;
  unsigned parts = std::max(sources, instruction.numResults);
  instruction.count = bitsOf(instruction.type) / parts;
  instruction.isMove = true;
  instruction.handler = sources > 1 ? pack : instruction.numResults > 1 ? unpack : move;
  return true;
}

uint64_t windowOf(Space space) {
  switch (space) {
  case Space::Shared:
    return sharedWindow;
  case Space::Local:
    return localWindow;
  case Space::Param:
    return paramWindow;
  default:
    return 0;
  }
}

void toGeneric(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t window = windowOf(instruction.space);
  forEachLane(lanes, [&](unsigned i) { d[i] = a[i] | window; });
}

void fromGeneric(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  uint64_t window = windowOf(instruction.space);
  forEachLane(lanes, [&](unsigned i) { d[i] = a[i] ^ window; });
}

bool decodeConvertAddress(Builder &b) {
  bool isBack = b.take("to");
  b.takeSpace();
  b.takeType(b.instruction.type);
  b.instruction.handler = isBack ? fromGeneric : toGeneric;
  return b.expectOperands(2) && b.allOperands();
}

void isInSpace(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) {
    uint64_t address = a[i];
    d[i] = Warp::resolveGeneric(address) == instruction.space;
  });
}

bool decodeIsInSpace(Builder &b) {
  b.takeSpace();
  b.instruction.handler = isInSpace;
  return b.expectOperands(2) && b.allOperands();
}

/// elect.sync: the leader is the lowest lane.
void electLane(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned leader = llvm::countr_zero(lanes);
  uint64_t *d = warp.operand(instruction, 0), *p = warp.operand(instruction, 1);
  forEachLane(lanes, [&](unsigned i) {
    d[i] = leader;
    p[i] = i == leader;
  });
}

bool decodeElect(Builder &b) {
  b.take("sync");
  b.instruction.handler = electLane;
  return b.expectOperands(2) && b.allOperands() &&
         (b.instruction.numResults == 2 || b.fail("elect.sync needs two results"));
}

} // namespace

void ucmoh::ptx::addMoveInstructions(DecodeTable &table) {
  table["mov"] = decodeMove;
  table["cvta"] = decodeConvertAddress;
  table["isspacep"] = decodeIsInSpace;
  table["elect"] = decodeElect;
}
