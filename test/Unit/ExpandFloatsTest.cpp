//===- ExpandFloatsTest.cpp - Conversions of f8 against APFloat
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiled code against `Tensor`, which converts by APFloat: all values of each f8 type, and wide
/// values next to them and between them.
///
//===----------------------------------------------------------------------===//

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Runtime/CompiledProgram.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

namespace {

class ExpandFloatsTest : public ::testing::TestWithParam<std::tuple<const char *, const char *>> {
protected:
  ExpandFloatsTest() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerExecutableDialects(registry);
    context.appendDialectRegistry(registry);
    narrow = parseType(std::get<0>(GetParam()), &context);
    wide = parseType(std::get<1>(GetParam()), &context);
  }

  /// The result of a body on one tensor.
  Tensor compute(const Tensor &input, Type to, StringRef body) {
    std::string text = llvm::formatv(
        "func.func @main(%a: tensor<{0}x{1}>) -> tensor<{0}x{2}> {{\n"
        "%e = tensor.empty() : tensor<{0}x{2}>\n%r = linalg.generic {{indexing_maps = "
        "[affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} "
        "ins(%a : tensor<{0}x{1}>) outs(%e : tensor<{0}x{2}>) {{\n^bb0(%x: {1}, %o: {2}):\n{3}\n"
        "linalg.yield %y : {2}\n} -> tensor<{0}x{2}>\nreturn %r : tensor<{0}x{2}>\n}\n",
        input.elements(), input.getElementType(), to, body);
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    CompileOptions options;
    options.tensorize = false;
    auto program = CompiledProgram::compile(*module, "main", options);
    EXPECT_TRUE(static_cast<bool>(program)) << llvm::toString(program.takeError());
    llvm::cantFail((*program)->prepare({input}));
    llvm::cantFail((*program)->run());
    return (*program)->getResults().front();
  }

  Tensor allNarrow() {
    Tensor all(narrow, {256});
    for (int64_t i = 0; i < 256; ++i)
      all.data()[i] = static_cast<char>(i);
    return all;
  }

  static std::string text(Type type) {
    std::string result;
    llvm::raw_string_ostream(result) << type;
    return result;
  }

  MLIRContext context;
  Type narrow, wide;
};

TEST_P(ExpandFloatsTest, AllValuesAreExtended) {
  Tensor all = allNarrow();
  Tensor result = compute(
      all, wide, llvm::formatv("%y = arith.extf %x : {0} to {1}", text(narrow), text(wide)).str());
  for (int64_t i = 0; i < 256; ++i) {
    double is = result.getFloat(i), want = all.getFloat(i);
    EXPECT_TRUE(is == want || (std::isnan(is) && std::isnan(want))) << i << ": " << is;
    EXPECT_EQ(std::signbit(is), std::signbit(want)) << i;
  }
}

/// Each value, the middle between it and its neighbours, and what is next to that.
TEST_P(ExpandFloatsTest, WideValuesAreRoundedToEven) {
  Tensor all = allNarrow();
  std::vector<double> values = {0.0,  -0.0,    INFINITY, -INFINITY, NAN,   1e-30, -1e-30, 6e4,
                                -6e4, 65519.0, 1e9,      3e38,      460.0, 464.0, 464.5,  480.0};
  for (int64_t i = 0; i < 256; ++i)
    for (double factor : {1.0, 1.0 + 0x1p-7, 1.0 - 0x1p-7, 1.0625, 0.9375, 1.125, 1.03})
      values.push_back(all.getFloat(i) * factor);
  for (int64_t i = 0; i < 255; ++i)
    values.push_back((all.getFloat(i) + all.getFloat(i + 1)) / 2);
  Tensor input(wide, {static_cast<int64_t>(values.size())});
  Tensor expected(narrow, input.getShape());
  for (auto [i, value] : llvm::enumerate(values)) {
    input.setFloat(i, value);
    expected.setFloat(i, input.getFloat(i));
  }
  Tensor result =
      compute(input, narrow,
              llvm::formatv("%y = arith.truncf %x : {0} to {1}", text(wide), text(narrow)).str());
  for (int64_t i = 0; i < input.elements(); ++i) {
    double is = result.getFloat(i), want = expected.getFloat(i);
    EXPECT_TRUE(is == want || (std::isnan(is) && std::isnan(want)))
        << input.getFloat(i) << ": " << is << ", expected " << want;
    EXPECT_TRUE(std::isnan(want) || std::signbit(is) == std::signbit(want)) << input.getFloat(i);
  }
}

/// Arithmetic on f8 itself is that of f32, rounded.
TEST_P(ExpandFloatsTest, ArithmeticIsRounded) {
  Tensor all = allNarrow();
  Tensor result = compute(all, narrow,
                          llvm::formatv("%c = arith.constant 1.5 : {0}\n"
                                        "%y = arith.mulf %x, %c : {0}",
                                        text(narrow))
                              .str());
  Tensor expected(narrow, {256});
  for (int64_t i = 0; i < 256; ++i)
    expected.setFloat(i, all.getFloat(i) * 1.5);
  EXPECT_EQ(compare(result, expected, /*tolerance=*/0).message, "");
}

INSTANTIATE_TEST_SUITE_P(All, ExpandFloatsTest,
                         ::testing::Combine(::testing::Values("f8E4M3FN", "f8E5M2"),
                                            ::testing::Values("f16", "bf16", "f32", "f64")),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param);
                         });

} // namespace
