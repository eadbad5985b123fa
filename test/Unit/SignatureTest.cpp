//===- SignatureTest.cpp - Signatures, and inputs and results that follow from them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Signature.h"
#include "ErrorText.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Runtime/ChildProcess.h"
#include "ucmoh/Runtime/Inputs.h"
#include "ucmoh/Runtime/TensorFile.h"
#include "ucmoh/Runtime/Trial.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

namespace {

class SignatureTest : public ::testing::Test {
protected:
  SignatureTest() { context.loadDialect<func::FuncDialect>(); }

  llvm::Expected<Signature> read(llvm::StringRef declaration) {
    module = parseSourceString<ModuleOp>(declaration, &context);
    return readSignature(*module->getOps<func::FuncOp>().begin());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(SignatureTest, TypesAndMarks) {
  auto signature = read("func.func private @f(tensor<4x?xf32>, i64 {ucmoh.arg = 5 : i64}, "
                        "tensor<3xbf16> {ucmoh.weight}, tensor<f16> {ucmoh.packed = 2 : i64}) -> "
                        "(tensor<2xi8>, index)");
  ASSERT_EQ(errorOf(signature), "");
  EXPECT_EQ(signature->name, "f");
  const std::vector<Parameter> &parameters = signature->parameters;
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_EQ(toString(parameters[0]), "tensor<4x?xf32>");
  EXPECT_FALSE(parameters[0].isScalar || parameters[0].isWeight);
  EXPECT_FALSE(parameters[0].argument || parameters[0].packed);
  EXPECT_EQ(toString(parameters[1]), "i64");
  EXPECT_TRUE(parameters[1].isScalar);
  EXPECT_EQ(parameters[1].argument, 5);
  EXPECT_TRUE(parameters[2].isWeight);
  EXPECT_EQ(toString(parameters[3]), "tensor<f16>");
  EXPECT_FALSE(parameters[3].isScalar);
  EXPECT_EQ(parameters[3].packed, 2);
  ASSERT_EQ(signature->results.size(), 2u);
  EXPECT_EQ(toString(signature->results[0]), "tensor<2xi8>");
  EXPECT_EQ(toString(signature->results[1]), "index");
}

TEST_F(SignatureTest, WhatCannotBePassedIsNamed) {
  for (const char *type : {"tensor<*xf32>", "memref<4xf32>", "tensor<4xi4>", "vector<4xf32>", "i7",
                           "tensor<2xcomplex<f32>>", "f80"})
    for (const std::string &declaration :
         {("func.func private @g(f32, " + llvm::Twine(type) + ")").str(),
          ("func.func private @g() -> " + llvm::Twine(type)).str()}) {
      auto signature = read(declaration);
      ASSERT_FALSE(static_cast<bool>(signature)) << declaration;
      std::string message = llvm::toString(signature.takeError());
      EXPECT_TRUE(llvm::StringRef(message).starts_with(
          ("@g: cannot pass " + llvm::Twine(type) + "; use ranked, dense tensors or scalars")
              .str()))
          << message;
    }
}

TEST_F(SignatureTest, InputsAreSeededAndFillOpenDims) {
  auto signature = read("func.func private @f(tensor<4x?xi8>, tensor<4x?xi8>, tensor<64x256xf32> "
                        "{ucmoh.weight}, tensor<9xi32>)");
  ASSERT_EQ(errorOf(signature), "");
  InputOptions options;
  options.dynamicSize = 33;
  auto first = makeInputs(*signature, options), second = makeInputs(*signature, options);
  options.seed = 1;
  auto other = makeInputs(*signature, options);
  ASSERT_EQ(errorOf(first), "");
  ASSERT_EQ(errorOf(second), "");
  ASSERT_EQ(errorOf(other), "");
  EXPECT_EQ((*first)[0].getShape(), (llvm::ArrayRef<int64_t>{4, 33}));
  for (size_t i = 0; i < first->size(); ++i)
    EXPECT_TRUE(compare((*first)[i], (*second)[i], 0).equal);
  EXPECT_FALSE(compare((*first)[0], (*first)[1], 0).equal) << "two arguments are the same";
  EXPECT_FALSE(compare((*first)[0], (*other)[0], 0).equal) << "two seeds are the same";
  for (int64_t i = 0; i < (*first)[2].elements(); ++i)
    EXPECT_LE(std::fabs((*first)[2].getFloat(i)), std::sqrt(3.0) / std::sqrt(256.0) + 1e-6);
  for (int64_t i = 0; i < 9; ++i)
    EXPECT_TRUE((*first)[3].getInteger(i) == 0 || (*first)[3].getInteger(i) == 1);
}

TEST_F(SignatureTest, InputsKeepWhatIsPromised) {
  auto signature = read("func.func private @f(tensor<999xi8> {ucmoh.range = array<i64: -64, 63>}, "
                        "tensor<999xi8> {ucmoh.range = array<i64: 100, 255>}, "
                        "tensor<999xi32> {ucmoh.range = array<i64: 7, 7>})");
  ASSERT_EQ(errorOf(signature), "");
  auto inputs = makeInputs(*signature, InputOptions());
  ASSERT_EQ(errorOf(inputs), "");
  std::set<int64_t> first, second;
  for (int64_t i = 0; i < 999; ++i) {
    first.insert((*inputs)[0].getInteger(i));
    second.insert((*inputs)[1].getInteger(i) & 255);
    EXPECT_EQ((*inputs)[2].getInteger(i), 7);
  }
  EXPECT_EQ(*first.begin(), -64);
  EXPECT_EQ(*first.rbegin(), 63);
  EXPECT_EQ(*second.begin(), 100);
  EXPECT_EQ(*second.rbegin(), 255);
}

//===----------------------------------------------------------------------===//
// Results that processes share
//===----------------------------------------------------------------------===//

TEST_F(SignatureTest, ResultsOfAChildAreReadHere) {
  auto signature = read("func.func private @f() -> (tensor<2x?xi32>, f32)");
  ASSERT_EQ(errorOf(signature), "");
  ResultFile results;
  EXPECT_NE(errorOf(results.read(signature->results)), "") << "nothing was written";
  Type i32 = signature->results[0].elementType, f32 = signature->results[1].elementType;
  auto child = llvm::cantFail(ChildProcess::start([&]() -> ChildProcess::Handler {
    return [&](const json::Object &) -> json::Object {
      Tensor matrix(i32, {2, 3}), number(f32, {});
      matrix.setInteger(5, -7);
      number.setFloat(0, 2.5);
      if (auto error = results.write({matrix, number}))
        return json::Object{{"error", llvm::toString(std::move(error))}};
      return json::Object{};
    };
  }));
  ASSERT_EQ(errorOf(child->ask(json::Object(), /*timeoutSeconds=*/60)), "");
  for (int turn = 0; turn < 2; ++turn) {
    auto read = results.read(signature->results);
    ASSERT_EQ(errorOf(read), "");
    ASSERT_EQ(read->size(), 2u);
    EXPECT_EQ((*read)[0].getShape(), (llvm::ArrayRef<int64_t>{2, 3}));
    EXPECT_EQ((*read)[0].getInteger(5), -7);
    EXPECT_EQ((*read)[1].getFloat(0), 2.5);
  }
}

/// The verdict of ucmoh-run rests on these comparisons.
TEST_F(SignatureTest, ComparisonsAreNotFooled) {
  Builder builder(&context);
  Tensor a(builder.getI32Type(), {4}), b(builder.getI32Type(), {4});
  EXPECT_TRUE(compare(a, b, 0).equal);
  b.setInteger(2, 1);
  Difference difference = compare(a, b, /*tolerance=*/1);
  EXPECT_FALSE(difference.equal) << "integers have to be equal whatever the tolerance";
  EXPECT_EQ(difference.message, "element 2 is 0, expected 1; allowed difference 0");

  Tensor wide(builder.getI64Type(), {1}), next(builder.getI64Type(), {1});
  wide.setInteger(0, (int64_t(1) << 53) + 1);
  next.setInteger(0, int64_t(1) << 53);
  EXPECT_FALSE(compare(wide, next, 0).equal) << "as doubles they are equal";

  Tensor x(builder.getF32Type(), {2}), y(builder.getF32Type(), {2});
  x.setFloat(0, NAN), y.setFloat(0, 1);
  EXPECT_FALSE(compare(x, y, 1e9).equal) << "NaN for a number";
  EXPECT_FALSE(compare(y, x, 1e9).equal) << "a number for NaN";
  y.setFloat(0, NAN);
  EXPECT_TRUE(compare(x, y, 0).equal);
  x.setFloat(0, INFINITY), y.setFloat(0, -INFINITY);
  EXPECT_FALSE(compare(x, y, 1e9).equal);
  EXPECT_FALSE(compare(a, x, 1e9).equal) << "another type";
}

/// Integers that sums of floats were rounded to, and results as a whole.
TEST_F(SignatureTest, RoundedSumsMayBeTheNextInteger) {
  Builder builder(&context);
  Tensor a(builder.getI8Type(), {1000}), b(builder.getI8Type(), {1000});
  a.setInteger(0, 100), b.setInteger(0, 100);
  EXPECT_TRUE(compareRounded(a, b, 1e-3).equal);
  EXPECT_EQ(measureNoise({a}, {b}).share(), 0);
  EXPECT_EQ(measureNoise({a}, {b}).decibel(), INFINITY);
  a.setInteger(0, 99);
  EXPECT_TRUE(compareRounded(a, b, 1e-3).equal) << "one step";
  EXPECT_EQ(measureNoise({a}, {b}).share(), 1e-3);
  EXPECT_NEAR(measureNoise({a}, {b}).decibel(), 40, 1e-9);
  for (int64_t i = 1; i <= 200; ++i)
    a.setInteger(i, 1);
  EXPECT_EQ(compareRounded(a, b, 1e-3).message,
            "201 of 1000 elements differ, by 1 at most; so many sums of floats do not round to "
            "another integer");
  EXPECT_TRUE(compareRounded(a, b, 1e-2).equal) << "coarser floats, more of them";
  a = Tensor(builder.getI8Type(), {1000});
  a.setInteger(0, 98);
  EXPECT_FALSE(compareRounded(a, b, 1e-3).equal) << "two steps";
  EXPECT_EQ(measureNoise({Tensor(builder.getI8Type(), {2})}, {a}).share(), 1) << "another shape";
}

} // namespace
