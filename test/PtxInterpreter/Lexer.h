//===- Lexer.h - Words and punctuation of PTX -------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_LEXER_H
#define UCMOH_PTXINTERPRETER_LEXER_H

#include "llvm/ADT/StringRef.h"

namespace ucmoh::ptx {

/// A cursor in a PTX text. Comments count as white space.
class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) { skipSpace(); }

  bool atEnd() const { return position >= text.size(); }
  char peek() const { return atEnd() ? '\0' : text[position]; }
  unsigned line() const { return currentLine; }

  /// Takes `c` if it comes next.
  bool take(char c);
  /// Takes a word of letters, digits and `_$%.`, with `::` inside; empty if none comes next. A word
  /// may be an opcode, a directive, a name or a number.
  llvm::StringRef word();
  /// Takes everything up to and including the next `stop`.
  llvm::StringRef until(char stop);

private:
  void skipSpace();
  bool skipComment();

  llvm::StringRef text;
  size_t position = 0;
  unsigned currentLine = 1;
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_LEXER_H
