//===- Json.cpp - JSON as rows have it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"
#include <charconv>

using namespace ucmoh;

static constexpr int deepest = 100;

/// How many brackets are open at once. In a malformed text, strings may end elsewhere than here; up
/// to the fault, which ends the parser, both agree.
static int depthOf(llvm::StringRef text) {
  int depth = 0, most = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char letter = text[i];
    if (inString && letter == '\\')
      ++i;
    else if (letter == '"')
      inString = !inString;
    else if (!inString && (letter == '[' || letter == '{'))
      most = std::max(most, ++depth);
    else if (!inString && (letter == ']' || letter == '}'))
      --depth;
  }
  return most;
}

llvm::Expected<llvm::json::Value> ucmoh::parseShallowJson(llvm::StringRef text) {
  if (depthOf(text) > deepest)
    return llvm::createStringError("more than " + llvm::Twine(deepest) + " nested brackets");
  return llvm::json::parse(text);
}

std::string ucmoh::printSeconds(llvm::ArrayRef<double> seconds) {
  std::string text = "[";
  for (double number : seconds) {
    char digits[32];
    char *end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    text += text.size() > 1 ? "," : "";
    text.append(digits, end);
  }
  return text + "]";
}
