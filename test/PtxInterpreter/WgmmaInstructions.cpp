//===- WgmmaInstructions.cpp - wgmma --------------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Builder.h"
#include "CudaTypes.h"
#include "Multiply.h"
#include "TensorMap.h"

using namespace ucmoh::ptx;

namespace {

/// `mode`: the type of B, and above it what is negated, transposed and in registers.
enum : uint16_t {
  NegatesA = 256,
  NegatesB = 512,
  TransposesA = 1024,
  TransposesB = 2048,
  HasRegistersOfA = 4096
};
Type typeOfB(const Instruction &instruction) { return Type(instruction.mode & 255); }

/// A matrix in shared memory as its 64-bit descriptor says.
struct Descriptor {
  uint32_t start, leading, stride;
  /// As in a tensor map: 1, 2, 3 for 32, 64, 128 bytes.
  unsigned swizzle;

  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4),
        stride((bits >> 32 & 0x3fff) << 4), swizzle(-(bits >> 62) & 3) {}

  /// Where the element is with index `i` in m or n and `k`. The unit is a core matrix: 8 rows of
  /// 16 bytes, or with a swizzle 8 rows of its width.
  uint64_t addressOf(unsigned i, unsigned k, unsigned bytes, bool isTransposed) const {
    unsigned row = isTransposed ? k : i, column = isTransposed ? i : k;
    unsigned width = 16u << swizzle, columns = width / bytes;
    uint64_t place = start + row % 8 * width + column % columns * bytes;
    // Without a swizzle the leading offset steps along k, the other along m and n.
    bool swaps = isTransposed && swizzle == 0;
    place += uint64_t(row / 8) * (swaps ? leading : stride);
    place += uint64_t(column / columns) * (swaps ? stride : leading);
    return swizzleAddress(place, swizzle);
  }
};

template <typename T>
T readShared(Warp &warp, const Descriptor &descriptor, Type type, unsigned i, unsigned k,
             bool isTransposed) {
  unsigned bytes = bytesOf(type);
  uint64_t word = 0, address = descriptor.addressOf(i, k, bytes, isTransposed);
  if (!warp.block.launch.error)
    if (uint8_t *place = warp.accessSpace(Space::Shared, 0, address, bytes, Access::Read))
      std::memcpy(&word, place, bytes);
  return decodeElement<T>(type, word);
}

/// The 16 rows of A that this warp of the four multiplies.
template <typename T> Matrix<T> readA(Warp &warp, const Instruction &instruction) {
  unsigned depth = instruction.extent[2], first = instruction.numResults;
  Type type = instruction.sourceType;
  Matrix<T> a(16, depth);
  int sign = instruction.mode & NegatesA ? -1 : 1;
  if (instruction.mode & HasRegistersOfA) {
    forEachOfA(16, depth, bitsOf(type),
               [&](unsigned reg, unsigned element, unsigned lane, unsigned row, unsigned column) {
                 uint64_t word = warp.operand(instruction, first + reg)[lane];
                 a.at(row, column) =
                     sign * decodeElement<T>(type, word >> (bitsOf(type) * element));
               });
    return a;
  }
  Descriptor descriptor(warp.operand(instruction, first)[0]);
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < depth; ++k)
      a.at(row, k) = sign * readShared<T>(warp, descriptor, type, row + warp.index % 4 * 16, k,
                                          instruction.mode & TransposesA);
  return a;
}

template <typename T> Matrix<T> readB(Warp &warp, const Instruction &instruction, unsigned slot) {
  Descriptor descriptor(warp.operand(instruction, slot)[0]);
  Matrix<T> b(instruction.extent[2], instruction.extent[1]);
  int sign = instruction.mode & NegatesB ? -1 : 1;
  for (unsigned n = 0; n < instruction.extent[1]; ++n)
    for (unsigned k = 0; k < instruction.extent[2]; ++k)
      b.at(k, n) = sign * readShared<T>(warp, descriptor, typeOfB(instruction), n, k,
                                        instruction.mode & TransposesB);
  return b;
}

/// D is read only if the predicate behind the operands says so.
template <typename T> void multiplyGroup(Warp &warp, const Instruction &instruction, LaneMask) {
  unsigned last = instruction.slots.size() - 1;
  bool accumulates = warp.operand(instruction, last)[0] & 1;
  Matrix<T> a = readA<T>(warp, instruction), b = readB<T>(warp, instruction, last - 1);
  std::vector<uint64_t> results(instruction.numResults * warpSize);
  forEachOfC(16, instruction.extent[1], bitsOf(instruction.type),
             [&](unsigned reg, unsigned half, unsigned lane, unsigned row, unsigned column) {
               uint64_t c = accumulates ? warp.operand(instruction, reg)[lane] >> (16 * half) : 0;
               results[reg * warpSize + lane] |= multiplyElement(instruction, a, b, row, column, c)
                                                 << (16 * half);
             });
  for (unsigned reg = 0; reg < instruction.numResults; ++reg)
    std::copy_n(&results[reg * warpSize], warpSize, warp.operand(instruction, reg));
  ++warp.block.launch.statistics.wgmma;
}

/// Immediates behind the predicate: signs of A and B, then what is transposed.
bool takeImmediates(Builder &b, size_t first) {
  static constexpr uint16_t signs[] = {NegatesA, NegatesB};
  for (size_t i = first; i < b.numOperands(); ++i) {
    int64_t value = b.operand(i).value;
    if (b.operand(i).kind != OperandSyntax::Integer)
      return b.fail("immediates are expected behind the predicate");
    if (i - first < 2)
      b.instruction.mode |= value < 0 ? signs[i - first] : 0;
    else if (value)
      b.instruction.mode |= i + 1 == b.numOperands() ? TransposesB : TransposesA;
  }
  return true;
}

bool decodeMultiply(Builder &b) {
  Instruction &instruction = b.instruction;
  Type second = Type::None;
  instruction.isAligned = true;
  if (!b.take("sync") || !b.take("aligned") || !b.takeExtent("m"))
    return b.fail("unsupported form of wgmma");
  instruction.saturate = b.take("satfinite");
  if (!b.takeType(instruction.type) || !b.takeType(instruction.sourceType) || !b.takeType(second))
    return b.fail("wgmma needs three types");
  if (b.numOperands() < 4 || instruction.extent[0] != 64 ||
      instruction.extent[2] * bitsOf(second) != 256)
    return b.fail("unknown shape of wgmma for these types");
  instruction.mode = uint16_t(second);
  if (b.operand(1).kind == OperandSyntax::Vector)
    instruction.mode |= HasRegistersOfA;
  instruction.handler =
      instruction.type == Type::S32 ? multiplyGroup<int64_t> : multiplyGroup<float>;
  return b.result(0) && b.source(1) && b.source(2) && b.source(3) && takeImmediates(b, 4) &&
         (instruction.numResults == registersOf(16 * instruction.extent[1], instruction.type) ||
          b.fail("wrong number of registers"));
}

void ignore(Warp &, const Instruction &, LaneMask) {}

bool decodeWgmma(Builder &b) {
  if (b.take("mma_async"))
    return decodeMultiply(b);
  if (!b.take("fence") && !b.take("commit_group") && !b.take("wait_group"))
    return b.fail("unsupported form of wgmma");
  b.take("sync");
  b.take("aligned");
  b.instruction.isAligned = true;
  b.instruction.handler = ignore;
  return true;
}

} // namespace

void ucmoh::ptx::addWgmmaInstructions(DecodeTable &table) { table["wgmma"] = decodeWgmma; }
