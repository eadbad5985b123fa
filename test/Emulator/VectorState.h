//===- VectorState.h - The vector registers of an interrupted program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_EMULATOR_VECTORSTATE_H
#define UCMOH_TEST_EMULATOR_VECTORSTATE_H

#include <array>
#include <cstdint>
#include <ucontext.h>

namespace emulator {

/// A register of 512 bits.
struct alignas(64) Vector {
  std::array<uint8_t, 64> bytes = {};
};

/// The vector registers in a signal's frame: an XSAVE area in its standard form, which the kernel
/// restores when the handler returns. Components that the program left in their initial state are
/// absent: they read as zero, and come into being when they are written.
class VectorState {
public:
  explicit VectorState(ucontext_t &context);

  Vector read(unsigned number) const;
  /// Writes all 512 bits.
  void write(unsigned number, const Vector &value);
  uint64_t readMask(unsigned number) const;
  /// Whether the frame has room for zmm registers.
  bool has512Bits() const;

  static constexpr unsigned tileConfigBytes = 64, tileBytes = 8192;
  /// Whether the CPU itself has tiles, and this process the permission to use them.
  bool hasTiles() const;
  void readTiles(void *config, void *tiles) const;
  void writeTiles(const void *tiles);

private:
  /// Numbers of XSAVE's components.
  enum Component {
    Sse = 1,
    Avx = 2,
    Opmask = 5,
    ZmmHigh256 = 6,
    HighZmm = 7,
    TileConfig = 17,
    TileData
  };
  /// One part of a register: where it is in the frame, and of how many bytes.
  struct Part {
    Component component;
    unsigned offset, size;
  };
  static std::array<Part, 3> partsOf(unsigned number);
  bool isPresent(Component component) const;
  void copy(Component component, void *to, unsigned size) const;
  void makePresent(Component component);

  uint8_t *area;
  uint64_t available = 0; ///< components that the frame has room for
};

} // namespace emulator

#endif // UCMOH_TEST_EMULATOR_VECTORSTATE_H
