//===- Builder.cpp - One instruction being decoded ------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "Decoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ucmoh::ptx;
using llvm::StringRef;

Builder::Builder(Decoder &decoder, const Statement &statement)
    : decoder(decoder), operands(statement.operands) {
  statement.text.split(parts, '.');
  name = parts.front();
  parts.erase(parts.begin());
  instruction.line = statement.line;
}

bool Builder::take(StringRef suffix) {
  auto *it = llvm::find(parts, suffix);
  if (it == parts.end())
    return false;
  parts.erase(it);
  return true;
}

void Builder::takeHints() {
  static constexpr StringRef hints[] = {
      "volatile", "relaxed", "weak", "acquire", "release", "acq_rel", "seq_cst",
      "mmio",     "sys",     "gpu",  "cta",     "cluster", "ca",      "cg",
      "cs",       "cv",      "lu",   "wb",      "wt",      "nc",      "unified"};
  bool hasHintOperand = take("L2::cache_hint");
  llvm::erase_if(parts, [](StringRef part) {
    return llvm::is_contained(hints, part) || part.starts_with("L1::") || part.starts_with("L2::");
  });
  if (hasHintOperand && !operands.empty())
    operands.pop_back();
}

bool Builder::takeType(Type &type) { return takeAny<Type>(type, parseType); }

static std::optional<Space> parseSpace(StringRef suffix) {
  return llvm::StringSwitch<std::optional<Space>>(suffix)
      .Case("global", Space::Global)
      .Cases({"shared", "shared::cta", "shared::cluster"}, Space::Shared)
      .Case("local", Space::Local)
      .Cases({"param", "param::entry", "param::func"}, Space::Param)
      .Case("const", Space::Const)
      .Default(std::nullopt);
}

bool Builder::takeSpace() { return takeAny<Space>(instruction.space, parseSpace); }

static std::optional<Rounding> parseRounding(StringRef suffix) {
  return llvm::StringSwitch<std::optional<Rounding>>(suffix)
      .Cases({"rn", "rni"}, Rounding::NearestEven)
      .Case("rna", Rounding::NearestAway)
      .Cases({"rz", "rzi"}, Rounding::Zero)
      .Cases({"rm", "rmi"}, Rounding::Down)
      .Cases({"rp", "rpi"}, Rounding::Up)
      .Default(std::nullopt);
}

bool Builder::takeRounding(bool integral) {
  auto parse =
      integral
          ? [](StringRef part) { return part.ends_with("i") ? parseRounding(part) : std::nullopt; }
          : [](StringRef part) { return part.ends_with("i") ? std::nullopt : parseRounding(part); };
  return takeAny<Rounding>(instruction.rounding, parse);
}

/// m16n8k16: all three extents are there, in this order.
bool Builder::takeExtent(StringRef prefix) {
  for (size_t i = 0; i < parts.size(); ++i) {
    StringRef rest = parts[i];
    unsigned m, n, k = 0;
    if (!rest.consume_front(prefix) || rest.consumeInteger(10, m) || !rest.consume_front("n") ||
        rest.consumeInteger(10, n))
      continue;
    if (rest.consume_front("k"))
      rest.consumeInteger(10, k);
    instruction.extent[0] = m;
    instruction.extent[1] = n;
    instruction.extent[2] = k;
    parts.erase(parts.begin() + i);
    return true;
  }
  return false;
}

bool Builder::result(size_t i) {
  if (i >= operands.size())
    return fail("too few operands");
  llvm::ArrayRef<OperandSyntax> list = operands[i];
  if (operands[i].kind == OperandSyntax::Vector || operands[i].kind == OperandSyntax::Pair)
    list = operands[i].elements;
  for (const OperandSyntax &element : list) {
    Slot slot = sinkSlot;
    if (element.kind != OperandSyntax::Sink && !decoder.registerSlot(element.name, slot))
      return fail("'" + element.name + "' is no register");
    instruction.slots.push_back(slot);
    ++instruction.numResults;
  }
  return true;
}

bool Builder::source(const OperandSyntax &operand) {
  if (operand.kind == OperandSyntax::Vector) {
    for (const OperandSyntax &element : operand.elements)
      if (!source(element))
        return false;
    return true;
  }
  Slot slot;
  if (operand.kind == OperandSyntax::Name) {
    if (!decoder.nameSlot(operand.name, operand.value, slot))
      return fail("unknown name '" + operand.name + "'");
  } else if (operand.kind == OperandSyntax::Integer || operand.kind == OperandSyntax::Float32 ||
             operand.kind == OperandSyntax::Float64) {
    slot = decoder.constantSlot(operand.value);
  } else {
    return fail("an operand has the wrong form");
  }
  instruction.slots.push_back(slot);
  return true;
}

bool Builder::source(size_t i) {
  return i < operands.size() ? source(operands[i]) : fail("too few operands");
}

bool Builder::address(size_t i) {
  if (i >= operands.size() || operands[i].kind != OperandSyntax::Memory ||
      operands[i].elements.empty())
    return fail("operand " + llvm::Twine(i + 1) + " is no address");
  OperandSyntax base = operands[i].elements.front();
  if (base.kind == OperandSyntax::Name && instruction.space == Space::Param)
    decoder.redirectParameter(base.name, instruction.space);
  instruction.offset = base.kind == OperandSyntax::Name ? base.value : 0;
  if (base.kind == OperandSyntax::Name)
    base.value = 0;
  return source(base);
}

bool Builder::plainAddress(size_t i) {
  if (i >= operands.size() || operands[i].kind != OperandSyntax::Memory ||
      operands[i].elements.empty())
    return fail("operand " + llvm::Twine(i + 1) + " is no address");
  const OperandSyntax &base = operands[i].elements.front();
  Slot slot;
  bool isRegister = base.kind == OperandSyntax::Name && decoder.registerSlot(base.name, slot);
  // A variable's displacement becomes a part of the constant.
  if (isRegister && base.value) {
    instruction.displacements.resize(instruction.slots.size() + 1, 0);
    instruction.displacements.back() = base.value;
  }
  return source(base);
}

bool Builder::allOperands(size_t results) {
  for (size_t i = 0; i < operands.size(); ++i)
    if (!(i < results ? result(i) : source(i)))
      return false;
  return true;
}

bool Builder::expectOperands(size_t count) {
  return operands.size() == count || fail("expected " + llvm::Twine(count) + " operands, found " +
                                          llvm::Twine(operands.size()));
}

bool Builder::fail(const llvm::Twine &what) {
  if (message.empty())
    message = what.str();
  return false;
}

bool Builder::finish() {
  if (!parts.empty())
    return fail("unsupported suffix '." + parts.front() + "' of '" + name + "'");
  if (!instruction.handler)
    return fail("'" + name + "' does not exist for these types");
  return true;
}
