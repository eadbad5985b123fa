//===- CInterface.cpp - A function as C programs see it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

static constexpr int64_t alignmentBytes = 64;

int64_t ucmoh::bytesOf(const Parameter &parameter) {
  return std::accumulate(parameter.shape.begin(), parameter.shape.end(),
                         Tensor::bytesOf(parameter.elementType), std::multiplies<>());
}

static llvm::Error checkShapes(const Signature &signature) {
  for (const std::vector<Parameter> *list : {&signature.parameters, &signature.results})
    for (const Parameter &parameter : *list)
      if (ShapedType::isDynamicShape(parameter.shape))
        return llvm::createStringError(llvm::formatv(
            "@{0}: the shape of {1} is open; programs that are compiled ahead of time have fixed "
            "shapes: give each extent a number",
            signature.name, toString(parameter)));
  return llvm::Error::success();
}

/// The function's name with '_' for what C does not allow.
static std::string toIdentifier(StringRef name) {
  std::string identifier = name.str();
  for (char &c : identifier)
    if (!llvm::isAlnum(c))
      c = '_';
  return llvm::isDigit(identifier.front()) ? "_" + identifier : identifier;
}

static PackedBlock layOut(const LoweredFunction &function) {
  PackedBlock block;
  auto take = [&](const Parameter &parameter) {
    return std::exchange(block.bytes,
                         block.bytes + llvm::alignTo(bytesOf(parameter), alignmentBytes));
  };
  if (function.pack)
    llvm::append_range(block.packed, llvm::map_range(function.pack->results, take));
  for (const Parameter &parameter : function.compiled.parameters)
    block.raw.push_back(parameter.isWeight ? std::optional<int64_t>(take(parameter))
                                           : std::nullopt);
  return block;
}

llvm::Expected<CInterface> CInterface::create(const LoweredFunction &function) {
  for (const Signature *signature : {&function.original, &function.compiled})
    if (auto error = checkShapes(*signature))
      return std::move(error);
  if (function.pack)
    if (auto error = checkShapes(*function.pack))
      return std::move(error);
  CInterface interface = {
      &function, toIdentifier(function.original.name), {}, {}, layOut(function)};
  for (auto [position, parameter] : llvm::enumerate(function.original.parameters)) {
    std::vector<Parameter> &list = parameter.isWeight ? interface.weights : interface.inputs;
    list.push_back(parameter);
    list.back().argument = position;
  }
  return interface;
}

int64_t CInterface::indexInList(int64_t position) const {
  bool isWeight = function->original.parameters[position].isWeight;
  ArrayRef<Parameter> list = isWeight ? weights : inputs;
  return llvm::find_if(list, [&](const Parameter &p) { return p.argument == position; }) -
         list.begin();
}
