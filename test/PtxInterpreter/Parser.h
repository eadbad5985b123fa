//===- Parser.h - PTX text to syntax ----------------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_PARSER_H
#define UCMOH_PTXINTERPRETER_PARSER_H

#include "Lexer.h"
#include "Syntax.h"
#include <memory>

namespace ucmoh::ptx {

/// Reads one module. The first mistake stops it; `error()` says what and where.
class Parser {
public:
  explicit Parser(ModuleSyntax &module) : lexer(module.text), module(module) {}

  bool parse();
  /// "line 12: message".
  const std::string &error() const { return message; }

private:
  // Parser.cpp: directives.
  bool parseDirective();
  bool parseFunction(bool isEntry);
  bool parseHeader(FunctionSyntax &function);
  bool parseParameters(std::vector<VariableSyntax> &list);
  bool parseCounts(FunctionSyntax &function, llvm::StringRef directive);
  bool parseVariables(llvm::StringRef space, bool isExternal, std::vector<VariableSyntax> &list);
  bool parseVariableType(VariableSyntax &variable);
  bool parseVariableShape(VariableSyntax &variable);
  bool parseInitializer(VariableSyntax &variable);
  bool parseInitialValue(VariableSyntax &variable, uint64_t &offset);

  // StatementParser.cpp: bodies.
  bool parseBody(FunctionSyntax &function);
  bool parseStatement(FunctionSyntax &function);
  bool parseBodyDirective(FunctionSyntax &function, llvm::StringRef word);
  bool parseTargets(FunctionSyntax &function);
  bool parseInstruction(FunctionSyntax &function, Statement statement, llvm::StringRef opcode);
  bool parseRegisters(Statement &statement);
  bool parseOperand(OperandSyntax &operand);
  bool parseElements(OperandSyntax &operand, char close);
  bool parseMemory(OperandSyntax &operand);
  bool parseNameOrNumber(OperandSyntax &operand);
  bool parseDisplacement(OperandSyntax &operand);
  bool parseInteger(int64_t &value);

  bool expect(char c);
  bool fail(const llvm::Twine &what);

  Lexer lexer;
  ModuleSyntax &module;
  std::string message;
};

/// A number as PTX writes it: decimal, 0x…, 0b…, octal, with an optional U.
bool parseNumber(llvm::StringRef word, int64_t &value);

/// The syntax of `text`, or null with a message.
std::unique_ptr<ModuleSyntax> parseModule(llvm::StringRef text, std::string &error);

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_PARSER_H
