//===- WmmaInstructions.cpp - wmma.load, wmma.mma and wmma.store ----------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Builder.h"
#include "CudaTypes.h"
#include "Multiply.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh::ptx;

namespace {

enum Role : uint16_t { RoleA, RoleB, RoleC };
constexpr uint16_t isColumnMajor = 4;

/// The rows and columns of a matrix of the tile.
std::pair<unsigned, unsigned> extentOf(const Instruction &instruction, Role role) {
  const uint16_t *extent = instruction.extent;
  return {role == RoleB ? extent[2] : extent[0], role == RoleA ? extent[2] : extent[1]};
}

/// The layout is that of mma.sync, with more row or column groups. A lane has 8 registers for A and
/// for B of f16 whatever the shape; those beyond its share repeat it.
template <typename Action>
void forEachElement(const Instruction &instruction, Role role, Type type, Action action) {
  auto [rows, columns] = extentOf(instruction, role);
  if (role == RoleA)
    forEachOfA(rows, columns, bitsOf(type), action);
  else if (role == RoleB)
    forEachOfB(rows, columns, bitsOf(type), action);
  else
    forEachOfC(rows, columns, bitsOf(type), action);
}

unsigned fragmentRegisters(const Instruction &instruction, Role role, Type type) {
  auto [rows, columns] = extentOf(instruction, role);
  return role != RoleC && type == Type::F16 ? 8 : registersOf(rows * columns, type);
}

/// Base and distance of rows (or columns) in bytes; false after an error.
bool findTile(Warp &warp, const Instruction &instruction, unsigned slot, uint64_t &base,
              uint64_t &stride) {
  auto role = Role(instruction.mode & 3);
  auto [rows, columns] = extentOf(instruction, role);
  unsigned bytes = bytesOf(instruction.type), last = instruction.slots.size() - 1;
  base = warp.operand(instruction, slot)[0] + instruction.offset;
  stride = instruction.mode & isColumnMajor ? rows : columns;
  if (instruction.count)
    stride = uint32_t(warp.operand(instruction, last)[0]);
  stride *= bytes;
  if (base % 16 == 0 && stride % 16 == 0)
    return true;
  warp.fail(0, CUDA_ERROR_MISALIGNED_ADDRESS,
            "base and stride of a wmma tile must be multiples of 16 bytes");
  return false;
}

template <Access access, typename Action>
void forEachInMemory(Warp &warp, const Instruction &instruction, unsigned slot, Action action) {
  uint64_t base, stride;
  if (!findTile(warp, instruction, slot, base, stride))
    return;
  unsigned size = bytesOf(instruction.type);
  forEachElement(instruction, Role(instruction.mode & 3), instruction.type,
                 [&](unsigned reg, unsigned element, unsigned lane, unsigned row, unsigned column) {
                   if (instruction.mode & isColumnMajor)
                     std::swap(row, column);
                   uint64_t address = base + row * stride + column * size;
                   if (uint8_t *bytes =
                           warp.accessSpace(instruction.space, lane, address, size, access))
                     action(reg, element * 8 * size, lane, bytes);
                 });
}

void loadTile(Warp &warp, const Instruction &instruction, LaneMask) {
  unsigned registers = instruction.numResults, size = bytesOf(instruction.type);
  uint64_t values[16][warpSize] = {};
  unsigned share = 0;
  forEachInMemory<Access::Read>(warp, instruction, registers,
                                [&](unsigned reg, unsigned shift, unsigned lane, uint8_t *bytes) {
                                  uint64_t bits = 0;
                                  std::memcpy(&bits, bytes, size);
                                  values[reg][lane] |= bits << shift;
                                  share = std::max(share, reg + 1);
                                });
  for (unsigned reg = 0; share && reg < registers; ++reg)
    std::copy_n(values[reg % share], warpSize, warp.operand(instruction, reg));
}

void storeTile(Warp &warp, const Instruction &instruction, LaneMask) {
  unsigned size = bytesOf(instruction.type);
  forEachInMemory<Access::Write>(
      warp, instruction, 0, [&](unsigned reg, unsigned shift, unsigned lane, uint8_t *bytes) {
        uint64_t bits = warp.operand(instruction, 1 + reg)[lane] >> shift;
        std::memcpy(bytes, &bits, size);
      });
}

template <typename T>
Matrix<T> readTile(Warp &warp, const Instruction &instruction, Role role, Type type,
                   unsigned first) {
  auto [rows, columns] = extentOf(instruction, role);
  Matrix<T> matrix(rows, columns);
  forEachElement(instruction, role, type,
                 [&](unsigned reg, unsigned element, unsigned lane, unsigned row, unsigned column) {
                   uint64_t word = warp.operand(instruction, first + reg)[lane];
                   word >>= bitsOf(type) < 32 ? bitsOf(type) * element : 0;
                   matrix.at(row, column) = decodeElement<T>(type, word);
                 });
  return matrix;
}

template <typename T> void multiplyTiles(Warp &warp, const Instruction &instruction, LaneMask) {
  Type typeOfA = instruction.sourceType, typeOfB = Type(instruction.mode);
  unsigned first = instruction.numResults;
  unsigned second = first + fragmentRegisters(instruction, RoleA, typeOfA);
  unsigned third = second + fragmentRegisters(instruction, RoleB, typeOfB);
  auto a = readTile<T>(warp, instruction, RoleA, typeOfA, first);
  auto b = readTile<T>(warp, instruction, RoleB, typeOfB, second);
  std::vector<uint64_t> results(instruction.numResults * warpSize);
  ++warp.block.launch.statistics.mma;
  forEachElement(instruction, RoleC, instruction.type,
                 [&](unsigned reg, unsigned half, unsigned lane, unsigned row, unsigned column) {
                   uint64_t c = warp.operand(instruction, third + reg)[lane] >> (16 * half);
                   results[reg * warpSize + lane] |=
                       multiplyElement(instruction, a, b, row, column, c) << (16 * half);
                 });
  for (unsigned reg = 0; reg < instruction.numResults; ++reg)
    std::copy_n(&results[reg * warpSize], warpSize, warp.operand(instruction, reg));
}

std::optional<uint16_t> parseRole(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<uint16_t>>(suffix)
      .Case("a", RoleA)
      .Case("b", RoleB)
      .Cases({"c", "d"}, RoleC)
      .Default(std::nullopt);
}

bool takeTile(Builder &b) {
  b.instruction.isAligned = true;
  return b.take("sync") && b.take("aligned") && b.takeExtent("m");
}

/// `count` says whether a stride is given.
bool decodeTransfer(Builder &b, bool isLoad) {
  Instruction &instruction = b.instruction;
  if (!b.takeAny<uint16_t>(instruction.mode, parseRole) || !takeTile(b))
    return b.fail("unsupported form of wmma");
  auto role = Role(instruction.mode);
  bool isColumns = b.take("col");
  if (!isColumns && !b.take("row"))
    return b.fail("wmma needs .row or .col");
  instruction.mode |= isColumns ? isColumnMajor : 0;
  b.takeSpace();
  b.takeType(instruction.type);
  instruction.count = b.numOperands() > 2;
  instruction.handler = isLoad ? loadTile : storeTile;
  unsigned registers = fragmentRegisters(instruction, role, instruction.type);
  if (!(isLoad ? b.result(0) && b.address(1) : b.address(0) && b.source(1)))
    return false;
  if (instruction.slots.size() != registers + 1 || registers > 16)
    return b.fail("wrong number of registers");
  return !instruction.count || b.source(2);
}

bool decodeMultiply(Builder &b) {
  Instruction &instruction = b.instruction;
  llvm::SmallVector<Type, 4> types;
  if (!takeTile(b))
    return b.fail("unsupported form of wmma");
  // The layouts say nothing any more: fragments know.
  for (unsigned i = 0; i < 2; ++i)
    if (!b.take("row"))
      b.take("col");
  instruction.saturate = b.take("satfinite");
  for (Type type = Type::None; b.takeType(type);)
    types.push_back(type);
  if ((types.size() != 2 && types.size() != 4) || types.front() != types.back())
    return b.fail("types of wmma that differ in C and D are not supported");
  instruction.type = types.front();
  instruction.sourceType = types.size() == 4 ? types[1] : Type::F16;
  instruction.mode = uint16_t(types.size() == 4 ? types[2] : Type::F16);
  instruction.handler = instruction.type == Type::F64   ? multiplyTiles<double>
                        : instruction.type == Type::S32 ? multiplyTiles<int64_t>
                                                        : multiplyTiles<float>;
  unsigned registers = fragmentRegisters(instruction, RoleA, instruction.sourceType) +
                       fragmentRegisters(instruction, RoleB, Type(instruction.mode)) +
                       2 * fragmentRegisters(instruction, RoleC, instruction.type);
  return b.expectOperands(4) && b.allOperands() &&
         (instruction.slots.size() == registers || b.fail("wrong number of registers"));
}

bool decodeWmma(Builder &b) {
  if (b.take("load"))
    return decodeTransfer(b, /*isLoad=*/true);
  if (b.take("store"))
    return decodeTransfer(b, /*isLoad=*/false);
  return b.take("mma") ? decodeMultiply(b) : b.fail("unsupported form of wmma");
}

} // namespace

void ucmoh::ptx::addWmmaInstructions(DecodeTable &table) { table["wmma"] = decodeWmma; }
