//===- Parser.cpp - Directives of a PTX module ----------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace ucmoh::ptx;
using llvm::StringRef;

std::unique_ptr<ModuleSyntax> ucmoh::ptx::parseModule(StringRef text, std::string &error) {
  auto module = std::make_unique<ModuleSyntax>();
  module->text = text.str();
  llvm::SmallVector<StringRef, 0> lines;
  StringRef(module->text).split(lines, '\n');
  module->lines.assign(lines.begin(), lines.end());
  Parser parser(*module);
  if (parser.parse())
    return module;
  error = parser.error();
  return nullptr;
}

bool Parser::fail(const llvm::Twine &what) {
  if (message.empty())
    message = ("line " + llvm::Twine(lexer.line()) + ": " + what).str();
  return false;
}

bool Parser::expect(char c) {
  return lexer.take(c) ||
         fail("expected '" + llvm::Twine(c) + "', found '" + llvm::Twine(lexer.peek()) + "'");
}

bool Parser::parse() {
  while (!lexer.atEnd())
    if (!parseDirective())
      return false;
  return true;
}

static std::optional<Space> spaceOf(StringRef directive) {
  return llvm::StringSwitch<std::optional<Space>>(directive)
      .Case(".global", Space::Global)
      .Case(".shared", Space::Shared)
      .Case(".const", Space::Const)
      .Case(".local", Space::Local)
      .Case(".param", Space::Param)
      .Default(std::nullopt);
}

bool Parser::parseDirective() {
  bool isExternal = false;
  StringRef word = lexer.word();
  while (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") {
    isExternal |= word == ".extern";
    word = lexer.word();
  }
  if (word == ".version" || word == ".address_size")
    return !lexer.word().empty() || fail("expected a number");
  if (word == ".target") {
    StringRef digits = lexer.word().drop_while([](char c) { return !llvm::isDigit(c); });
    digits.consumeInteger(10, module.target);
    while (lexer.take(','))
      lexer.word();
    return true;
  }
  if (word == ".entry" || word == ".func")
    return parseFunction(word == ".entry");
  if (spaceOf(word))
    return parseVariables(word, isExternal, module.variables);
  if (word == ".file")
    return lexer.until('"'), lexer.until('"'), true;
  if (word == ".section")
    return lexer.until('}'), true;
  return fail("unknown directive '" + word + "'");
}

bool Parser::parseParameters(std::vector<VariableSyntax> &list) {
  if (lexer.take(')'))
    return true;
  do {
    list.emplace_back();
    StringRef space = lexer.word();
    if (space != ".param" && space != ".reg")
      return fail("expected .param");
    list.back().space = Space::Param;
    if (!parseVariableType(list.back()) || !parseVariableShape(list.back()))
      return false;
  } while (lexer.take(','));
  return expect(')');
}

bool Parser::parseCounts(FunctionSyntax &function, StringRef directive) {
  int64_t counts[3] = {1, 1, 1};
  for (unsigned i = 0; i < 3; ++i) {
    if (!parseInteger(counts[i]))
      return false;
    if (!lexer.take(','))
      break;
  }
  if (directive == ".reqntid")
    std::copy(counts, counts + 3, function.requiredThreads);
  if (directive == ".maxntid")
    function.maxThreads = counts[0] * counts[1] * counts[2];
  return true;
}

bool Parser::parseHeader(FunctionSyntax &function) {
  if (!function.isEntry && lexer.take('(') && !parseParameters(function.results))
    return false;
  function.name = lexer.word();
  auto isOfName = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  if (!llvm::all_of(function.name, isOfName))
    return fail("'" + function.name + "' is no name: names have letters, digits, _ and $");
  if (lexer.take('(') && !parseParameters(function.parameters))
    return false;
  while (lexer.peek() == '.') {
    StringRef directive = lexer.word();
    if (directive == ".noreturn" || directive == ".explicitcluster" ||
        directive == ".blocksareclusters")
      continue;
    if (directive == ".pragma")
      lexer.until(';');
    else if (!parseCounts(function, directive))
      return false;
  }
  return true;
}

bool Parser::parseFunction(bool isEntry) {
  FunctionSyntax function;
  function.isEntry = isEntry;
  function.line = lexer.line();
  if (!parseHeader(function))
    return false;
  if (lexer.take(';'))
    return true; // A declaration; the definition is elsewhere in the module or missing at a call.
  if (!expect('{') || !parseBody(function))
    return false;
  module.functions.push_back(std::move(function));
  return true;
}

bool Parser::parseVariableType(VariableSyntax &variable) {
  while (lexer.peek() == '.') {
    StringRef suffix = lexer.word().drop_front();
    if (suffix == "align") {
      int64_t alignment;
      if (!parseInteger(alignment))
        return false;
      variable.alignment = alignment;
    } else if (std::optional<Type> type = parseType(suffix)) {
      variable.type = *type;
      variable.alignment = std::max<uint64_t>(variable.alignment, bytesOf(*type));
    } else if (suffix == "ptr") {
      // What follows is about the pointee: `.ptr .global .align 16`.
      while (lexer.peek() == '.')
        if (lexer.word() == ".align" && lexer.word().empty())
          return fail("expected an alignment");
    } else if (suffix != "unified" && suffix != "managed") {
      return fail("unknown suffix '." + suffix + "' of a variable");
    }
  }
  return true;
}

bool Parser::parseVariableShape(VariableSyntax &variable) {
  variable.name = lexer.word();
  if (variable.name.empty())
    return fail("expected the name of a variable");
  uint64_t elements = 1;
  while (lexer.take('[')) {
    int64_t extent = 0;
    if (lexer.peek() != ']' && !parseInteger(extent))
      return false;
    elements *= extent;
    if (!expect(']'))
      return false;
  }
  variable.size = elements * bytesOf(variable.type);
  return true;
}

bool Parser::parseVariables(StringRef space, bool isExternal, std::vector<VariableSyntax> &list) {
  VariableSyntax variable;
  variable.space = *spaceOf(space);
  variable.isExternal = isExternal;
  if (!parseVariableType(variable))
    return false;
  do {
    list.push_back(variable);
    if (!parseVariableShape(list.back()))
      return false;
    if (lexer.take('=') && !parseInitializer(list.back()))
      return false;
  } while (lexer.take(','));
  return expect(';');
}

bool Parser::parseInitialValue(VariableSyntax &variable, uint64_t &offset) {
  unsigned width = bytesOf(variable.type);
  variable.bytes.resize(std::max<size_t>(variable.bytes.size(), offset + width));
  OperandSyntax operand;
  if (lexer.peek() == '{')
    return lexer.take('{') && parseInitializer(variable);
  if (!parseOperand(operand))
    return false;
  if (operand.kind == OperandSyntax::Name && operand.name == "generic" && lexer.take('(') &&
      (!parseOperand(operand) || !expect(')')))
    return false;
  if (operand.kind == OperandSyntax::Name)
    variable.addresses.push_back({offset, operand.name});
  std::memcpy(variable.bytes.data() + offset, &operand.value, std::min(width, 8u));
  offset += width;
  return true;
}

bool Parser::parseInitializer(VariableSyntax &variable) {
  uint64_t offset = 0;
  if (!lexer.take('{'))
    return parseInitialValue(variable, offset);
  do {
    if (!parseInitialValue(variable, offset))
      return false;
  } while (lexer.take(','));
  return expect('}');
}
