//===- ControlInstructions.cpp - Branches, calls and ends -----------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Builder.h"
#include "CudaTypes.h"
#include "Decoder.h"

using namespace ucmoh::ptx;

namespace {

void branch(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  warp.branch(lanes, instruction);
}

bool decodeBranch(Builder &b) {
  b.take("uni");
  b.instruction.isControl = true;
  b.instruction.handler = branch;
  if (!b.expectOperands(1) || !b.decoder.branchTo(b.operand(0).name))
    return b.fail("unknown label");
  return true;
}

/// One target of brx.idx: for the lanes whose index is `mode`.
void branchIndexed(Warp &warp, const Instruction &instruction, LaneMask lanes) {
  const uint64_t *index = warp.operand(instruction, 0);
  LaneMask taken = 0;
  forEachLane(lanes, [&](unsigned lane) {
    taken |= LaneMask(uint32_t(index[lane]) == instruction.mode) << lane;
  });
  warp.branch(taken, instruction);
}

/// Becomes a branch for each target. An index beyond the list has no meaning and falls through.
bool decodeBranchIndexed(Builder &b) {
  b.take("idx");
  b.take("uni");
  if (!b.expectOperands(2) || !b.source(0))
    return b.fail("brx.idx needs an index and a list");
  const auto *targets = b.decoder.branchTargets(b.operand(1).name);
  b.instruction.isControl = true;
  b.instruction.isPartial = true;
  b.instruction.handler = branchIndexed;
  for (size_t i = 0; targets && i < targets->size(); ++i) {
    if (i)
      b.decoder.emit(b.instruction);
    b.instruction.mode = i;
    if (!b.decoder.branchTo((*targets)[i].name))
      return b.fail("unknown label");
  }
  return targets || b.fail("unknown list of targets");
}

void exitLanes(Warp &warp, const Instruction &, LaneMask lanes) {
  if (lanes)
    warp.exit(lanes);
  else
    ++warp.programCounter;
}

bool decodeExit(Builder &b) {
  b.instruction.isControl = true;
  b.instruction.handler = exitLanes;
  return b.expectOperands(0);
}

/// The return of a device function is a jump behind its body.
bool decodeReturn(Builder &b) {
  b.take("uni");
  if (!b.decoder.returnsToCaller())
    return decodeExit(b);
  b.instruction.isControl = true;
  b.instruction.handler = branch;
  b.decoder.branchToReturn();
  return true;
}

/// call (results), name, (arguments): lists may be missing.
bool decodeCall(Builder &b) {
  b.take("uni");
  llvm::StringRef callee;
  llvm::ArrayRef<OperandSyntax> results, arguments;
  for (size_t i = 0; i < b.numOperands(); ++i) {
    const OperandSyntax &operand = b.operand(i);
    if (operand.kind == OperandSyntax::Name && callee.empty())
      callee = operand.name;
    else if (operand.kind == OperandSyntax::List)
      (callee.empty() ? results : arguments) = operand.elements;
  }
  return b.decoder.inlineCall(callee, results, arguments) ||
         b.fail("'" + callee + "' has no body here that a call could run");
}

void trap(Warp &warp, const Instruction &, LaneMask lanes) {
  warp.fail(llvm::countr_zero(lanes), CUDA_ERROR_LAUNCH_FAILED, "trap");
}

bool decodeTrap(Builder &b) {
  b.instruction.handler = trap;
  return b.expectOperands(0);
}

void ignore(Warp &, const Instruction &, LaneMask) {}

/// Fences order what is in order here already; hints to the scheduler have nobody to read them.
bool decodeIgnored(Builder &b) {
  while (!b.suffixes().empty())
    b.take(b.suffixes().front());
  b.instruction.handler = ignore;
  return true;
}

} // namespace

void ucmoh::ptx::addControlInstructions(DecodeTable &table) {
  table["bra"] = decodeBranch;
  table["brx"] = decodeBranchIndexed;
  table["ret"] = decodeReturn;
  table["exit"] = decodeExit;
  table["call"] = decodeCall;
  table["trap"] = decodeTrap;
  table["brkpt"] = decodeTrap;
  table["cp"] = decodeAsyncCopy;
  for (llvm::StringRef name : {"membar", "fence", "setmaxnreg", "griddepcontrol", "pmevent"})
    table[name] = decodeIgnored;
}
