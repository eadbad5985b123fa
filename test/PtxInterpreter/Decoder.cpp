//===- Decoder.cpp - Syntax to instructions -------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Builder.h"

using namespace ucmoh::ptx;
using llvm::StringRef;

static const DecodeTable &decodeTable() {
  static const DecodeTable table = [] {
    DecodeTable result;
    for (auto *add :
         {addIntegerInstructions, addBitInstructions, addArithmeticInstructions,
          addFloatInstructions, addCompareInstructions, addConvertInstructions, addMoveInstructions,
          addLoadStoreInstructions, addAtomicInstructions, addControlInstructions,
          addBarrierInstructions, addShuffleInstructions, addMmaInstructions, addWmmaInstructions,
          addMatrixLoadInstructions, addMbarrierInstructions, addWgmmaInstructions})
      add(result);
    return result;
  }();
  return table;
}

bool Decoder::fail(unsigned line, const llvm::Twine &what) {
  if (message.empty())
    message =
        ("line " + llvm::Twine(line) + ": `" + module.lines[line - 1].trim() + "`: " + what).str();
  return false;
}

bool Decoder::decode(const FunctionSyntax &function) {
  kernel.name = function.name.str();
  kernel.module = &module;
  std::copy(function.requiredThreads, function.requiredThreads + 3, kernel.requiredThreads);
  kernel.maxThreads = function.maxThreads;
  scopes.emplace_back();
  declareParameters(function);
  if (!decodeBody(function) || !resolveLabels())
    return false;
  finishLayout();
  return true;
}

bool Decoder::decodeBody(const FunctionSyntax &function) {
  openScope(function, 0);
  for (size_t position = 0; position < function.body.size(); ++position)
    if (!decodeStatement(function, position))
      return false;
  scopes.pop_back();
  return true;
}

/// Labels are visible in all of their scope, so they are declared when it opens.
void Decoder::openScope(const FunctionSyntax &function, size_t position) {
  Scope scope;
  unsigned depth = 0;
  for (; position < function.body.size(); ++position) {
    const Statement &statement = function.body[position];
    if (statement.kind == Statement::ScopeEnd && depth-- == 0)
      break;
    depth += statement.kind == Statement::ScopeBegin;
    if (statement.kind == Statement::Targets && depth == 0)
      scope.targets[statement.text] = &statement;
    if (statement.kind != Statement::Label || depth != 0)
      continue;
    Symbol symbol{Symbol::Label};
    symbol.address = labels.size();
    labels.push_back(-1);
    scope.symbols[statement.text] = symbol;
  }
  scopes.push_back(std::move(scope));
}

bool Decoder::decodeStatement(const FunctionSyntax &function, size_t &position) {
  const Statement &statement = function.body[position];
  switch (statement.kind) {
  case Statement::ScopeBegin:
    openScope(function, position + 1);
    return true;
  case Statement::ScopeEnd:
    scopes.pop_back();
    return true;
  case Statement::Registers:
    for (const RegisterSyntax &registers : statement.registers)
      scopes.back().ranges.push_back(registers);
    return true;
  case Statement::Variable:
    declareVariable(statement.variable);
    return true;
  case Statement::Targets:
    return true;
  case Statement::Label:
    labels[scopes.back().symbols[statement.text].address] = kernel.code.size();
    return true;
  case Statement::Instruction:
    return decodeInstruction(statement);
  }
  return true;
}

bool Decoder::decodeInstruction(const Statement &statement) {
  Builder builder(*this, statement);
  auto function = decodeTable().find(builder.base());
  if (function == decodeTable().end())
    return fail(statement.line, "unsupported instruction");
  size_t before = kernel.code.size();
  if (!function->second(builder))
    return fail(statement.line, builder.error());
  if (kernel.code.size() != before && !statement.guard.empty())
    return fail(statement.line, "a guard is not supported here");
  // A call has put its callee's instructions there instead.
  if (builder.base() == "call" && builder.suffixes().empty())
    return true;
  if (!builder.finish())
    return fail(statement.line, builder.error());
  Instruction &instruction = builder.instruction;
  instruction.isGuarded = !statement.guard.empty();
  instruction.guardNegated = statement.guardNegated;
  if (instruction.isGuarded && !registerSlot(statement.guard, instruction.guard))
    return fail(statement.line, "unknown predicate '" + statement.guard + "'");
  kernel.code.push_back(std::move(instruction));
  return true;
}

bool Decoder::branchTo(StringRef label) {
  Symbol *symbol = findSymbol(label);
  if (!symbol || symbol->kind != Symbol::Label)
    return false;
  jumps.push_back({kernel.code.size(), symbol->address});
  return true;
}

const std::vector<OperandSyntax> *Decoder::branchTargets(StringRef name) const {
  for (const Scope &scope : scopes)
    if (const Statement *statement = scope.targets.lookup(name))
      return &statement->operands;
  return nullptr;
}

void Decoder::branchToReturn() { jumps.push_back({kernel.code.size(), returnLabels.back()}); }

bool Decoder::resolveLabels() {
  for (auto [instruction, label] : jumps) {
    if (labels[label] < 0)
      return fail(kernel.code[instruction].line, "jump to a label without a place");
    kernel.code[instruction].offset = labels[label];
    kernel.code[instruction].isBranch = true;
  }
  computeJoins(kernel);
  return true;
}

bool Decoder::bindArguments(llvm::ArrayRef<VariableSyntax> formals,
                            llvm::ArrayRef<OperandSyntax> actuals, Scope &scope) {
  if (formals.size() != actuals.size())
    return false;
  for (size_t i = 0; i < formals.size(); ++i) {
    Symbol *actual = findSymbol(actuals[i].name);
    if (!actual)
      return false;
    scope.symbols[formals[i].name] = *actual;
  }
  return true;
}

bool Decoder::inlineCall(StringRef callee, llvm::ArrayRef<OperandSyntax> results,
                         llvm::ArrayRef<OperandSyntax> arguments) {
  for (const FunctionSyntax &function : module.functions) {
    if (function.isEntry || function.name != callee || returnLabels.size() > 16)
      continue;
    Scope scope;
    if (!bindArguments(function.results, results, scope) ||
        !bindArguments(function.parameters, arguments, scope))
      return false;
    scopes.push_back(std::move(scope));
    returnLabels.push_back(labels.size());
    labels.push_back(-1);
    if (!decodeBody(function))
      return false;
    labels[returnLabels.back()] = kernel.code.size();
    returnLabels.pop_back();
    scopes.pop_back();
    return true;
  }
  return false;
}
