//===- ShuffleInstructions.cpp - Exchange between the lanes of a warp -----===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Builder.h"
#include "CudaTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh::ptx;

namespace {

/// The members of a .sync instruction must arrive together; false after an error.
bool checkMembers(Warp &warp, Slot mask, LaneMask lanes) {
  LaneMask missing = LaneMask(warp.lanes(mask)[llvm::countr_zero(lanes)]) & warp.liveLanes & ~lanes;
  if (missing)
    warp.fail(llvm::countr_zero(lanes), CUDA_ERROR_LAUNCH_FAILED,
              "lanes 0x" + llvm::Twine::utohexstr(missing) + " of the mask do not arrive");
  return !missing;
}

enum ShuffleMode : uint16_t { Up, Down, Butterfly, Indexed };

/// The lane to read from, and whether that lies within the segment that `control` describes.
std::pair<unsigned, bool> sourceLane(uint16_t mode, unsigned lane, int by, unsigned control) {
  unsigned segment = control >> 8 & 31, clamp = control & 31;
  int low = lane & segment, high = low | (clamp & ~segment);
  int source = mode == Up          ? int(lane) - by
               : mode == Down      ? int(lane) + by
               : mode == Butterfly ? int(lane) ^ by
                                   : low | (by & ~int(segment));
  bool inside = mode == Up ? source >= high : source <= high;
  return {inside ? source : lane, inside};
}

void shuffle(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  unsigned first = instruction.numResults;
  if (!checkMembers(warp, instruction.slots[first + 3], lanes))
    return;
  uint64_t *d = warp.operand(instruction, 0);
  uint64_t *p = first > 1 ? warp.operand(instruction, 1) : nullptr;
  uint64_t *a = warp.operand(instruction, first), *b = warp.operand(instruction, first + 1);
  uint64_t *c = warp.operand(instruction, first + 2), copy[warpSize];
  std::copy_n(a, warpSize, copy);
  forEachLane(lanes, [&](unsigned lane) {
    auto [source, inside] = sourceLane(instruction.mode, lane, b[lane] & 31, c[lane]);
    if (!(lanes >> source & 1))
      warp.fail(lane, CUDA_ERROR_LAUNCH_FAILED,
                "reads lane " + llvm::Twine(source) + ", which does not take part");
    d[lane] = copy[source];
    if (p)
      p[lane] = inside;
  });
}

std::optional<uint16_t> parseShuffle(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<uint16_t>>(suffix)
      .Case("up", Up)
      .Case("down", Down)
      .Case("bfly", Butterfly)
      .Case("idx", Indexed)
      .Default(std::nullopt);
}

bool decodeShuffle(Builder &b) {
  if (!b.take("sync") || !b.takeAny<uint16_t>(b.instruction.mode, parseShuffle))
    return b.fail("unsupported kind of shuffle");
  b.take("b32");
  b.instruction.handler = shuffle;
  return b.expectOperands(5) && b.allOperands();
}

enum VoteMode : uint16_t { All, Any, Uniform, Ballot };
constexpr uint16_t negatesPredicate = 16;

uint64_t vote(uint16_t mode, LaneMask set, LaneMask lanes) {
  switch (mode & 3) {
  case All:
    return set == lanes;
  case Any:
    return set != 0;
  case Uniform:
    return set == 0 || set == lanes;
  default:
    return set;
  }
}

void voteLanes(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  if (!checkMembers(warp, instruction.slots[2], lanes))
    return;
  uint64_t *d = warp.operand(instruction, 0), *p = warp.operand(instruction, 1);
  LaneMask set = 0;
  forEachLane(lanes, [&](unsigned i) { set |= LaneMask(p[i] & 1) << i; });
  if (instruction.mode & negatesPredicate)
    set = lanes & ~set;
  uint64_t result = vote(instruction.mode, set, lanes);
  forEachLane(lanes, [&](unsigned i) { d[i] = result; });
}

std::optional<uint16_t> parseVote(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<uint16_t>>(suffix)
      .Case("all", All)
      .Case("any", Any)
      .Case("uni", Uniform)
      .Case("ballot", Ballot)
      .Default(std::nullopt);
}

bool decodeVote(Builder &b) {
  if (!b.take("sync") || !b.takeAny<uint16_t>(b.instruction.mode, parseVote))
    return b.fail("unsupported kind of vote");
  b.takeType(b.instruction.type);
  if (b.numOperands() == 3 && b.operand(1).negated)
    b.instruction.mode |= negatesPredicate;
  b.instruction.handler = voteLanes;
  return b.expectOperands(3) && b.allOperands();
}

void activeMask(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  uint64_t *d = warp.operand(instruction, 0);
  forEachLane(lanes, [&](unsigned i) { d[i] = lanes; });
}

bool decodeActiveMask(Builder &b) {
  b.take("b32");
  b.instruction.handler = activeMask;
  return b.expectOperands(1) && b.allOperands();
}

/// redux.sync: one value of all members.
void reduce(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  if (!checkMembers(warp, instruction.slots[2], lanes))
    return;
  uint64_t *d = warp.operand(instruction, 0), *a = warp.operand(instruction, 1);
  bool isSignedType = isSigned(instruction.type);
  auto valueOf = [&](unsigned i) { return isSignedType ? int64_t(int32_t(a[i])) : uint32_t(a[i]); };
  int64_t result = valueOf(llvm::countr_zero(lanes));
  forEachLane(lanes & (lanes - 1), [&](unsigned i) {
    int64_t value = valueOf(i);
    result = instruction.mode == 0   ? result + value
             : instruction.mode == 1 ? std::min(result, value)
             : instruction.mode == 2 ? std::max(result, value)
             : instruction.mode == 3 ? result & value
             : instruction.mode == 4 ? result | value
                                     : result ^ value;
  });
  forEachLane(lanes, [&](unsigned i) { d[i] = uint32_t(result); });
}

bool decodeReduce(Builder &b) {
  static constexpr llvm::StringRef names[] = {"add", "min", "max", "and", "or", "xor"};
  b.take("sync");
  while (b.instruction.mode < 6 && !b.take(names[b.instruction.mode]))
    ++b.instruction.mode;
  b.takeType(b.instruction.type);
  b.instruction.handler = reduce;
  return b.instruction.mode < 6 && b.expectOperands(3) && b.allOperands();
}

} // namespace

void ucmoh::ptx::addShuffleInstructions(DecodeTable &table) {
  table["shfl"] = decodeShuffle;
  table["vote"] = decodeVote;
  table["activemask"] = decodeActiveMask;
  table["redux"] = decodeReduce;
}
