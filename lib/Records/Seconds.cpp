//===- Seconds.cpp - Repeats as text
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Seconds.h"
#include <charconv>

using namespace ucmoh;

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
