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

bool ucmoh::readSeconds(const llvm::json::Value &value, std::vector<double> &seconds) {
  const llvm::json::Array *array = value.getAsArray();
  if (!array)
    return false;
  for (const llvm::json::Value &element : *array) {
    std::optional<double> number = element.getAsNumber();
    if (!number)
      return false;
    seconds.push_back(*number);
  }
  return true;
}
