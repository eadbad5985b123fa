//===- Identity.cpp - What makes workloads, machines and choices the same
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Records/Records.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace ucmoh;
using llvm::StringRef;

static std::string hexadecimal(StringRef text) {
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
}

std::string Records::Workload::id() const { return hexadecimal(ir); }

std::string Records::Machine::id() const {
  return hexadecimal(llvm::join_items(StringRef("\0", 1), name, cpu, ir));
}

/// Puts `value` in the place of what stands between `key` and the next of `ends`.
static void replaceField(std::string &text, StringRef key, StringRef ends, StringRef value) {
  size_t start = StringRef(text).find(key);
  if (start == StringRef::npos)
    return;
  start += key.size();
  size_t end = StringRef(text).find_first_of(ends, start);
  if (end != StringRef::npos)
    text.replace(start, end - start, value.data(), value.size());
}

/// What choices were written with before docs/glossary.md, and what they are written with now: a
/// program that was measured then is still the same one. As in lib/Dialect/ChoiceAttr.cpp.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> renamed[] = {
    {", stages = ", ", pipeline_depth = "}, {" = \"ahead\"", " = \"prepacked\""}};

std::string ucmoh::canonicalChoice(StringRef choice) {
  std::string text = choice.str();
  replaceField(text, ", predicted_seconds = ", ",>", "0.000000e+00");
  replaceField(text, ", model = \"", "\"", "");
  for (auto [before, now] : renamed)
    if (size_t at = text.find(before); at != std::string::npos)
      text.replace(at, before.size(), now);
  return text;
}
