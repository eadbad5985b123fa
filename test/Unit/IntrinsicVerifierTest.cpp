//===- IntrinsicVerifierTest.cpp - Wrong intrinsics are refused, with the reason
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// A correct intrinsic, one body a line; each test spoils one part of it.
constexpr const char *correct = R"mlir(
ucmoh.target @t triple("x86_64") features("+avx512f") registers(32 x 512) {
  ucmoh.intrinsic @i shape [1, 16, 4] types(ui8, si8, si32) mnemonic("vpdpbusd") k_interleave(4)
  load_lhs (%a: memref<?x?xi8>, %i: index, %k: index) { %f = vector.load %a[%i, %k] : memref<?x?xi8>, vector<64xi8> ucmoh.yield %f : vector<64xi8> }
  load_rhs (%b: memref<?x?xi8>, %k: index, %j: index) { %f = vector.load %b[%k, %j] : memref<?x?xi8>, vector<64xi8> ucmoh.yield %f : vector<64xi8> }
  load_acc (%c: memref<?x?xi32>, %i: index, %j: index) { %f = vector.load %c[%i, %j] : memref<?x?xi32>, vector<16xi32> ucmoh.yield %f : vector<16xi32> }
  zero () { %f = arith.constant dense<0> : vector<16xi32> ucmoh.yield %f : vector<16xi32> }
  compute (%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) { %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%c, %a, %b) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32> ucmoh.yield %d : vector<16xi32> }
  store (%d: vector<16xi32>, %c: memref<?x?xi32>, %i: index, %j: index) { vector.store %d, %c[%i, %j] : memref<?x?xi32>, vector<16xi32> ucmoh.yield }
}
)mlir";

/// The same with fragments.
constexpr const char *shared = R"mlir(
ucmoh.target @t triple("x86_64") features("+avx512f") registers(32 x 512) {
  ucmoh.fragment @bytes : vector<64xi8>
  load (%a: memref<?x?xi8>, %i: index, %k: index) { %f = vector.load %a[%i, %k] : memref<?x?xi8>, vector<64xi8> ucmoh.yield %f : vector<64xi8> }
  ucmoh.fragment @sums : vector<16xi32>
  load (%c: memref<?x?xi32>, %i: index, %j: index) { %f = vector.load %c[%i, %j] : memref<?x?xi32>, vector<16xi32> ucmoh.yield %f : vector<16xi32> }
  zero () { %f = arith.constant dense<0> : vector<16xi32> ucmoh.yield %f : vector<16xi32> }
  store (%d: vector<16xi32>, %c: memref<?x?xi32>, %i: index, %j: index) { vector.store %d, %c[%i, %j] : memref<?x?xi32>, vector<16xi32> ucmoh.yield }
  ucmoh.intrinsic @i shape [1, 16, 4] types(ui8, si8, si32) mnemonic("vpdpbusd") k_interleave(4)
  lhs @bytes rhs @bytes acc @sums
  compute (%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) { %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%c, %a, %b) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32> ucmoh.yield %d : vector<16xi32> }
}
)mlir";

struct Mistake {
  const char *name;
  StringRef from, to; ///< the first occurrence of `from` becomes `to`
  StringRef error;    ///< a part of the message
  unsigned line;      ///< where it points to, in `text`
  const char *text = correct;
};

