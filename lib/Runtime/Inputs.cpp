//===- Inputs.cpp - Seeded arguments that keep real networks finite
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Inputs.h"
#include "ucmoh/Runtime/TensorFile.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

/// Element `position` of a random stream (splitmix64): no state, so the order does not matter.
static uint64_t randomBits(uint64_t stream, uint64_t position) {
  uint64_t z = (stream + 1) * 0xD1B54A32D192ED03ull + position * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// In [0, 1).
static double uniform(uint64_t bits) { return std::ldexp(static_cast<double>(bits >> 11), -53); }

/// Elements that one output sums up. Layouts differ in where outputs lie: first (FCHW) or last
/// (HWCF); the larger of the two is taken for it, so that sums rather stay small.
static double fanIn(ArrayRef<int64_t> shape, int64_t elements) {
  int64_t first = shape.front(), last = shape.back();
  int64_t outputs = shape.size() == 2 ? std::min(first, last) : std::max(first, last);
  return std::max<double>(1, static_cast<double>(elements) / std::max<int64_t>(1, outputs));
}

/// The interval that floats are drawn from.
static std::pair<double, double> rangeOf(const Tensor &tensor, bool isWeight) {
  if (isWeight && tensor.getShape().size() == 1)
    return {0.5, 1.5};
  double bound = std::sqrt(3.0); // the variance is 1
  if (isWeight && tensor.getShape().size() > 1)
    bound /= std::sqrt(fanIn(tensor.getShape(), tensor.elements()));
  return {-bound, bound};
}

/// Small integers take all values, others may be indices; unless the caller knows better.
static int64_t makeInteger(const Parameter &parameter, uint64_t bits) {
  if (parameter.range)
    return parameter.range->low +
           static_cast<int64_t>((bits >> 16) % (parameter.range->high - parameter.range->low + 1));
  bool fullRange = parameter.elementType.isInteger(8) || parameter.elementType.isInteger(16);
  return static_cast<int64_t>(fullRange ? bits >> 16 : bits >> 63);
}

Tensor ucmoh::makeInput(const Parameter &parameter, unsigned position,
                        const InputOptions &options) {
  SmallVector<int64_t> shape(parameter.shape);
  for (int64_t &extent : shape)
    extent = ShapedType::isDynamic(extent) ? options.dynamicSize : extent;
  Tensor tensor(parameter.elementType, shape);
  uint64_t stream = options.seed * 0x10001 + position;
  auto [low, high] = rangeOf(tensor, parameter.isWeight);
  for (int64_t i = 0, e = tensor.elements(); i < e; ++i) {
    uint64_t bits = randomBits(stream, i);
    if (tensor.isFloat())
      tensor.setFloat(i, low + (high - low) * uniform(bits));
    else
      tensor.setInteger(i, makeInteger(parameter, bits));
  }
  return tensor;
}

/// Whether the elements are what `ucmoh.range` promises: unsigned if it has no negative numbers.
static bool keepsPromise(const Tensor &tensor, const Parameter &parameter) {
  if (!parameter.range)
    return true;
  int64_t wrap =
      parameter.range->low < 0 ? 0 : int64_t(1) << parameter.elementType.getIntOrFloatBitWidth();
  for (int64_t i = 0, e = tensor.elements(); i < e; ++i) {
    int64_t value = tensor.getInteger(i);
    value += value < 0 ? wrap : 0;
    if (value < parameter.range->low || value > parameter.range->high)
      return false;
  }
  return true;
}

/// Whether the tensor fits the parameter.
static llvm::Error check(const Tensor &tensor, const Parameter &parameter, StringRef path) {
  bool fits = tensor.getElementType() == parameter.elementType &&
              tensor.getShape().size() == parameter.shape.size();
  for (size_t i = 0; fits && i < parameter.shape.size(); ++i)
    fits = ShapedType::isDynamic(parameter.shape[i]) || parameter.shape[i] == tensor.getShape()[i];
  if (fits && !keepsPromise(tensor, parameter))
    return llvm::createStringError(
        llvm::formatv("{0}: not all elements are in the argument's ucmoh.range, [{1}, {2}]", path,
                      parameter.range->low, parameter.range->high));
  if (fits)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "{0}: type or shape is not that of the argument, {1}", path, toString(parameter)));
}

llvm::Expected<std::vector<Tensor>> ucmoh::makeInputs(const Signature &signature,
                                                      const InputOptions &options) {
  std::vector<Tensor> inputs;
  size_t nextFile = 0;
  for (auto [position, parameter] : llvm::enumerate(signature.parameters)) {
    if (parameter.isWeight || nextFile == options.files.size()) {
      inputs.push_back(makeInput(parameter, position, options));
      continue;
    }
    const std::string &path = options.files[nextFile++];
    auto tensor = readNpy(path, parameter.elementType);
    if (!tensor)
      return tensor.takeError();
    if (auto error = check(*tensor, parameter, path))
      return std::move(error);
    inputs.push_back(*tensor);
  }
  if (nextFile < options.files.size())
    return llvm::createStringError("more input files than arguments that are no weights");
  auto shapeOf = [&](unsigned i) -> ArrayRef<int64_t> { return inputs[i].getShape(); };
  if (std::string wrong = findContradiction(signature, shapeOf); !wrong.empty())
    return llvm::createStringError("@" + signature.name + ": " + wrong);
  return inputs;
}
