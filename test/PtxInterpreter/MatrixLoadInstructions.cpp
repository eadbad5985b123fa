//===- MatrixLoadInstructions.cpp - ldmatrix and stmatrix -----------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankConflicts.h"
#include "Block.h"
#include "Builder.h"
#include "CudaTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh::ptx;

namespace {

/// A row of an 8x8 matrix of 16-bit elements.
constexpr unsigned rowBytes = 16;

/// Row r of matrix m lies where lane 8 m + r says. The lanes of the matrices that are there.
LaneMask addressLanes(unsigned matrices) {
  return matrices == 4 ? allLanes : (LaneMask(1) << (8 * matrices)) - 1;
}

/// The rows in shared memory, or false after an error.
bool findRows(Warp &warp, const Instruction &instruction, const uint64_t *base, Access access,
              uint8_t *rows[warpSize]) {
  bool isFine = true;
  forEachLane(addressLanes(instruction.count), [&](unsigned lane) {
    uint64_t address = base[lane] + instruction.offset;
    if (isFine)
      rows[lane] = warp.access(instruction, lane, address, rowBytes, access);
    isFine &= rows[lane] != nullptr;
  });
  return isFine;
}

void countMatrices(Warp &warp, const Instruction &instruction, const uint64_t *base) {
  Statistics &statistics = warp.block.launch.statistics;
  ++statistics.ldmatrix;
  statistics.ldmatrixConflicts +=
      countBankConflicts(addressLanes(instruction.count), rowBytes,
                         [&](unsigned lane) { return base[lane] + instruction.offset; });
}

/// Lane l has the elements 2 (l % 4) and the next of row l / 4; transposed, of column l / 4.
void elementPlace(const Instruction &instruction, unsigned lane, unsigned half, unsigned &row,
                  unsigned &column) {
  row = lane / 4;
  column = lane % 4 * 2 + half;
  if (instruction.mode)
    std::swap(row, column);
}

void loadMatrices(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  const uint64_t *base = warp.operand(instruction, instruction.count);
  uint8_t *rows[warpSize] = {};
  countMatrices(warp, instruction, base);
  if (!findRows(warp, instruction, base, Access::Read, rows))
    return;
  for (unsigned matrix = 0; matrix < instruction.count; ++matrix) {
    uint64_t *d = warp.operand(instruction, matrix);
    forEachLane(lanes, [&](unsigned lane) {
      uint16_t halves[2];
      for (unsigned half = 0; half < 2; ++half) {
        unsigned row, column;
        elementPlace(instruction, lane, half, row, column);
        std::memcpy(&halves[half], rows[8 * matrix + row] + 2 * column, 2);
      }
      d[lane] = halves[0] | uint32_t(halves[1]) << 16;
    });
  }
}

void storeMatrices(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  const uint64_t *base = warp.operand(instruction, 0);
  uint8_t *rows[warpSize] = {};
  if (!findRows(warp, instruction, base, Access::Write, rows))
    return;
  for (unsigned matrix = 0; matrix < instruction.count; ++matrix) {
    uint64_t *a = warp.operand(instruction, 1 + matrix);
    forEachLane(lanes, [&](unsigned lane) {
      for (unsigned half = 0; half < 2; ++half) {
        unsigned row, column;
        elementPlace(instruction, lane, half, row, column);
        uint16_t value = a[lane] >> (16 * half);
        std::memcpy(rows[8 * matrix + row] + 2 * column, &value, 2);
      }
    });
  }
}

std::optional<uint16_t> parseMatrices(llvm::StringRef suffix) {
  return llvm::StringSwitch<std::optional<uint16_t>>(suffix)
      .Case("x1", 1)
      .Case("x2", 2)
      .Case("x4", 4)
      .Default(std::nullopt);
}

bool takeMatrices(Builder &b) {
  b.take("sync");
  b.take("aligned");
  b.instruction.isAligned = true;
  b.instruction.mode = b.take("trans");
  if (!b.take("m8n8") || !b.takeAny<uint16_t>(b.instruction.count, parseMatrices) || !b.take("b16"))
    return b.fail("matrices are .m8n8 of .b16, .x1, .x2 or .x4");
  b.takeSpace();
  return true;
}

bool decodeLoadMatrix(Builder &b) {
  b.instruction.handler = loadMatrices;
  return takeMatrices(b) && b.expectOperands(2) && b.result(0) && b.address(1) &&
         (b.instruction.numResults == b.instruction.count || b.fail("wrong number of registers"));
}

bool decodeStoreMatrix(Builder &b) {
  b.instruction.handler = storeMatrices;
  return takeMatrices(b) && b.expectOperands(2) && b.address(0) && b.source(1) &&
         (b.instruction.slots.size() == b.instruction.count + 1u ||
          b.fail("wrong number of registers"));
}

} // namespace

void ucmoh::ptx::addMatrixLoadInstructions(DecodeTable &table) {
  table["ldmatrix"] = decodeLoadMatrix;
  table["stmatrix"] = decodeStoreMatrix;
}
