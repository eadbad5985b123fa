//===- AtomicInstructions.cpp - atom and red ------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Builder.h"
#include "FloatFamily.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh::ptx;

namespace {

enum Operation : uint16_t { AddTo, Exchange, CompareExchange, MinOf, MaxOf, AndOf, OrOf, XorOf };

std::optional<uint16_t> parseOperation(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<uint16_t>>(suffix)
      .Case("add", AddTo)
      .Case("exch", Exchange)
      .Case("cas", CompareExchange)
      .Case("min", MinOf)
      .Case("max", MaxOf)
      .Case("and", AndOf)
      .Case("or", OrOf)
      .Case("xor", XorOf)
      .Default(std::nullopt);
}

template <typename T> T combineBits(uint16_t operation, T old, T value) {
  if constexpr (std::is_integral_v<T>) {
    if (operation == AndOf)
      return old & value;
    if (operation == OrOf)
      return old | value;
    if (operation == XorOf)
      return old ^ value;
    if (operation == AddTo)
      return T(uint64_t(old) + uint64_t(value));
  }
  if (operation == AddTo)
    return old + value;
  if (operation == MinOf)
    return std::min(old, value);
  return operation == MaxOf ? std::max(old, value) : value;
}

template <Type type> struct Combine {
  uint16_t operation;
  template <typename T> T operator()(T old, T value) const {
    return combineBits(operation, old, value);
  }
};

/// The lanes act one after the other.
template <Type type> void update(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  bool returns = instruction.numResults != 0;
  unsigned first = instruction.numResults, size = bytesOf(type);
  uint64_t *base = warp.operand(instruction, first), *a = warp.operand(instruction, first + 1);
  uint64_t *b = instruction.mode == CompareExchange ? warp.operand(instruction, first + 2) : a;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t address = base[lane] + instruction.offset, old = 0, value = a[lane];
    uint8_t *bytes = warp.access(instruction, lane, address, size, Access::Update);
    if (!bytes)
      return;
    std::memcpy(&old, bytes, size);
    if (instruction.mode == CompareExchange)
      value = std::memcmp(&old, &value, size) == 0 ? b[lane] : old;
    else
      value = Evaluate<type>::run(Combine<type>{instruction.mode}, old, value);
    std::memcpy(bytes, &value, size);
    if (returns)
      warp.operand(instruction, 0)[lane] = old;
  });
}

struct Update {
  template <Type type> static constexpr Instruction::Handler handler = update<type>;
};

bool decodeAtomic(Builder &b) {
  Instruction &instruction = b.instruction;
  bool returns = b.base() == "atom";
  b.takeHints();
  b.takeSpace();
  b.take("noftz");
  Type type = Type::None;
  if (!b.takeAny<uint16_t>(instruction.mode, parseOperation) || !b.takeType(type))
    return b.fail("unsupported atomic operation");
  instruction.handler = isFloat(type) ? floatHandler<Update>(type) : integerHandler<Update>(type);
  if ((returns && !b.result(0)) || !b.address(returns))
    return false;
  for (size_t i = returns + 1; i < b.numOperands(); ++i)
    if (!b.source(i))
      return false;
  return instruction.slots.size() == returns + 2u + (instruction.mode == CompareExchange) ||
         b.fail("wrong number of operands");
}

} // namespace

void ucmoh::ptx::addAtomicInstructions(DecodeTable &table) {
  table["atom"] = decodeAtomic;
  table["red"] = decodeAtomic;
}
