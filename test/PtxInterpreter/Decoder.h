//===- Decoder.h - Syntax to instructions -----------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_DECODER_H
#define UCMOH_PTXINTERPRETER_DECODER_H

#include "Kernel.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace ucmoh::ptx {

/// Decodes one kernel. Device functions are put in place of their calls, with registers of their
/// own: what runs has no stack.
class Decoder {
public:
  /// `globals`: addresses of the module's variables in global and constant memory.
  Decoder(const ModuleSyntax &module, const llvm::StringMap<uint64_t> &globals, Kernel &kernel)
      : module(module), globals(globals), kernel(kernel) {}

  bool decode(const FunctionSyntax &function);
  /// "line 12: message".
  const std::string &error() const { return message; }

  // For Builder.
  bool registerSlot(llvm::StringRef name, Slot &slot);
  /// A register, a special register, or the address of a variable plus `displacement`.
  bool nameSlot(llvm::StringRef name, int64_t displacement, Slot &slot);
  Slot constantSlot(uint64_t value);
  /// A `.param` of a device function lives in local memory.
  void redirectParameter(llvm::StringRef name, Space &space);
  /// Makes `instruction` jump to `label` once it is known where that is.
  bool branchTo(llvm::StringRef label);
  /// The labels of a `.branchtargets` list, or null.
  const std::vector<OperandSyntax> *branchTargets(llvm::StringRef name) const;
  /// Appends an instruction before the one that is being decoded.
  void emit(Instruction instruction) { kernel.code.push_back(std::move(instruction)); }
  /// Puts the body of `callee` here.
  bool inlineCall(llvm::StringRef callee, llvm::ArrayRef<OperandSyntax> results,
                  llvm::ArrayRef<OperandSyntax> arguments);
  /// Whether this is inside a device function, and where its end is.
  bool returnsToCaller() const { return !returnLabels.empty(); }
  void branchToReturn();

private:
  struct Symbol {
    enum Kind : uint8_t { Register, Variable, Dynamic, Label } kind;
    Space space = Space::Generic;
    Slot slot = 0;
    uint64_t address = 0;
  };
  struct Scope {
    llvm::StringMap<Symbol> symbols;
    std::vector<RegisterSyntax> ranges;
    llvm::StringMap<const Statement *> targets;
  };

  bool decodeBody(const FunctionSyntax &function);
  bool decodeStatement(const FunctionSyntax &function, size_t &position);
  bool decodeInstruction(const Statement &statement);
  void openScope(const FunctionSyntax &function, size_t position);
  void declareParameters(const FunctionSyntax &function);
  bool bindArguments(llvm::ArrayRef<VariableSyntax> formals, llvm::ArrayRef<OperandSyntax> actuals,
                     Scope &scope);
  void declareVariable(const VariableSyntax &variable);
  Symbol *findSymbol(llvm::StringRef name);
  Symbol *declareInRange(Scope &scope, llvm::StringRef name);
  Symbol *declareShared(llvm::StringRef name);
  Symbol allocate(const VariableSyntax &variable);
  bool specialSlot(llvm::StringRef name, Slot &slot);
  void finishLayout();
  bool resolveLabels();
  bool fail(unsigned line, const llvm::Twine &what);

  const ModuleSyntax &module;
  const llvm::StringMap<uint64_t> &globals;
  Kernel &kernel;
  std::vector<Scope> scopes;
  std::map<uint64_t, Slot> constants;
  std::map<uint8_t, Slot> specials;
  /// Slots that hold a displacement from the dynamic shared memory until that has an address.
  std::vector<Slot> dynamicSlots;
  uint64_t dynamicAlignment = 16;
  std::vector<int64_t> labels;
  std::vector<std::pair<size_t, size_t>> jumps;
  std::vector<size_t> returnLabels;
  std::string message;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_DECODER_H