const Mistake mistakes[] = {
    {"ShapeTooLarge", "[1, 16, 4]", "[1, 16, 8]",
     "'load_rhs' rhs fragment 'vector<64xi8>' times 'subgroup_size' 1 holds 64 elements, expected "
     "a "
     "multiple of k*n = 128 because of 'shape' [1, 16, 8]",
     5},
    {"ElementType", "ui8", "si16", "'load_lhs' takes 'memref<?x?xi8>', expected elements of 'i16'",
     4},
    {"PackingDoesNotDivide", "k_interleave(4)", "k_interleave(3)",
     "k_interleave(3) must divide k = 4", 3},
    {"PartialSumsDoNotDivide", "k_interleave(4)", "partial_sums(3 x si16) k_interleave(4)",
     "the 3 products of partial_sums must divide k = 4", 3},
    {"PartialSumsTooWide", "k_interleave(4)", "partial_sums(2 x si32) k_interleave(4)",
     "partial_sums(2 x 'si32') needs operands of integers of at most 16 bits, and an integer of "
     "less bits than the accumulator, 'si32'",
     3},
    {"PartialSumsOfFloats", "k_interleave(4)", "partial_sums(2 x f16) k_interleave(4)",
     "partial_sums(2 x 'f16') needs", 3},
    {"PartialSumsWithoutType", "k_interleave(4)",
     "k_interleave(4) attributes {partial_products = 2 : i64}",
     "partial_sums needs a number of products and a type", 3},
    {"UnknownCall", "vpdpbusd.512", "vpdpbusd.1024",
     "has no intrinsic \"llvm.x86.avx512.vpdpbusd.1024\"", 8},
    {"CallOperands", "(%c, %a, %b) : (vector<16xi32>, vector<64xi8>, vector<64xi8>)",
     "(%c, %c, %b) : (vector<16xi32>, vector<16xi32>, vector<64xi8>)",
     "operand or result types do not fit \"llvm.x86.avx512.vpdpbusd.512\", which LLVM", 8},
    {"ViewRank",
     "load_lhs (%a: memref<?x?xi8>, %i: index, %k: index) { %f = vector.load %a[%i, %k] : "
     "memref<?x?xi8>",
     "load_lhs (%a: memref<?xi8>, %i: index) { %f = vector.load %a[%i] : memref<?xi8>",
     "'load_lhs' must take a memref of two dimensions and two indices", 4},
    {"ComputeTakesOther", "compute (%a: vector<64xi8>,",
     "compute (%q: vector<64xi8>, %a: vector<64xi8>,",
     "'compute' must take the lhs, rhs and acc fragments", 8},
    {"LoadYieldsOther",
     "%f = vector.load %c[%i, %j] : memref<?x?xi32>, vector<16xi32> ucmoh.yield %f : "
     "vector<16xi32>",
     "%f = vector.load %c[%i, %j] : memref<?x?xi32>, vector<32xi32> ucmoh.yield %f : "
     "vector<32xi32>",
     "'load_acc' has 'vector<32xi32>' as acc fragment, but 'compute' takes 'vector<16xi32>'", 6},
    {"LoadYieldsNothing", "ucmoh.yield %f : vector<64xi8> }", "ucmoh.yield }",
     "'load_lhs' must yield 1 value(s), but yields 0", 4},
    {"ZeroTakesSomething", "zero ()", "zero (%z: index)", "'zero' must take nothing", 7},
    {"StoreYields", "vector<16xi32> ucmoh.yield }",
     "vector<16xi32> ucmoh.yield %d : vector<16xi32> }",
     "'store' must yield 0 value(s), but yields 1", 9},
    {"StoreTakesOther", "store (%d: vector<16xi32>, %c: memref<?x?xi32>, %i: index, %j: index) {",
     "store (%e: vector<8xi32>, %c: memref<?x?xi32>, %i: index, %j: index) { %d = arith.constant "
     "dense<0> : vector<16xi32> ",
     "'store' has 'vector<8xi32>' as acc fragment, but 'compute' takes 'vector<16xi32>'", 9},
    {"NotAYield", "ucmoh.yield }", "llvm.unreachable }", "'store' must end in 'ucmoh.yield'", 9},
    {"LacksBody",
     "zero () { %f = arith.constant dense<0> : vector<16xi32> ucmoh.yield %f : "
     "vector<16xi32> }",
     "", "intrinsic @i needs 'load_acc', 'zero' and 'store', or 'acc @FRAGMENT'", 3},
    {"FragmentIsNotWhatItLoads", "@bytes : vector<64xi8>", "@bytes : vector<32xi8>",
     "fragment @bytes: 'load' has 'vector<64xi8>', but the fragment is 'vector<32xi8>'", 4, shared},
    {"FragmentYieldsNothing", "ucmoh.yield %f : vector<64xi8> }", "ucmoh.yield }",
     "fragment @bytes: 'load' must yield 1 value(s), but yields 0", 4, shared},
    {"FragmentStoresOther",
     "store (%d: vector<16xi32>, %c: memref<?x?xi32>, %i: index, %j: index) {",
     "store (%e: vector<8xi32>, %c: memref<?x?xi32>, %i: index, %j: index) { %d = arith.constant "
     "dense<0> : vector<16xi32> ",
     "fragment @sums: 'store' has 'vector<8xi32>', but the fragment is 'vector<16xi32>'", 8,
     shared},
    {"UnknownFragment", "lhs @bytes", "lhs @words", "intrinsic @i: lhs @words is not defined", 9,
     shared},
    {"NoFragment", "lhs @bytes", "lhs @i", "intrinsic @i: lhs @i is no 'ucmoh.fragment'", 9,
     shared},
    {"FragmentOfOtherType", "lhs @bytes", "lhs @sums",
     "intrinsic @i: 'load_lhs' of fragment @sums takes 'memref<?x?xi32>', expected elements of "
     "'i8' because of 'types'",
     9, shared},
    {"FragmentOfOtherShape", "[1, 16, 4]", "[1, 16, 8]",
     "intrinsic @i: 'load_rhs' of fragment @bytes rhs fragment 'vector<64xi8>' times "
     "'subgroup_size' 1 "
     "holds 64 elements, expected a multiple of k*n = 128 because of 'shape' [1, 16, 8]",
     9, shared},
    {"FragmentLacksZero",
     "zero () { %f = arith.constant dense<0> : vector<16xi32> ucmoh.yield %f "
     ": vector<16xi32> }",
     "", "intrinsic @i: acc fragment @sums lacks 'zero' or 'store'", 9, shared},
    {"FragmentAndBody", "  compute (",
     "  load_lhs (%a: memref<?x?xi8>, %i: index, %k: index) { ucmoh.yield } compute (",
     "'load_lhs' is that of fragment @bytes; drop the body or the name of the fragment", 11,
     shared},
};

