//===- StatementParser.cpp - Bodies of PTX functions ----------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ucmoh::ptx;
using llvm::StringRef;

bool ucmoh::ptx::parseNumber(StringRef word, int64_t &value) {
  word.consume_back("U");
  uint64_t magnitude;
  if (word.empty() || word.getAsInteger(0, magnitude))
    return false;
  value = magnitude;
  return true;
}

bool Parser::parseInteger(int64_t &value) {
  bool negative = lexer.take('-');
  StringRef word = lexer.word();
  if (!parseNumber(word, value))
    return fail("expected an integer, found '" + word + "'");
  value = negative ? -uint64_t(value) : value;
  return true;
}

bool Parser::parseBody(FunctionSyntax &function) {
  for (unsigned depth = 1; depth > 0;) {
    Statement scope;
    scope.line = lexer.line();
    if (lexer.atEnd())
      return fail("the body of '" + function.name + "' has no end");
    if (lexer.take('{')) {
      ++depth;
      scope.kind = Statement::ScopeBegin;
    } else if (lexer.take('}')) {
      --depth;
      scope.kind = Statement::ScopeEnd;
    } else {
      if (!parseStatement(function))
        return false;
      continue;
    }
    if (depth > 0)
      function.body.push_back(std::move(scope));
  }
  return true;
}

bool Parser::parseStatement(FunctionSyntax &function) {
  Statement statement;
  statement.line = lexer.line();
  if (lexer.take(';'))
    return true;
  if (lexer.take('@')) {
    statement.guardNegated = lexer.take('!');
    statement.guard = lexer.word();
  }
  StringRef word = lexer.word();
  if (word.starts_with("."))
    return parseBodyDirective(function, word);
  if (!word.empty() && lexer.take(':')) {
    statement.kind = Statement::Label;
    statement.text = word;
    function.body.push_back(std::move(statement));
    return true;
  }
  return parseInstruction(function, std::move(statement), word);
}

/// `name: .branchtargets a, b;`: what looked like a label names the list.
bool Parser::parseTargets(FunctionSyntax &function) {
  if (function.body.empty() || function.body.back().kind != Statement::Label)
    return fail(".branchtargets needs a name");
  Statement &statement = function.body.back();
  statement.kind = Statement::Targets;
  do {
    statement.operands.emplace_back();
    if (!parseOperand(statement.operands.back()))
      return false;
  } while (lexer.take(','));
  return expect(';');
}

bool Parser::parseBodyDirective(FunctionSyntax &function, StringRef word) {
  if (word == ".branchtargets")
    return parseTargets(function);
  if (word == ".loc" || word == ".pragma") {
    if (word == ".pragma")
      return lexer.until(';'), true;
    // `.loc file line column` ends without punctuation, unless it says that it was inlined.
    for (unsigned i = 0; i < 3; ++i)
      lexer.word();
    while (lexer.take(',')) {
      lexer.word();
      lexer.word();
      if (lexer.take('+'))
        lexer.word();
    }
    return true;
  }
  Statement statement;
  statement.line = lexer.line();
  if (word == ".reg") {
    statement.kind = Statement::Registers;
    if (!parseRegisters(statement))
      return false;
    function.body.push_back(std::move(statement));
    return true;
  }
  std::vector<VariableSyntax> variables;
  if (word != ".shared" && word != ".local" && word != ".param" && word != ".global" &&
      word != ".const")
    return fail("unknown directive '" + word + "'");
  if (!parseVariables(word, false, variables))
    return false;
  statement.kind = Statement::Variable;
  for (VariableSyntax &variable : variables) {
    statement.variable = std::move(variable);
    function.body.push_back(statement);
  }
  return true;
}

bool Parser::parseRegisters(Statement &statement) {
  while (lexer.peek() == '.')
    lexer.word();
  do {
    RegisterSyntax registers;
    registers.prefix = lexer.word();
    int64_t count = 0;
    if (lexer.take('<') && (!parseInteger(count) || !expect('>')))
      return false;
    registers.count = count;
    statement.registers.push_back(registers);
  } while (lexer.take(','));
  return expect(';');
}

bool Parser::parseInstruction(FunctionSyntax &function, Statement statement, StringRef opcode) {
  if (opcode.empty())
    return fail("expected an instruction, found '" + llvm::Twine(lexer.peek()) + "'");
  statement.text = opcode;
  while (!lexer.take(';')) {
    if (lexer.atEnd())
      return fail("'" + opcode + "' has no end");
    statement.operands.emplace_back();
    if (!parseOperand(statement.operands.back()))
      return false;
    if (!lexer.take(',') && lexer.peek() != ';')
      return fail("expected ',' or ';' after an operand of '" + opcode + "'");
  }
  function.body.push_back(std::move(statement));
  return true;
}

bool Parser::parseElements(OperandSyntax &operand, char close) {
  while (!lexer.take(close)) {
    operand.elements.emplace_back();
    if (!parseOperand(operand.elements.back()))
      return false;
    if (!lexer.take(',') && lexer.peek() != close)
      return fail("expected ',' or '" + llvm::Twine(close) + "'");
  }
  return true;
}

bool Parser::parseOperand(OperandSyntax &operand) {
  if (lexer.take('{')) {
    operand.kind = OperandSyntax::Vector;
    return parseElements(operand, '}');
  }
  if (lexer.take('(')) {
    operand.kind = OperandSyntax::List;
    return parseElements(operand, ')');
  }
  if (lexer.take('['))
    return parseMemory(operand);
  operand.negated = lexer.take('!');
  if (!parseNameOrNumber(operand))
    return false;
  if (!lexer.take('|'))
    return true;
  OperandSyntax first = std::move(operand), second;
  if (!parseNameOrNumber(second))
    return false;
  operand = OperandSyntax();
  operand.kind = OperandSyntax::Pair;
  operand.elements = {std::move(first), std::move(second)};
  return true;
}

bool Parser::parseMemory(OperandSyntax &operand) {
  operand.kind = OperandSyntax::Memory;
  return parseElements(operand, ']');
}

bool Parser::parseDisplacement(OperandSyntax &operand) {
  int64_t displacement;
  while (lexer.peek() == '+' || lexer.peek() == '-') {
    if (lexer.peek() == '+')
      lexer.take('+');
    if (!parseInteger(displacement))
      return false;
    operand.value += displacement;
  }
  return true;
}

bool Parser::parseNameOrNumber(OperandSyntax &operand) {
  bool negative = lexer.take('-');
  StringRef word = lexer.word();
  if (word.empty())
    return fail("expected an operand, found '" + llvm::Twine(lexer.peek()) + "'");
  if (word == "_")
    return true;
  uint64_t bits;
  bool isFloat32 = word.size() == 10 && word.starts_with_insensitive("0f");
  bool isFloat64 = word.size() == 18 && word.starts_with_insensitive("0d");
  if ((isFloat32 || isFloat64) && !word.drop_front(2).getAsInteger(16, bits)) {
    operand.kind = isFloat32 ? OperandSyntax::Float32 : OperandSyntax::Float64;
    operand.value = bits;
    return true;
  }
  operand.kind = OperandSyntax::Integer;
  if (llvm::isDigit(word.front())) {
    if (!parseNumber(word, operand.value))
      return fail("'" + word + "' is no number");
    operand.value = negative ? -uint64_t(operand.value) : operand.value;
    return parseDisplacement(operand);
  }
  operand.kind = OperandSyntax::Name;
  operand.name = word;
  return parseDisplacement(operand);
}
