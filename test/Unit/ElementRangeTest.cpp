//===- ElementRangeTest.cpp - What is known of the elements of operands
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ElementRange.h"
#include "WorkloadFixture.h"

using namespace mlir;
using namespace ucmoh;

namespace {

constexpr ElementType s8{ElementType::SignedInt, 8}, u8{ElementType::UnsignedInt, 8};
constexpr ElementType s4{ElementType::SignedInt, 4}, s64{ElementType::SignedInt, 64};

class ElementRangeTest : public WorkloadTest {
protected:
  /// Returns the range of %r in a function on %a, a tensor<2xi8>, as "[low, high]".
  std::string bound(StringRef body, ElementType type, StringRef resources = "") {
    std::string text =
        llvm::formatv("func.func @f(%a: tensor<2xi8>, %wide: tensor<2xi32>) {{\n"
                      "{0}\n\"test.use\"(%r) : (tensor<{1}xi{2}>) -> ()\n"
                      "return\n}\n{3}",
                      body, body.contains("tensor<4x") ? 4 : 2, type.bits, resources);
    context.allowUnregisteredDialects();
    modules.push_back(parseSourceString<ModuleOp>(text, &context));
    std::string bounds = "no module";
    if (modules.back())
      modules.back()->walk([&](Operation *op) {
        if (op->getName().getStringRef() != "test.use")
          return;
        ElementRange range = boundElements(op->getOperand(0), type);
        bounds = llvm::formatv("[{0}, {1}]", range.low, range.high).str();
      });
    return bounds;
  }
};

TEST_F(ElementRangeTest, OfConstants) {
  auto ofConstant = [&](StringRef values, ElementType type) {
    return bound(
        llvm::formatv("%r = arith.constant dense<{0}> : tensor<2xi{1}>", values, type.bits).str(),
        type);
  };
  EXPECT_EQ(ofConstant("[-64, 63]", s8), "[-64, 64]");
  EXPECT_EQ(ofConstant("[-64, 63]", u8), "[0, 255]"); // -64 is 192
  EXPECT_EQ(ofConstant("[64, -3]", s8), "[-4, 64]");
  EXPECT_EQ(ofConstant("[65, -65]", s8), "[-128, 127]");
  EXPECT_EQ(ofConstant("[5, 7]", s8), "[0, 8]");
  EXPECT_EQ(ofConstant("[5, 127]", u8), "[0, 128]");
  EXPECT_EQ(ofConstant("0", s8), "[0, 0]");
  EXPECT_EQ(ofConstant("-128", s8), "[-128, 0]");
  EXPECT_EQ(ofConstant("[-1, 1]", s4), "[-1, 1]");
  EXPECT_EQ(ofConstant("[-300, 5]", {ElementType::SignedInt, 16}), "[-512, 8]");
  EXPECT_EQ(ofConstant("1", s64), "[-9223372036854775808, 9223372036854775807]");
}

TEST_F(ElementRangeTest, OfResources) {
  StringRef read = "%r = arith.constant dense_resource<w> : tensor<2xi8>";
  EXPECT_EQ(bound(read, s8, "{-# dialect_resources: {builtin: {w: \"0x01000000C03F\"}} #-}"),
            "[-64, 64]");
  EXPECT_EQ(bound(read, s8), "[-128, 127]"); // without data
}

TEST_F(ElementRangeTest, OfUnknowns) {
  EXPECT_EQ(bound("%r = tensor.cast %a : tensor<2xi8> to tensor<2xi8>", s8), "[-128, 127]");
  EXPECT_EQ(bound("%r = tensor.cast %a : tensor<2xi8> to tensor<2xi8>", u8), "[0, 255]");
  EXPECT_EQ(bound("%r = \"test.unknown\"() : () -> tensor<2xi8>", s8), "[-128, 127]");
}

TEST_F(ElementRangeTest, OfArithmetic) {
  auto with = [](StringRef constant, StringRef op) {
    return llvm::formatv("%c = arith.constant dense<{0}> : tensor<2xi8>\n%r = arith.{1} %a, %c : "
                         "tensor<2xi8>",
                         constant, op)
        .str();
  };
  EXPECT_EQ(bound(with("1", "shrsi"), s8), "[-64, 64]");
  EXPECT_EQ(bound(with("1", "shrui"), u8), "[0, 128]");
  EXPECT_EQ(bound(with("63", "andi"), s8), "[0, 64]");
  EXPECT_EQ(bound(with("16", "minui"), u8), "[0, 16]");
  EXPECT_EQ(bound(with("16", "minsi"), s8), "[-128, 16]");
  EXPECT_EQ(bound(with("-128", "addi"), s8), "[-128, 127]"); // wraps
}

TEST_F(ElementRangeTest, OfWhatIsPromised) {
  auto promised = [&](StringRef bounds, ElementType type) {
    modules.push_back(parseSourceString<ModuleOp>(
        llvm::formatv(
            "func.func private @f(%a: tensor<2xi8> {{ucmoh.range = array<i64: {0}>}) {{ return }",
            bounds)
            .str(),
        &context));
    auto function = *modules.back()->getOps<func::FuncOp>().begin();
    ElementRange range = boundElements(function.getArgument(0), type);
    return llvm::formatv("[{0}, {1}]", range.low, range.high).str();
  };
  EXPECT_EQ(promised("-64, 63", s8), "[-64, 64]");
  EXPECT_EQ(promised("0, 100", s8), "[0, 127]");
  EXPECT_EQ(promised("0, 100", u8), "[0, 128]");
  EXPECT_EQ(promised("0, 200", s8), "[-128, 127]"); // as unsigned numbers
  EXPECT_EQ(promised("-1, 0", u8), "[0, 255]");
}

/// Requantization ends like this: clamped while wide, then narrowed.
constexpr const char *clamped = R"mlir(
  %low = arith.constant -64 : i32
  %high = arith.constant 63 : i32
  %e = tensor.empty() : tensor<2xi8>
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%wide : tensor<2xi32>) outs(%e : tensor<2xi8>) {
  ^bb0(%x: i32, %o: i8):
    %l = arith.maxsi %x, %low : i32
    %h = arith.minsi %l, %high : i32
    %n = arith.trunci %h : i32 to i8
    linalg.yield %n : i8
  } -> tensor<2xi8>
)mlir";

