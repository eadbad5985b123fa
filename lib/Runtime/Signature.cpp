//===- Signature.cpp - What a function takes and returns
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Signature.h"
#include "ucmoh/Analysis/InPlace.h"
#include "ucmoh/Analysis/LookupPlaces.h"
#include "llvm/Support/FormatVariadic.h"
#include <unistd.h>

using namespace mlir;
using namespace ucmoh;

std::string ucmoh::toString(const Parameter &parameter) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (parameter.isScalar)
    stream << parameter.elementType;
  else
    stream << RankedTensorType::get(parameter.shape, parameter.elementType);
  return text;
}

static llvm::Expected<Parameter> readType(Type type, StringRef function) {
  Parameter parameter;
  auto tensor = dyn_cast<RankedTensorType>(type);
  parameter.isScalar = !tensor;
  parameter.elementType = tensor ? tensor.getElementType() : type;
  if (tensor)
    parameter.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  bool isDense = !tensor || !tensor.getEncoding();
  if (Tensor::isSupported(parameter.elementType) && isDense)
    return parameter;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return llvm::createStringError(llvm::formatv(
      "@{0}: cannot pass {1}; use ranked, dense tensors or scalars of f8E4M3FN, f8E5M2, f16, "
      "bf16, f32, f64, index or i1 to i64",
      function, text));
}

/// Whether all arguments and results of known size together fit into this machine.
static llvm::Error checkMemory(const Signature &signature) {
  double bytes = 0;
  for (const std::vector<Parameter> *list : {&signature.parameters, &signature.results})
    for (const Parameter &parameter : *list) {
      double size = Tensor::bytesOf(parameter.elementType);
      for (int64_t extent : parameter.shape)
        size *= ShapedType::isDynamic(extent) ? 0 : extent;
      bytes += size;
    }
  double memory = double(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
  if (bytes <= memory)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("@{0}: arguments and results take {1:f1} GB, this machine has {2:f1} GB; "
                    "ucmoh-opt compiles without running",
                    signature.name, bytes / 1e9, memory / 1e9));
}

static std::optional<int64_t> readPosition(func::FuncOp function, unsigned i, StringRef name) {
  if (auto attribute = function.getArgAttrOfType<IntegerAttr>(i, name))
    return attribute.getInt();
  return std::nullopt;
}

/// Which open extents are the same, and what is promised of them.
static void readExtents(func::FuncOp function, Signature &signature) {
  if (function.isExternal())
    return;
  OpenExtents extents(function);
  for (auto [i, parameter] : llvm::enumerate(signature.parameters))
    parameter.extents = llvm::to_vector(extents.ofArgument(i));
  for (auto [i, result] : llvm::enumerate(signature.results))
    result.extents = llvm::to_vector(extents.ofResult(i));
  signature.extents = extents.ranges().vec();
  signature.sums = extents.sums().vec();
}

static void readInPlace(func::FuncOp function, Signature &signature) {
  for (auto [result, argument] : llvm::zip_equal(signature.results, findInPlace(function)))
    result.inPlace = argument;
}

static void readPlaces(func::FuncOp function, Signature &signature) {
  if (function.isExternal())
    return;
  for (auto [parameter, places] : llvm::zip_equal(signature.parameters, findLookupPlaces(function)))
    parameter.places = places;
}

static std::string textOf(const ExtentRange &range) {
  if (range.most == ExtentRange().most)
    return llvm::formatv("{0} or more", range.least).str();
  return llvm::formatv("{0} to {1}, as ucmoh.assume promises", range.least, range.most).str();
}

std::string
ucmoh::findContradiction(const Signature &signature,
                         llvm::function_ref<ArrayRef<int64_t>(unsigned position)> shapeOf) {
  struct Place {
    unsigned argument;
    size_t dim;
    int64_t extent;
  };
  std::vector<std::optional<Place>> first(signature.extents.size());
  for (auto [argument, parameter] : llvm::enumerate(signature.parameters))
    for (auto [dim, number] : llvm::enumerate(parameter.extents)) {
      if (number < 0)
        continue;
      int64_t extent = shapeOf(argument)[dim];
      const ExtentRange &range = signature.extents[number];
      if (!range.contains(extent))
        return llvm::formatv("argument {0}: dim {1} has extent {2}, and must have {3}", argument,
                             dim, extent, textOf(range))
            .str();
      if (!first[number])
        first[number] = {unsigned(argument), dim, extent};
      if (first[number]->extent != extent)
        return llvm::formatv("argument {0}: dim {1} has extent {2}, and must have {3}, as dim {4} "
                             "of argument {5}",
                             argument, dim, extent, first[number]->extent, first[number]->dim,
                             first[number]->argument)
            .str();
    }
  return "";
}

llvm::Expected<Signature> ucmoh::readSignature(func::FuncOp function) {
  Signature signature;
  signature.name = function.getSymName().str();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto parameter = readType(type, signature.name);
    if (!parameter)
      return parameter.takeError();
    parameter->isWeight = function.getArgAttr(i, "ucmoh.weight") != nullptr;
    if (auto range = function.getArgAttrOfType<DenseI64ArrayAttr>(i, "ucmoh.range"))
      parameter->range = ElementRange{range[0], range[1]};
    parameter->argument = readPosition(function, i, "ucmoh.arg");
    parameter->packed = readPosition(function, i, "ucmoh.packed");
    signature.parameters.push_back(*parameter);
  }
  for (Type type : function.getResultTypes()) {
    auto result = readType(type, signature.name);
    if (!result)
      return result.takeError();
    signature.results.push_back(*result);
  }
  readExtents(function, signature);
  readPlaces(function, signature);
  readInPlace(function, signature);
  if (llvm::Error error = checkMemory(signature))
    return std::move(error);
  return signature;
}
