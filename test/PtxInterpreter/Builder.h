//===- Builder.h - One instruction being decoded ----------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_BUILDER_H
#define UCMOH_PTXINTERPRETER_BUILDER_H

#include "Kernel.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace ucmoh::ptx {

class Decoder;

/// A decoding function works on it: it takes suffixes and operands away from the statement and puts
/// their meaning into `instruction`. What is left over at the end is an error, so that no suffix is
/// ignored by accident.
class Builder {
public:
  Builder(Decoder &decoder, const Statement &statement);

  llvm::StringRef base() const { return name; }
  llvm::ArrayRef<llvm::StringRef> suffixes() const { return parts; }

  /// Removes a suffix if it is there.
  bool take(llvm::StringRef suffix);
  /// Removes suffixes that say something about caches or ordering only.
  void takeHints();
  /// Removes the first suffix that `parse` knows.
  template <typename T> bool takeAny(T &value, std::optional<T> (*parse)(llvm::StringRef)) {
    for (size_t i = 0; i < parts.size(); ++i)
      if (std::optional<T> parsed = parse(parts[i])) {
        value = *parsed;
        parts.erase(parts.begin() + i);
        return true;
      }
    return false;
  }
  bool takeType(Type &type);
  bool takeSpace();
  /// .rn, .rz, .rm, .rp, and with `integral` .rni, .rzi, .rmi, .rpi.
  bool takeRounding(bool integral = false);
  bool takeExtent(llvm::StringRef prefix);

  size_t numOperands() const { return operands.size(); }
  const OperandSyntax &operand(size_t i) const { return operands[i]; }
  void dropOperand(size_t i) { operands.erase(operands.begin() + i); }

  /// The i-th operand as results or sources; a vector gives several. Results come first.
  bool result(size_t i);
  bool source(size_t i);
  bool source(const OperandSyntax &operand);
  /// The i-th operand as an address: a source and the displacement.
  bool address(size_t i);
  /// The same of an address without displacement, for instructions that have several.
  bool plainAddress(size_t i);
  /// Results 0…results-1, all others sources.
  bool allOperands(size_t results = 1);
  /// Whether exactly `count` operands are there.
  bool expectOperands(size_t count);

  bool fail(const llvm::Twine &what);
  bool finish();
  const std::string &error() const { return message; }

  Decoder &decoder;
  Instruction instruction;

private:
  llvm::StringRef name;
  llvm::SmallVector<llvm::StringRef, 12> parts;
  std::vector<OperandSyntax> operands;
  std::string message;
};

/// Decoding functions by the first part of the opcode; true if the instruction is complete.
using DecodeFunction = bool (*)(Builder &);
using DecodeTable = llvm::StringMap<DecodeFunction>;

void addIntegerInstructions(DecodeTable &table);
void addBitInstructions(DecodeTable &table);
void addArithmeticInstructions(DecodeTable &table);
void addFloatInstructions(DecodeTable &table);
void addCompareInstructions(DecodeTable &table);
void addConvertInstructions(DecodeTable &table);
void addMoveInstructions(DecodeTable &table);
void addLoadStoreInstructions(DecodeTable &table);
void addAtomicInstructions(DecodeTable &table);
void addControlInstructions(DecodeTable &table);
void addBarrierInstructions(DecodeTable &table);
void addShuffleInstructions(DecodeTable &table);
void addMmaInstructions(DecodeTable &table);
void addWmmaInstructions(DecodeTable &table);
void addMatrixLoadInstructions(DecodeTable &table);
void addMbarrierInstructions(DecodeTable &table);
void addWgmmaInstructions(DecodeTable &table);

// Parts of instructions that exist for integers and for floats alike.
Instruction::Handler integerMultiplyHandler(Type type, bool isWide, bool isHigh);
Instruction::Handler integerDivideHandler(Type type);
bool decodeIntegerMad(Builder &builder);
bool decodeAddCarry(Builder &builder);
bool decodeSubtractCarry(Builder &builder);
bool decodeAsyncCopy(Builder &builder);
bool decodeBulkCopy(Builder &builder);
bool decodeCopyArrive(Builder &builder);

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_BUILDER_H
