//===- Lexer.cpp - Words and punctuation of PTX ---------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace ucmoh::ptx;

static bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

bool Lexer::skipComment() {
  llvm::StringRef rest = text.substr(position);
  if (!rest.starts_with("//") && !rest.starts_with("/*"))
    return false;
  llvm::StringRef end = rest.starts_with("//") ? "\n" : "*/";
  size_t length = rest.find(end, 2);
  // The end of a line stays for the line counter.
  length = length == llvm::StringRef::npos ? rest.size() : length + (end == "\n" ? 0 : 2);
  currentLine += rest.take_front(length).count('\n');
  position += length;
  return true;
}

void Lexer::skipSpace() {
  while (!atEnd()) {
    if (skipComment())
      continue;
    // LLVM's text ends with a zero byte in some containers.
    if (!llvm::isSpace(text[position]) && text[position] != '\0')
      return;
    currentLine += text[position++] == '\n';
  }
}

bool Lexer::take(char c) {
  if (peek() != c || atEnd())
    return false;
  ++position;
  skipSpace();
  return true;
}

llvm::StringRef Lexer::word() {
  size_t begin = position;
  while (!atEnd()) {
    if (isWordCharacter(text[position]))
      ++position;
    else if (position > begin && text.substr(position).starts_with("::"))
      position += 2;
    else
      break;
  }
  llvm::StringRef result = text.slice(begin, position);
  skipSpace();
  return result;
}

llvm::StringRef Lexer::until(char stop) {
  size_t end = std::min(text.find(stop, position), text.size());
  llvm::StringRef result = text.slice(position, end);
  currentLine += result.count('\n');
  position = std::min(end + 1, text.size());
  skipSpace();
  return result;
}
