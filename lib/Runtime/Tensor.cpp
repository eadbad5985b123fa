//===- Tensor.cpp - A tensor in this process's memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Tensor.h"
#include "ucmoh/Analysis/ElementType.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <sys/mman.h>

using namespace mlir;
using namespace ucmoh;

static constexpr int64_t alignmentBytes = 64, largePageBytes = 2 << 20;

Tensor::Tensor(Type elementType, ArrayRef<int64_t> shape) : elementType(elementType), shape(shape) {
  // Weights that are streamed from small pages wait for addresses: on a Zen 4, for half of the
  // time.
  bool isLarge = bytes() >= largePageBytes;
  int64_t alignment = isLarge ? largePageBytes : alignmentBytes;
  int64_t size = llvm::alignTo(std::max<int64_t>(bytes(), 1), alignment);
  memory.reset(static_cast<char *>(std::aligned_alloc(alignment, size)), std::free);
  if (!memory)
    llvm::report_bad_alloc_error("no memory for a tensor");
  if (isLarge)
    madvise(memory.get(), size, MADV_HUGEPAGE);
  std::memset(memory.get(), 0, size);
}

bool Tensor::isSupported(Type type) {
  if (type.isIndex() || type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
      isFloat8(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
}

int64_t Tensor::bytesOf(Type type) {
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

int64_t Tensor::elements() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

template <typename T> static T read(const char *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

int64_t Tensor::getInteger(int64_t position) const {
  const char *at = data() + position * bytesOf(elementType);
  if (elementType.isInteger(1))
    return read<uint8_t>(at) & 1;
  switch (bytesOf(elementType)) {
  case 1:
    return read<int8_t>(at);
  case 2:
    return read<int16_t>(at);
  case 4:
    return read<int32_t>(at);
  default:
    return read<int64_t>(at);
  }
}

void Tensor::setInteger(int64_t position, int64_t value) const {
  int64_t size = bytesOf(elementType); // little-endian: the low bytes come first
  std::memcpy(data() + position * size, &value, size);
}

double Tensor::getFloat(int64_t position) const {
  if (!isFloat())
    return static_cast<double>(getInteger(position));
  const char *at = data() + position * bytesOf(elementType);
  if (elementType.isF32())
    return read<float>(at);
  if (elementType.isF64())
    return read<double>(at);
  if (elementType.isBF16()) // the high half of a float
    return llvm::bit_cast<float>(uint32_t(read<uint16_t>(at)) << 16);
  auto &semantics = cast<FloatType>(elementType).getFloatSemantics();
  llvm::APInt bits = isFloat8(elementType) ? llvm::APInt(8, read<uint8_t>(at))
                                           : llvm::APInt(16, read<uint16_t>(at));
  return llvm::APFloat(semantics, bits).convertToDouble();
}

void Tensor::setFloat(int64_t position, double value) const {
  if (!isFloat())
    return setInteger(position, static_cast<int64_t>(value));
  if (elementType.isF32()) {
    float single = static_cast<float>(value);
    std::memcpy(data() + position * sizeof(float), &single, sizeof(float));
    return;
  }
  if (elementType.isBF16() && std::isfinite(value)) { // to nearest, ties to even
    auto bits = llvm::bit_cast<uint32_t>(static_cast<float>(value));
    auto high = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    std::memcpy(data() + position * sizeof(high), &high, sizeof(high));
    return;
  }
  llvm::APFloat rounded(value);
  bool losesInfo;
  rounded.convert(cast<FloatType>(elementType).getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  uint64_t bits = rounded.bitcastToAPInt().getZExtValue();
  std::memcpy(data() + position * bytesOf(elementType), &bits, bytesOf(elementType));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Calls `visit` with a function from positions to elements; a fast one for the commonest type.
template <typename Visitor> static void visitFloats(const Tensor &tensor, Visitor visit) {
  if (tensor.getElementType().isF32()) {
    auto *elements = reinterpret_cast<const float *>(tensor.data());
    return visit([elements](int64_t i) -> double { return elements[i]; });
  }
  visit([&tensor](int64_t i) { return tensor.getFloat(i); });
}

static double largestMagnitude(const Tensor &tensor) {
  double largest = 0;
  visitFloats(tensor, [&](auto at) {
    for (int64_t i = 0, e = tensor.elements(); i < e; ++i)
      if (double value = std::fabs(at(i)); std::isfinite(value))
        largest = std::max(largest, value);
  });
  return largest;
}

/// Whether both hold the same bits: most results of integers, and much faster to see.
static bool isIdentical(const Tensor &a, const Tensor &b) {
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

/// Infinite when only one of them is a number, or when they are different infinities.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  double result = std::fabs(a - b);
  return std::isnan(result) ? INFINITY : result;
}

/// That of integers is exact as long as a double can hold it.
static double distance(int64_t a, int64_t b) {
  return a == b ? 0 : std::max(1.0, std::fabs(static_cast<double>(a) - static_cast<double>(b)));
}

/// The largest distance of two elements, and where it is.
static std::pair<double, int64_t> findWorst(const Tensor &a, const Tensor &b) {
  double largest = 0;
  int64_t worst = 0;
  auto look = [&](auto distanceAt) {
    for (int64_t i = 0, e = a.elements(); i < e; ++i)
      if (double error = distanceAt(i); error > largest) {
        largest = error;
        worst = i;
      }
  };
  if (!a.isFloat())
    look([&](int64_t i) { return distance(a.getInteger(i), b.getInteger(i)); });
  else
    visitFloats(a, [&](auto x) {
      visitFloats(b, [&](auto y) { look([&](int64_t i) { return distance(x(i), y(i)); }); });
    });
  return {largest, worst};
}

/// Widens the tolerance to what different orders of addition may do to a result of the type: its
/// last place, if that is so coarse.
static double withLastPlace(double tolerance, Type type) {
  if (tolerance == 0 || !isFloat8(type))
    return tolerance;
  return std::max(tolerance, isa<Float8E5M2Type>(type) ? 0.25 : 0.125);
}

Difference ucmoh::compare(const Tensor &result, const Tensor &expected, double tolerance) {
  Difference difference;
  if (result.getElementType() != expected.getElementType() ||
      result.getShape() != expected.getShape()) {
    difference.equal = false;
    difference.maxAbsoluteError = INFINITY;
    difference.message = "the result has another type or shape";
    return difference;
  }
  if (isIdentical(result, expected))
    return difference;
  int64_t worst;
  std::tie(difference.maxAbsoluteError, worst) = findWorst(result, expected);
  tolerance = withLastPlace(tolerance, result.getElementType());
  double allowed = result.isFloat() ? tolerance * largestMagnitude(expected) : 0;
  if (difference.maxAbsoluteError <= allowed)
    return difference;
  difference.equal = false;
  difference.message =
      llvm::formatv("element {0} is {1}, expected {2}; allowed difference {3}", worst,
                    llvm::format("%.9g", result.getFloat(worst)),
                    llvm::format("%.9g", expected.getFloat(worst)), llvm::format("%g", allowed));
  return difference;
}

static int64_t countDiffering(const Tensor &a, const Tensor &b) {
  return llvm::count_if(llvm::seq<int64_t>(0, a.elements()), [&](int64_t i) {
    return a.isFloat() ? distance(a.getFloat(i), b.getFloat(i)) != 0
                       : a.getInteger(i) != b.getInteger(i);
  });
}

Difference ucmoh::compareRounded(const Tensor &result, const Tensor &expected, double tolerance) {
  Difference difference = compare(result, expected, tolerance);
  if (difference.equal)
    return difference;
  double steps = tolerance * largestMagnitude(expected);
  int64_t differing = countDiffering(result, expected);
  if (difference.maxAbsoluteError > std::max(1.0, steps))
    return difference;
  difference.equal = differing <= std::max(1.0, steps * static_cast<double>(result.elements()));
  difference.message =
      difference.equal
          ? ""
          : llvm::formatv("{0} of {1} elements differ, by {2} at most; so many sums of floats do "
                          "not round to another integer",
                          differing, result.elements(),
                          llvm::format("%.9g", difference.maxAbsoluteError))
                .str();
  return difference;
}

double Noise::decibel() const { return noise == 0 ? INFINITY : 10 * std::log10(signal / noise); }

static Noise measureNoise(const Tensor &result, const Tensor &expected) {
  Noise sums;
  sums.elements = expected.elements();
  if (result.getElementType() != expected.getElementType() ||
      result.getShape() != expected.getShape()) {
    sums.noise = INFINITY;
    sums.differing = sums.elements;
    return sums;
  }
  if (isIdentical(result, expected))
    return sums;
  sums.differing = countDiffering(result, expected);
  for (int64_t i = 0; i < sums.elements; ++i) {
    double right = expected.getFloat(i), error = distance(result.getFloat(i), right);
    sums.signal += std::isfinite(right) ? right * right : 0;
    sums.noise += error * error;
  }
  return sums;
}

Noise ucmoh::measureNoise(ArrayRef<Tensor> results, ArrayRef<Tensor> expected) {
  Noise worst;
  for (auto [result, right] : llvm::zip_equal(results, expected)) {
    Noise one = ::measureNoise(result, right);
    if (!worst.elements || one.decibel() < worst.decibel())
      worst = one;
  }
  return worst;
}

Difference ucmoh::compareAll(ArrayRef<Tensor> results, ArrayRef<Tensor> expected,
                             double tolerance) {
  Difference worst;
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(results, expected))) {
    Difference difference = compare(std::get<0>(pair), std::get<1>(pair), tolerance);
    worst.maxAbsoluteError = std::max(worst.maxAbsoluteError, difference.maxAbsoluteError);
    if (worst.equal && !difference.equal) {
      worst.equal = false;
      worst.message = llvm::formatv("result {0}: {1}", index, difference.message);
    }
  }
  return worst;
}
