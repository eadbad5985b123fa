//===- Syntax.h - What the parser found in a PTX text -----------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_SYNTAX_H
#define UCMOH_PTXINTERPRETER_SYNTAX_H

#include "Type.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace ucmoh::ptx {

/// Where an address points. A generic one says it by itself.
enum class Space : uint8_t { Generic, Global, Shared, Local, Param, Const };

/// One operand as written. Names point into the text of the module.
struct OperandSyntax {
  enum Kind : uint8_t { Name, Integer, Float32, Float64, Memory, Vector, List, Pair, Sink };
  Kind kind = Sink;
  bool negated = false;
  llvm::StringRef name;
  /// The integer, the bits of the constant, or the displacement of a name.
  int64_t value = 0;
  /// Elements of a vector, a list or a pair; base and coordinates of a memory operand.
  std::vector<OperandSyntax> elements;
};

/// `%r<8>`: the registers %r0 to %r7; a count of 0 is the one register of that name.
struct RegisterSyntax {
  llvm::StringRef prefix;
  unsigned count = 0;
};

/// A variable of any space with its initial bytes.
struct VariableSyntax {
  llvm::StringRef name;
  Space space = Space::Global;
  Type type = Type::U8;
  uint64_t alignment = 1;
  uint64_t size = 0;
  bool isExternal = false;
  std::vector<uint8_t> bytes;
  /// Addresses among the initial bytes: where, of what.
  std::vector<std::pair<uint64_t, llvm::StringRef>> addresses;
};

/// A line of a function's body.
struct Statement {
  enum Kind : uint8_t { Instruction, Label, Targets, Registers, Variable, ScopeBegin, ScopeEnd };
  Kind kind = Instruction;
  unsigned line = 0;
  llvm::StringRef guard;
  bool guardNegated = false;
  /// The opcode with all its suffixes, or the name of a label or of a list of targets.
  llvm::StringRef text;
  std::vector<OperandSyntax> operands;
  std::vector<RegisterSyntax> registers;
  VariableSyntax variable;
};

/// A kernel (.entry) or a device function (.func).
struct FunctionSyntax {
  llvm::StringRef name;
  bool isEntry = false;
  unsigned line = 0;
  std::vector<VariableSyntax> results, parameters;
  std::vector<Statement> body;
  /// .reqntid and .maxntid, 0 where not given.
  unsigned requiredThreads[3] = {0, 0, 0};
  unsigned maxThreads = 0;
};

/// A module as written.
struct ModuleSyntax {
  std::string text;
  /// 90 of `.target sm_90a`.
  unsigned target = 0;
  std::vector<VariableSyntax> variables;
  std::vector<FunctionSyntax> functions;
  std::vector<llvm::StringRef> lines;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_SYNTAX_H
