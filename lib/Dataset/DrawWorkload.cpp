//===- DrawWorkload.cpp - Workloads at random
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawWorkload.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <optional>

using namespace ucmoh;
using Shape = llvm::SmallVector<int64_t>;

namespace {

/// How elements are multiplied and added.
struct Arithmetic {
  llvm::StringLiteral types, operand, result; ///< TaskInfo::types; elements in MLIR
  llvm::StringLiteral extendLhs, extendRhs;   ///< ops that widen; empty where nothing is widened
  llvm::StringLiteral multiply, add, zero;
};

/// A contraction without the types of its elements.
struct Contraction {
  Shape lhs, rhs, result;
  llvm::StringLiteral maps;
  int64_t parallel = 0, reduction = 0; ///< loops: the parallel ones are outside
  int64_t stride = 1, padding = 0;     ///< an image's
  bool isWeight = true;                ///< rhs never changes
};

/// Square images, and the square window that goes over them.
struct Images {
  int64_t count, size, kernel, stride, padding, result; ///< result: rows and columns of it
};

/// Sizes, from one generator.
class Sizes {
public:
  explicit Sizes(std::mt19937_64 &random) : random(random) {}
  Contraction product();
  Contraction batchedProduct();
  Contraction convolution();
  Contraction depthwise();
  /// In [0, 1). Not std::uniform_real_distribution: each library has its own.
  double uniform() { return (random() >> 11) * 0x1p-53; }

private:
  Images images(int64_t kernel);
  int64_t logarithmic(int64_t low, int64_t high, int64_t multiple = 1);
  int64_t channels();
  template <size_t N> int64_t oneOf(const int64_t (&values)[N]) { return values[random() % N]; }
  std::mt19937_64 &random;
};

} // namespace

static constexpr Arithmetic arithmetics[] = {
    {"f32", "f32", "f32", "", "", "arith.mulf", "arith.addf", "0.0"},
    {"bf16", "bf16", "f32", "arith.extf", "arith.extf", "arith.mulf", "arith.addf", "0.0"},
    {"s8s8s32", "i8", "i32", "arith.extsi", "arith.extsi", "arith.muli", "arith.addi", "0"},
    {"u8s8s32", "i8", "i32", "arith.extui", "arith.extsi", "arith.muli", "arith.addi", "0"},
};

static const Arithmetic *findArithmetic(llvm::StringRef types) {
  const auto *found =
      llvm::find_if(arithmetics, [&](const Arithmetic &entry) { return entry.types == types; });
  return found == std::end(arithmetics) ? nullptr : found;
}

/// A multiple of `multiple` in [low, high], small ones as likely as large ones.
int64_t Sizes::logarithmic(int64_t low, int64_t high, int64_t multiple) {
  double value = low * std::pow(double(high) / low, uniform());
  return std::max<int64_t>(low, std::llround(value / multiple) * multiple);
}

/// Mostly multiples of 8, often powers of two; sometimes the few of a picture, or any number.
int64_t Sizes::channels() {
  double kind = uniform();
  if (kind < 0.05)
    return oneOf({1, 3, 4});
  return kind < 0.3 ? oneOf({16, 32, 64, 128, 256, 512, 1024})
                    : logarithmic(8, 1024, kind < 0.9 ? 8 : 1);
}

Contraction Sizes::product() {
  int64_t m = logarithmic(1, 4096), n = logarithmic(8, 4096, 8), k = logarithmic(8, 4096, 8);
  return {{m, k}, {k, n}, {m, n}, "(d0, d2)>, (d2, d1)>, (d0, d1)>", 2, 1};
}

Contraction Sizes::batchedProduct() {
  int64_t b = oneOf({2, 4, 8, 12, 16, 32}), m = logarithmic(1, 512), n = logarithmic(16, 512);
  int64_t k = logarithmic(16, 512, 8);
  Contraction drawn{{b, m, k}, {b, k, n}, {b, m, n}, "(d0, d1, d3)>, (d0, d3, d2)>, (d0, d1, d2)>",
                    3,         1};
  drawn.isWeight = false;
  return drawn;
}

Images Sizes::images(int64_t kernel) {
  Images drawn;
  drawn.kernel = kernel;
  drawn.stride = uniform() < 0.3 ? 2 : 1;
  drawn.padding = uniform() < 0.5 ? kernel / 2 : 0;
  drawn.size = std::max(kernel, logarithmic(4, 160));
  drawn.count = oneOf({1, 1, 2, 4, 8, 16});
  drawn.result = (drawn.size + 2 * drawn.padding - kernel) / drawn.stride + 1;
  return drawn;
}

Contraction Sizes::convolution() {
  Images of = images(oneOf({1, 1, 1, 1, 3, 3, 3, 5, 7}));
  int64_t in = channels(), out = channels();
  return {{of.count, of.size, of.size, in},
          {of.kernel, of.kernel, in, out},
          {of.count, of.result, of.result, out},
          "(d0, d1 * S + d4, d2 * S + d5, d6)>, (d4, d5, d6, d3)>, (d0, d1, d2, d3)>",
          4,
          3,
          of.stride,
          of.padding};
}

/// A window for each channel.
Contraction Sizes::depthwise() {
  Images of = images(oneOf({3, 3, 3, 5, 5, 7}));
  int64_t windows = std::max<int64_t>(8, channels());
  return {{of.count, of.size, of.size, windows},
          {of.kernel, of.kernel, windows},
          {of.count, of.result, of.result, windows},
          "(d0, d1 * S + d4, d2 * S + d5, d3)>, (d4, d5, d3)>, (d0, d1, d2, d3)>",
          4,
          2,
          of.stride,
          of.padding};
}

