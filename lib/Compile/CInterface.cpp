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
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

static constexpr int64_t alignmentBytes = 64;

int64_t ucmoh::bytesOf(const Parameter &parameter) {
  if (ShapedType::isDynamicShape(parameter.shape))
    return 0;
  return std::accumulate(parameter.shape.begin(), parameter.shape.end(),
                         Tensor::bytesOf(parameter.elementType), std::multiplies<>());
}

static llvm::Error checkShape(const Signature &signature, const Parameter &parameter) {
  if (!ShapedType::isDynamicShape(parameter.shape))
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "@{0}: the shape of {1} is open; weights have fixed shapes: give each extent a number",
      signature.name, toString(parameter)));
}

/// Weights, and what becomes of them, have a size that is known ahead.
static llvm::Error checkShapes(const LoweredFunction &function) {
  for (const Parameter &parameter : function.original.parameters)
    if (parameter.isWeight)
      if (auto error = checkShape(function.original, parameter))
        return error;
  if (function.pack)
    for (const Parameter &result : function.pack->results)
      if (auto error = checkShape(*function.pack, result))
        return error;
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
  if (auto error = checkShapes(function))
    return std::move(error);
  CInterface interface = {&function,       toIdentifier(function.original.name), {}, {}, {},
                          layOut(function)};
  for (auto [position, parameter] : llvm::enumerate(function.original.parameters)) {
    std::vector<Parameter> &list = parameter.isWeight ? interface.weights : interface.inputs;
    list.push_back(parameter);
    list.back().argument = position;
  }
  for (Parameter &result : interface.outputs = function.original.results)
    if (result.inPlace && function.original.parameters[*result.inPlace].isWeight)
      result.inPlace.reset();
    else if (result.inPlace)
      result.inPlace = interface.indexInList(*result.inPlace);
  return interface;
}

int64_t CInterface::indexInList(int64_t position) const {
  bool isWeight = function->original.parameters[position].isWeight;
  ArrayRef<Parameter> list = isWeight ? weights : inputs;
  return llvm::find_if(list, [&](const Parameter &p) { return p.argument == position; }) -
         list.begin();
}

//===----------------------------------------------------------------------===//
// Description
//===----------------------------------------------------------------------===//

static json::Array describe(ArrayRef<Parameter> parameters) {
  json::Array rows;
  for (const Parameter &parameter : parameters) {
    std::string type;
    llvm::raw_string_ostream(type) << parameter.elementType;
    json::Array shape; // an open extent as the name of its number
    for (auto [dim, extent] : llvm::enumerate(parameter.shape))
      shape.push_back(ShapedType::isDynamic(extent)
                          ? json::Value(llvm::formatv("e{0}", parameter.extents[dim]).str())
                          : json::Value(extent));
    json::Object row{{"type", type}, {"shape", std::move(shape)}};
    if (parameter.argument)
      row["argument"] = *parameter.argument;
    if (parameter.inPlace)
      row["in_place"] = *parameter.inPlace;
    if (parameter.places)
      row["places"] = json::Array{parameter.places->low, parameter.places->high};
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Describes open extents by the least and the most that is promised.
static json::Array describe(ArrayRef<ExtentRange> ranges) {
  json::Array rows;
  for (const ExtentRange &range : ranges)
    rows.push_back(json::Array{range.least, range.most});
  return rows;
}

/// Describes open extents that are sums of others, by name: "e0 + 1".
static json::Object describe(ArrayRef<std::optional<ExtentSum>> sums) {
  json::Object texts;
  for (auto [number, sum] : llvm::enumerate(sums)) {
    if (!sum)
      continue;
    std::string text;
    for (int64_t term : sum->terms)
      text += llvm::formatv("e{0} + ", term);
    texts[llvm::formatv("e{0}", number).str()] = text + std::to_string(sum->plus);
  }
  return texts;
}

static json::Array describe(ArrayRef<OpInfo> ops) {
  json::Array rows;
  for (auto [index, op] : llvm::enumerate(ops)) {
    bool isChosen = !op.choice.empty();
    rows.push_back(
        json::Object{{"op", static_cast<int64_t>(index)},
                     {"workload", op.workload},
                     {"choice", isChosen ? json::Value(op.choice) : nullptr},
                     {"predicted_seconds", isChosen ? json::Value(op.predictedSeconds) : nullptr}});
  }
  return rows;
}

std::string ucmoh::describe(const CInterface &interface, const LibraryTarget &target) {
  const LoweredFunction &function = *interface.function;
  json::Object description{{"function", function.original.name},
                           {"target", target.name},
                           {"machine", target.machine},
                           {"cpu_features", json::Array(target.features)},
                           {"threads", target.threads},
                           {"inputs", ::describe(interface.inputs)},
                           {"weights", ::describe(interface.weights)},
                           {"outputs", ::describe(interface.outputs)},
                           {"extents", ::describe(interface.extents())},
                           {"sums", ::describe(function.original.sums)},
                           {"packed_bytes", interface.block.bytes},
                           {"ops", ::describe(function.ops)}};
  return llvm::formatv("{0}", json::Value(std::move(description))).str();
}
