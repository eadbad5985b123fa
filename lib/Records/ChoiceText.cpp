//===- ChoiceText.cpp - Choices as records keep them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"
#include "ucmoh/Records/Records.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh;
using llvm::StringRef;

namespace {
/// The fields of a #ucmoh.choice in their order. Records know no MLIR, whose parser would read it.
class ChoiceText {
public:
  /// Returns none for other texts, such as "plain loops".
  static std::optional<ChoiceText> parse(StringRef text);
  std::string print() const;
  /// The value of that field as it is written, or null.
  std::string *find(StringRef key);
  void set(StringRef key, StringRef value);
  void erase(StringRef key);
  /// Replaces words of former versions by those of now.
  void modernize();

private:
  static constexpr StringRef prefix = "#ucmoh.choice<";

  struct Field {
    std::string key, value;
  };
  std::vector<Field> fields;
};
} // namespace

/// Returns where a field ends: at a comma or at '>', outside of brackets and strings.
static size_t endOfField(StringRef text) {
  bool inString = false;
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (inString && c == '\\')
      ++at;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == ']'))
      depth += c == '[' ? 1 : -1;
    else if (!inString && depth == 0 && (c == ',' || c == '>'))
      return at;
  }
  return StringRef::npos;
}

std::optional<ChoiceText> ChoiceText::parse(StringRef text) {
  if (!text.consume_front(prefix))
    return std::nullopt;
  ChoiceText choice;
  for (bool isLast = false; !isLast;) {
    size_t end = endOfField(text);
    if (end == StringRef::npos)
      return std::nullopt;
    auto [key, value] = text.take_front(end).split('=');
    choice.fields.push_back({key.trim().str(), value.trim().str()});
    isLast = text[end] == '>';
    text = text.drop_front(end + 1);
  }
  return text.empty() ? std::optional(choice) : std::nullopt;
}

std::string ChoiceText::print() const {
  auto print = [](const Field &field) { return field.key + " = " + field.value; };
  return (prefix + llvm::join(llvm::map_range(fields, print), ", ") + ">").str();
}

std::string *ChoiceText::find(StringRef key) {
  auto found = llvm::find_if(fields, [&](const Field &field) { return field.key == key; });
  return found == fields.end() ? nullptr : &found->value;
}

void ChoiceText::set(StringRef key, StringRef value) {
  if (std::string *found = find(key))
    *found = value.str();
}

void ChoiceText::erase(StringRef key) {
  llvm::erase_if(fields, [&](const Field &field) { return field.key == key; });
}

/// A program that was measured with former words is still the same one. As in
/// lib/Dialect/ChoiceAttr.cpp.
static std::string currentWord(StringRef word) {
  return llvm::StringSwitch<StringRef>(word)
      .Case("stages", "pipeline_depth")
      .Case("\"ahead\"", "\"prepacked\"")
      .Default(word)
      .str();
}

void ChoiceText::modernize() {
  for (Field &field : fields)
    field = {currentWord(field.key), currentWord(field.value)};
}

/// Choices once said with this field how often the loop over the reduction is unrolled, which makes
/// no difference (docs/results/unrolling.md).
static constexpr StringRef unrolling = "unroll";

std::string ucmoh::canonicalProgram(StringRef choice, StringRef program) {
  std::optional<ChoiceText> parsed = ChoiceText::parse(choice);
  std::string *count = parsed ? parsed->find(unrolling) : nullptr;
  if (!count || *count == "1")
    return program.str();
  return hexadecimal((program + unrolling + " = " + *count + ", ").str());
}

std::string ucmoh::canonicalChoice(StringRef choice) {
  std::optional<ChoiceText> parsed = ChoiceText::parse(choice);
  if (!parsed)
    return choice.str();
  parsed->set("predicted_seconds", "0.000000e+00");
  parsed->set("model", "\"\"");
  parsed->erase(unrolling);
  parsed->modernize();
  return parsed->print();
}