static double flops(const Contraction &contraction) {
  double product = 2;
  for (int64_t extent : contraction.result)
    product *= extent;
  for (int64_t extent : llvm::ArrayRef(contraction.rhs).drop_back())
    product *= extent;
  return contraction.isWeight ? product : product / contraction.rhs.front();
}

static Contraction draw(Sizes &sizes) {
  while (true) {
    double kind = sizes.uniform();
    Contraction drawn = kind < 0.25   ? sizes.product()
                        : kind < 0.35 ? sizes.batchedProduct()
                        : kind < 0.45 ? sizes.depthwise()
                                      : sizes.convolution();
    if (flops(drawn) >= 2e5 && flops(drawn) <= 8e8)
      return drawn;
  }
}

static std::string tensor(llvm::ArrayRef<int64_t> shape, llvm::StringRef element) {
  return "tensor<" +
         llvm::join(llvm::map_range(shape, [](int64_t n) { return llvm::itostr(n); }), "x") +
         ("x" + element + ">").str();
}

/// "affine_map<(d0, …) -> (…)>, …" of the three tensors.
static std::string mapsOf(const Contraction &contraction) {
  std::string loops, stride = llvm::itostr(contraction.stride), maps;
  for (int64_t loop = 0; loop < contraction.parallel + contraction.reduction; ++loop)
    loops += (loop ? ", d" : "d") + llvm::itostr(loop);
  for (char letter : contraction.maps)
    maps += letter == 'S' ? stride : std::string(1, letter);
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(maps).split(parts, ">, ");
  for (llvm::StringRef &part : parts)
    part.consume_back(">");
  return llvm::formatv("affine_map<({0}) -> {1}>, affine_map<({0}) -> {2}>, affine_map<({0}) -> "
                       "{3}>",
                       loops, parts[0], parts[1], parts[2]);
}

static std::string iterators(const Contraction &contraction) {
  std::string text;
  for (int64_t loop = 0; loop < contraction.parallel + contraction.reduction; ++loop)
    text += std::string(loop ? ", " : "") +
            (loop < contraction.parallel ? "\"parallel\"" : "\"reduction\"");
  return text;
}

/// Surrounds the images with zeros; returns what is computed on: its name and type.
static std::pair<std::string, std::string>
pad(const Contraction &contraction, const Arithmetic &arithmetic, llvm::raw_ostream &os) {
  std::string type = tensor(contraction.lhs, arithmetic.operand);
  if (contraction.padding == 0)
    return {"%lhs", type};
  Shape shape = contraction.lhs;
  shape[1] += 2 * contraction.padding;
  shape[2] += 2 * contraction.padding;
  std::string padded = tensor(shape, arithmetic.operand);
  os << llvm::formatv(R"(  %border = arith.constant {0} : {1}
  %padded = tensor.pad %lhs low[0, {2}, {2}, 0] high[0, {2}, {2}, 0] {{
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %border : {1}
  } : {3} to {4}
)",
                      arithmetic.zero, arithmetic.operand, contraction.padding, type, padded);
  return {"%padded", padded};
}

/// Widens a value of the body; returns the name of what is multiplied.
static llvm::StringRef widen(llvm::StringRef op, llvm::StringRef value, llvm::StringRef wide,
                             const Arithmetic &arithmetic, llvm::raw_ostream &os) {
  if (op.empty())
    return value;
  os << llvm::formatv("    {0} = {1} {2} : {3} to {4}\n", wide, op, value, arithmetic.operand,
                      arithmetic.result);
  return wide;
}

static void printBody(const Arithmetic &arithmetic, llvm::raw_ostream &os) {
  os << llvm::formatv("  ^bb0(%a: {0}, %b: {0}, %acc: {1}):\n", arithmetic.operand,
                      arithmetic.result);
  llvm::StringRef a = widen(arithmetic.extendLhs, "%a", "%x", arithmetic, os);
  llvm::StringRef b = widen(arithmetic.extendRhs, "%b", "%y", arithmetic, os);
  os << llvm::formatv(R"(    %product = {0} {1}, {2} : {3}
    %sum = {4} %acc, %product : {3}
    linalg.yield %sum : {3}
)",
                      arithmetic.multiply, a, b, arithmetic.result, arithmetic.add);
}

static std::string print(const Contraction &contraction, const Arithmetic &arithmetic) {
  std::string text, result = tensor(contraction.result, arithmetic.result);
  std::string rhs = tensor(contraction.rhs, arithmetic.operand);
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("func.func @f(%lhs: {0}, %rhs: {1}{2}, %init: {3}) -> {3} {{\n",
                      tensor(contraction.lhs, arithmetic.operand), rhs,
                      contraction.isWeight ? " {ucmoh.weight}" : "", result);
  os << llvm::formatv("  %zero = arith.constant {0} : {1}\n  %zeros = linalg.fill ins(%zero : {1}) "
                      "outs(%init : {2}) -> {2}\n",
                      arithmetic.zero, arithmetic.result, result);
  auto [lhs, lhsType] = pad(contraction, arithmetic, os);
  os << llvm::formatv("  %result = linalg.generic {{indexing_maps = [{0}], iterator_types = [{1}]} "
                      "ins({2}, %rhs : {3}, {4}) outs(%zeros : {5}) {{\n",
                      mapsOf(contraction), iterators(contraction), lhs, lhsType, rhs, result);
  printBody(arithmetic, os);
  os << llvm::formatv("  } -> {0}\n  return %result : {0}\n}\n", result);
  return text;
}

bool ucmoh::canDraw(llvm::StringRef types) { return findArithmetic(types); }

std::string ucmoh::drawWorkload(llvm::StringRef types, std::mt19937_64 &random) {
  Sizes sizes(random);
  return print(draw(sizes), *findArithmetic(types));
}
