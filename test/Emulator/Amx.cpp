//===- Amx.cpp - Tiles
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Amx.h"
#include "DotProduct.h"
#include "VectorState.h"
#include <algorithm>
#include <cstring>
#include <iterator>

using namespace emulator;

static constexpr unsigned tileCount = 8, maxRows = 16, maxRowBytes = 64;

namespace {
/// The memory format of ldtilecfg and sttilecfg.
struct TileConfig {
  uint8_t palette = 0, startRow = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {}; ///< colsb
  uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

struct Tile {
  uint8_t rows[maxRows][maxRowBytes];

  uint32_t get(unsigned row, unsigned column) const {
    uint32_t value;
    std::memcpy(&value, rows[row] + 4 * column, sizeof(value));
    return value;
  }
  void set(unsigned row, unsigned column, uint32_t value) {
    std::memcpy(rows[row] + 4 * column, &value, sizeof(value));
  }
};

/// An operation on three tiles with their configuration.
struct Product {
  Tile &acc;
  const Tile &left, &right;
  unsigned m, n, k; ///< in 32-bit elements
};
} // namespace

// Not allocated on first use, which a signal handler must not do.
[[gnu::tls_model("initial-exec")]] static thread_local TileConfig config;
[[gnu::tls_model("initial-exec")]] static thread_local Tile tiles[tileCount];

//===----------------------------------------------------------------------===//
// Configuration
//===----------------------------------------------------------------------===//

/// Checks what else raises a general protection fault.
static bool isValid(const TileConfig &wanted) {
  if (wanted.palette > 1 || wanted.startRow)
    return false;
  auto isZero = [](auto value) { return value == 0; };
  if (!std::all_of(std::begin(wanted.reserved), std::end(wanted.reserved), isZero))
    return false;
  for (unsigned i = 0; i < 16; ++i) {
    unsigned rows = wanted.rows[i], bytes = wanted.rowBytes[i];
    if (rows > maxRows || bytes > maxRowBytes || !rows != !bytes || (i >= tileCount && rows))
      return false;
  }
  return true;
}

static bool loadConfig(const void *memory) {
  TileConfig wanted;
  std::memcpy(&wanted, memory, sizeof(wanted));
  if (wanted.palette == 0)
    wanted = TileConfig();
  if (!isValid(wanted))
    return false;
  config = wanted;
  std::memset(tiles, 0, sizeof(tiles));
  return true;
}

static bool isConfigured(unsigned tile) { return tile < tileCount && config.rows[tile]; }

static bool executeConfig(const Instruction &in) {
  if (in.vectorBytes != 16 || in.vvvv)
    return false;
  auto *memory = reinterpret_cast<void *>(in.address + in.indexBytes);
  if (in.isMemory && in.prefix == Prefix::None && in.reg == 0)
    return loadConfig(memory);
  if (in.isMemory && in.prefix == Prefix::P66 && in.reg == 0)
    return std::memcpy(memory, &config, sizeof(config)), true;
  if (in.isMemory || in.rm)
    return false;
  if (in.prefix == Prefix::None && in.reg == 0) { // tilerelease
    TileConfig none;
    return loadConfig(&none);
  }
  if (in.prefix != Prefix::PF2 || !isConfigured(in.reg))
    return false;
  std::memset(&tiles[in.reg], 0, sizeof(Tile)); // tilezero
  return true;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The index register is the distance of rows.
static bool executeMemory(const Instruction &in) {
  if (!in.isMemory || in.vvvv || in.vectorBytes != 16 || in.prefix == Prefix::None ||
      !isConfigured(in.reg))
    return false;
  bool isStore = in.prefix == Prefix::PF3;
  Tile loaded = {};
  for (unsigned row = 0; row < config.rows[in.reg]; ++row) {
    auto *memory = reinterpret_cast<uint8_t *>(in.address + row * in.indexBytes);
    if (isStore)
      std::memcpy(memory, tiles[in.reg].rows[row], config.rowBytes[in.reg]);
    else
      std::memcpy(loaded.rows[row], memory, config.rowBytes[in.reg]);
  }
  if (!isStore)
    tiles[in.reg] = loaded;
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static void multiplyBytes(const Product &p, bool leftSigned, bool rightSigned) {
  for (unsigned m = 0; m < p.m; ++m)
    for (unsigned k = 0; k < p.k; ++k)
      for (unsigned n = 0; n < p.n; ++n)
        p.acc.set(m, n,
                  dotBytes(p.acc.get(m, n), p.left.get(m, k), leftSigned, p.right.get(k, n),
                           rightSigned, /*saturate=*/false));
}

/// The manual's order of additions: one sum for even elements and one for odd ones, then both.
static void multiplyHalves(const Product &p, uint32_t (*widen)(uint16_t)) {
  for (unsigned m = 0; m < p.m; ++m)
    for (unsigned n = 0; n < p.n; ++n) {
      uint32_t even = 0, odd = 0;
      for (unsigned k = 0; k < p.k; ++k) {
        uint32_t left = p.left.get(m, k), right = p.right.get(k, n);
        even = fuseMultiplyAdd(widen(left), widen(right), even);
        odd = fuseMultiplyAdd(widen(left >> 16), widen(right >> 16), odd);
      }
      p.acc.set(m, n, addFloats(p.acc.get(m, n), addFloats(even, odd)));
    }
}

/// Three different tiles whose shapes fit: ModRM.reg [m, n] += ModRM.rm [m, k] * vvvv [k, n].
static bool areOperands(const Instruction &in) {
  unsigned acc = in.reg, left = in.rm, right = in.vvvv;
  if (in.isMemory || in.vectorBytes != 16 || !isConfigured(acc) || !isConfigured(left) ||
      !isConfigured(right) || acc == left || acc == right || left == right)
    return false;
  return config.rows[acc] == config.rows[left] && config.rowBytes[acc] == config.rowBytes[right] &&
         config.rowBytes[left] == 4 * config.rows[right] && config.rowBytes[acc] % 4 == 0;
}

static bool executeProduct(const Instruction &in) {
  if (!areOperands(in))
    return false;
  Product product = {tiles[in.reg],
                     tiles[in.rm],
                     tiles[in.vvvv],
                     config.rows[in.reg],
                     config.rowBytes[in.reg] / 4u,
                     config.rows[in.vvvv]};
  if (in.opcode == 0x5e) // F2: ss, F3: su, 66: us, none: uu
    multiplyBytes(product, in.prefix == Prefix::PF2 || in.prefix == Prefix::PF3,
                  in.prefix == Prefix::PF2 || in.prefix == Prefix::P66);
  else if (in.prefix == Prefix::PF3)
    multiplyHalves(product, widenBf16);
  else if (in.prefix == Prefix::PF2)
    multiplyHalves(product, widenF16);
  else
    return false; // 66 and none are the complex products of another extension
  return true;
}

static bool execute(const Instruction &in) {
  if (in.isEvex || in.w)
    return false;
  switch (in.opcode) {
  case 0x49:
    return executeConfig(in);
  case 0x4b:
    return executeMemory(in);
  case 0x5c:
  case 0x5e:
    return executeProduct(in);
  default:
    return false;
  }
}

/// A CPU that has tiles, but not this instruction on them, keeps them in the frame.
bool emulator::executeAmx(const Instruction &in, ucontext_t &context) {
  static_assert(sizeof(config) == VectorState::tileConfigBytes);
  static_assert(sizeof(tiles) == VectorState::tileBytes);
  VectorState state(context);
  if (!state.hasTiles())
    return execute(in);
  state.readTiles(&config, tiles);
  if (!execute(in))
    return false;
  state.writeTiles(tiles);
  return true;
}
