//===- Signature.cpp - What a function takes and returns
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Measure/Signature.h"
#include "llvm/Support/FormatVariadic.h"

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
  if (Tensor::isSupported(parameter.elementType))
    return parameter;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return llvm::createStringError(llvm::formatv(
      "@{0}: cannot pass {1}; use ranked tensors or scalars of f8E4M3FN, f8E5M2, f16, bf16, f32, "
      "f64, index or i1 to i64",
      function, text));
}

static std::optional<int64_t> readPosition(func::FuncOp function, unsigned i, StringRef name) {
  if (auto attribute = function.getArgAttrOfType<IntegerAttr>(i, name))
    return attribute.getInt();
  return std::nullopt;
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
  return signature;
}
