//===- MmaInstructions.cpp - mma.sync -------------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Builder.h"
#include "Fragment.h"
#include "Multiply.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh::ptx;

namespace {

/// A and B have the types `sourceType` and, as `mode`, another; C and D the type `type`.
template <typename T, bool isB>
Matrix<T> readFragment(Warp &warp, const Instruction &instruction, unsigned first) {
  const uint16_t *extent = instruction.extent;
  Type type = isB ? Type(instruction.mode) : instruction.sourceType;
  unsigned bits = bitsOf(type), rows = isB ? extent[2] : extent[0];
  unsigned columns = isB ? extent[1] : extent[2];
  Matrix<T> matrix(rows, columns);
  auto read = [&](unsigned reg, unsigned element, unsigned lane, unsigned row, unsigned column) {
    uint64_t word = warp.operand(instruction, first + reg)[lane];
    matrix.at(row, column) = decodeElement<T>(type, word >> (bits < 32 ? bits * element : 0));
  };
  if (isB)
    forEachOfB(rows, columns, bits, read);
  else
    forEachOfA(rows, columns, bits, read);
  return matrix;
}

/// `T` is the type of the accumulation: float, double or int64_t.
template <typename T> void multiplyFragments(Warp &warp, const Instruction &instruction, LaneMask) {
  const uint16_t *extent = instruction.extent;
  unsigned first = instruction.numResults;
  unsigned registersOfA = registersOf(extent[0] * extent[2], instruction.sourceType);
  unsigned registersOfB = registersOf(extent[1] * extent[2], Type(instruction.mode));
  auto a = readFragment<T, false>(warp, instruction, first);
  auto b = readFragment<T, true>(warp, instruction, first + registersOfA);
  unsigned bits = bitsOf(instruction.type);
  Matrix<uint64_t> d(extent[0], extent[1]);
  ++warp.block.launch.statistics.mma;
  forEachOfC(extent[0], extent[1], bits,
             [&](unsigned reg, unsigned half, unsigned lane, unsigned row, unsigned column) {
               unsigned slot = first + registersOfA + registersOfB + reg;
               uint64_t c = warp.operand(instruction, slot)[lane] >> (16 * half);
               d.at(row, column) = multiplyElement(instruction, a, b, row, column, c);
             });
  forEachOfC(extent[0], extent[1], bits,
             [&](unsigned reg, unsigned half, unsigned lane, unsigned row, unsigned column) {
               uint64_t &word = warp.operand(instruction, reg)[lane];
               uint64_t value = d.at(row, column);
               word = half == 0 ? value : (word & 0xffff) | value << 16;
             });
}

bool isKnownShape(const Instruction &instruction) {
  static constexpr uint16_t shapes[][4] = {{16, 8, 16, 16}, {16, 8, 8, 16}, {16, 8, 8, 32},
                                           {16, 8, 4, 32},  {16, 8, 32, 8}, {16, 8, 16, 8},
                                           {8, 8, 16, 8},   {8, 8, 4, 64}};
  return llvm::any_of(shapes, [&](const uint16_t *shape) {
    return std::equal(shape, shape + 3, instruction.extent) &&
           shape[3] == bitsOf(instruction.sourceType);
  });
}

/// The order of the types is D, A, B, C.
bool takeTypes(Builder &b) {
  Type a = Type::None, second = Type::None, c = Type::None;
  Instruction &instruction = b.instruction;
  if (!b.takeType(instruction.type) || !b.takeType(a) || !b.takeType(second) || !b.takeType(c))
    return b.fail("mma needs four types");
  instruction.sourceType = a;
  instruction.mode = uint16_t(second);
  if (c != instruction.type || bitsOf(a) != bitsOf(second))
    return b.fail("types of mma that differ in C and D are not supported");
  return isKnownShape(instruction) || b.fail("unknown shape of mma for this type");
}

bool checkRegisters(Builder &b) {
  const Instruction &instruction = b.instruction;
  const uint16_t *extent = instruction.extent;
  unsigned a = registersOf(extent[0] * extent[2], instruction.sourceType);
  unsigned second = registersOf(extent[1] * extent[2], Type(instruction.mode));
  unsigned c = registersOf(extent[0] * extent[1], instruction.type);
  return (instruction.numResults == c && instruction.slots.size() == a + second + 2 * c) ||
         b.fail("wrong number of registers");
}

bool decodeMma(Builder &b) {
  Instruction &instruction = b.instruction;
  instruction.isAligned = true;
  if (!b.take("sync") || !b.take("aligned") || !b.takeExtent("m") || !b.take("row") ||
      !b.take("col"))
    return b.fail("mma is .sync.aligned.mMnNkK.row.col");
  instruction.saturate = b.take("satfinite");
  if (!takeTypes(b) || !b.expectOperands(4) || !b.allOperands())
    return false;
  instruction.handler = instruction.type == Type::F64   ? multiplyFragments<double>
                        : instruction.type == Type::S32 ? multiplyFragments<int64_t>
                                                        : multiplyFragments<float>;
  return checkRegisters(b);
}

} // namespace

void ucmoh::ptx::addMmaInstructions(DecodeTable &table) { table["mma"] = decodeMma; }
