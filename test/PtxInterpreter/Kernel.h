//===- Kernel.h - Decoded instructions --------------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_KERNEL_H
#define UCMOH_PTXINTERPRETER_KERNEL_H

#include "FloatFormat.h"
#include "Syntax.h"
#include "llvm/ADT/SmallVector.h"

namespace ucmoh::ptx {

class Warp;

/// A place in the register file of a warp: 32 lanes of 64 bits. Registers have one, and so have
/// constants, addresses of variables and special registers, so that an instruction has one kind of
/// operand. Narrow values use the low bits; what is above them has no meaning.
using Slot = uint32_t;
using LaneMask = uint32_t;
constexpr unsigned warpSize = 32;
constexpr LaneMask allLanes = ~LaneMask(0);

/// Takes what nobody reads: the `_` among results.
constexpr Slot sinkSlot = 0;

/// Registers that the launch fills in.
enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  LaneMaskEq,
  LaneMaskLe,
  LaneMaskLt,
  LaneMaskGe,
  LaneMaskGt,
  DynamicSharedBytes,
  TotalSharedBytes,
  Zero,
  One
};

/// An instruction after decoding. Nothing here is text: a handler gets the active lanes and finds
/// its operands by slot, results first.
struct Instruction {
  using Handler = void (*)(Warp &warp, const Instruction &instruction, LaneMask lanes);

  Handler handler = nullptr;
  llvm::SmallVector<Slot, 5> slots;
  unsigned numResults = 0;
  unsigned line = 0;
  Slot guard = 0;
  bool isGuarded = false;
  bool guardNegated = false;
  /// All 32 lanes must execute it together.
  bool isAligned = false;
  /// Sets the program counter itself.
  bool isControl = false;
  /// Goes to `offset`; where lanes part here they meet again at `join`.
  bool isBranch = false;
  /// Even without a guard some lanes may go on behind it.
  bool isPartial = false;
  uint32_t join = 0;
  /// Moves values without looking at them: what is undefined stays undefined and is no error.
  bool isMove = false;
  bool flushDenormals = false;
  bool saturate = false;
  bool isHigh = false;
  Rounding rounding = Rounding::NearestEven;
  Space space = Space::Generic;
  Type type = Type::None;
  Type sourceType = Type::None;
  /// Elements of a vector access, matrices of ldmatrix, rows of a tile.
  uint16_t count = 1;
  /// The handler's group reads it: a comparison, a mode, a layout.
  uint16_t mode = 0;
  uint16_t extent[3] = {0, 0, 0};
  /// Displacement of an address, or the target of a branch.
  int64_t offset = 0;
  /// Displacements of slots that are addresses, where an instruction has several; or empty.
  llvm::SmallVector<int64_t, 0> displacements;
  /// Displacement of the second address of a copy.
  int64_t sourceOffset = 0;
};

/// A kernel ready to run.
struct Kernel {
  struct Parameter {
    uint32_t offset, size;
  };

  std::string name;
  std::vector<Instruction> code;
  unsigned numSlots = 1;
  std::vector<std::pair<Slot, uint64_t>> constants;
  std::vector<std::pair<Slot, Special>> specials;
  std::vector<Parameter> parameters;
  unsigned parameterBytes = 0;
  unsigned localBytes = 0;
  unsigned staticSharedBytes = 0;
  /// .reqntid and .maxntid, 0 where not given.
  unsigned requiredThreads[3] = {0, 0, 0};
  unsigned maxThreads = 0;
  /// Set by cuFuncSetAttribute.
  int maxDynamicSharedBytes = 48 * 1024;
  const ModuleSyntax *module = nullptr;
};

/// Sets the join of each branch, once labels are resolved.
void computeJoins(Kernel &kernel);

/// Where the windows of generic addresses begin. No pointer of the host lies there.
constexpr uint64_t sharedWindow = uint64_t(1) << 60;
constexpr uint64_t localWindow = uint64_t(2) << 60;
constexpr uint64_t paramWindow = uint64_t(3) << 60;
constexpr uint64_t windowMask = uint64_t(15) << 60;

/// The first shared address of a block. Hardware of today reserves 1 KiB too, and so the address 0
/// is out of bounds.
constexpr uint32_t sharedBase = 1024;

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_KERNEL_H