TEST_F(ElementRangeTest, ThroughProducers) {
  std::string text = clamped;
  EXPECT_EQ(bound(text + "%r = tensor.cast %q : tensor<2xi8> to tensor<2xi8>", s8), "[-64, 64]");
  auto padded = [&](int value) {
    return bound(text + llvm::formatv("%p = arith.constant {0} : i8\n%r = tensor.pad %q low[1] "
                                      "high[1] {{\n^bb0(%i: index):\ntensor.yield %p : i8\n} : "
                                      "tensor<2xi8> to tensor<4xi8>",
                                      value)
                            .str(),
                 s8);
  };
  EXPECT_EQ(padded(0), "[-64, 64]");
  EXPECT_EQ(padded(-65), "[-128, 64]");
  EXPECT_EQ(bound(text + "%s = tensor.expand_shape %q [[0, 1]] output_shape [2, 1] : tensor<2xi8> "
                         "into tensor<2x1xi8>\n%r = tensor.collapse_shape %s [[0, 1]] : "
                         "tensor<2x1xi8> into tensor<2xi8>",
                  s8),
            "[-64, 64]");
}

/// Each value doubles the paths to the first one, and there are more than are followed.
TEST_F(ElementRangeTest, EndsOnLongChains) {
  std::string text = "%c = arith.constant dense<3> : tensor<2xi8>\n%x0 = arith.andi %a, %c : "
                     "tensor<2xi8>\n";
  for (int i = 0; i < 1000; ++i)
    text += llvm::formatv("%x{0} = arith.minsi %x{1}, %x{1} : tensor<2xi8>\n", i + 1, i);
  auto end = [&](int at) {
    return text + llvm::formatv("%r = tensor.cast %x{0} : tensor<2xi8> to tensor<2xi8>", at).str();
  };
  EXPECT_EQ(bound(end(100), s8), "[0, 4]");
  EXPECT_EQ(bound(end(1000), s8), "[-128, 127]");
}

} // namespace