class IntrinsicVerifierTest : public ::testing::TestWithParam<Mistake> {
protected:
  IntrinsicVerifierTest() {
    DialectRegistry registry;
    ucmoh::registerUCMoH(registry);
    context.appendDialectRegistry(registry);
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      if (auto location = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
        line = location.getLine();
      llvm::raw_string_ostream(errors) << diagnostic << "\n";
    });
  }
  MLIRContext context;
  std::string errors;
  unsigned line = 0;
};

TEST_P(IntrinsicVerifierTest, IsRefused) {
  const Mistake &mistake = GetParam();
  std::string text = mistake.text;
  size_t at = text.find(mistake.from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, mistake.from.size(), mistake.to.str());
  EXPECT_FALSE(parseSourceString<ModuleOp>(text, ParserConfig(&context)));
  EXPECT_NE(errors.find(mistake.error), std::string::npos) << errors;
  EXPECT_EQ(line, mistake.line) << errors;
}

INSTANTIATE_TEST_SUITE_P(Mistakes, IntrinsicVerifierTest, ::testing::ValuesIn(mistakes),
                         [](const auto &info) { return std::string(info.param.name); });

TEST_F(IntrinsicVerifierTest, CorrectIsAccepted) {
  EXPECT_TRUE(parseSourceString<ModuleOp>(correct, ParserConfig(&context))) << errors;
  EXPECT_TRUE(parseSourceString<ModuleOp>(shared, ParserConfig(&context))) << errors;
}

} // namespace
