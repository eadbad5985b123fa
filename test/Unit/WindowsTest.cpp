//===- WindowsTest.cpp - Candidates of depthwise convolutions, and their programs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkloadFixture.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/Reuse.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ucmoh;

namespace {

constexpr const char *everything = "x86_avx512_vnni+x86_avx512vl_vnni+x86_avx512bw+x86_avx512_bf16+"
                                   "x86_avx512f+x86_avx2_fma@zen4";

class WindowsTest : public WorkloadTest {
protected:
  /// A 3x3 convolution of an image of 14x13 with `channels`, padded by one where `pad` says so.
  Workload depthwise(llvm::StringRef type, int64_t channels, bool pad) {
    std::string acc = type == "i8" ? "i32" : "f32";
    std::string text = llvm::formatv(
        "func.func @f(%x: tensor<1x14x13x{0}x{1}>, %w: tensor<3x3x{0}x{1}>, %a: "
        "tensor<1x{3}x{4}x{0}x{2}>) -> tensor<1x{3}x{4}x{0}x{2}> {{\n  %z = arith.constant {5} : "
        "{1}\n  %p = tensor.pad %x low[0, {6}, {6}, 0] high[0, {6}, {6}, 0] {{\n  ^bb0(%i: index, "
        "%j: index, %k: index, %l: index):\n    tensor.yield %z : {1}\n  } : "
        "tensor<1x14x13x{0}x{1}> to tensor<1x{7}x{8}x{0}x{1}>\n  %0 = "
        "linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %w : tensor<1x{7}x{8}x{0}x{1}>, "
        "tensor<3x3x{0}x{1}>) outs(%a : tensor<1x{3}x{4}x{0}x{2}>) -> tensor<1x{3}x{4}x{0}x{2}>\n"
        "  return %0 : tensor<1x{3}x{4}x{0}x{2}>\n}",
        channels, type, acc, pad ? 14 : 12, pad ? 13 : 11, type == "i8" ? "0" : "0.0", pad ? 1 : 0,
        pad ? 16 : 14, pad ? 15 : 13);
    modules.push_back(parseSourceString<ModuleOp>(text, &context));
    WorkloadOrReason found{std::nullopt, "no such op"};
    modules.back()->walk([&](linalg::LinalgOp op) { found = analyzeTask(op); });
    EXPECT_TRUE(found) << found.reason << "\n" << text;
    return *found.workload;
  }

  std::vector<Candidate> enumerate(const Workload &workload) {
    std::string reason;
    return enumerateCandidates(workload, all, reason);
  }

  Target all = target(everything);
};

TEST_F(WindowsTest, TheImageIsWhatIsBeforeThePadding) {
  Workload workload = depthwise("i8", 48, /*pad=*/true);
  EXPECT_TRUE(workload.isDepthwise);
  EXPECT_EQ(workload.lhs.shape, (SmallVector<int64_t>{1, 14, 13, 48}));
  SmallVector<int64_t> zeros(workload.dims.size(), 0);
  EXPECT_EQ(evaluate(workload.lhs.linearIndex(), zeros, zeros.size()), -(13 * 48 + 48));
  EXPECT_EQ(workload.flops(), 2 * 14 * 13 * 48 * 9);
}

TEST_F(WindowsTest, AllAreLegalAndDistinct) {
  for (const char *type : {"i8", "f32", "bf16"})
    for (int64_t channels : {8, 40, 48}) {
      Workload workload = depthwise(type, channels, /*pad=*/true);
      SCOPED_TRACE(workload.name());
      std::vector<Candidate> candidates = enumerate(workload);
      EXPECT_GE(candidates.size(), 10u);
      EXPECT_LE(candidates.size(), 256u);
      llvm::StringSet<> seen;
      for (const Candidate &candidate : candidates) {
        EXPECT_EQ(whyIllegal(workload, candidate), "") << printChoice(candidate);
        EXPECT_TRUE(seen.insert(printChoice(candidate)).second) << printChoice(candidate);
      }
    }
}

/// What is computed and stored does not depend on the block; loads do.
TEST_F(WindowsTest, ProgramsDoTheWholeWork) {
  for (const char *type : {"i8", "f32"}) {
    Workload workload = depthwise(type, 48, /*pad=*/false);
    for (const Candidate &candidate : enumerate(workload)) {
      SCOPED_TRACE(printChoice(candidate));
      Program program = buildProgram(workload, candidate);
      Reuse reuse(program);
      double products = 0, stored = 0, loaded = 0;
      for (const Statement &statement : program.statements) {
        double times = reuse.executions(statement);
        if (statement.kind == Statement::Compute)
          products += times * statement.count * candidate.intrinsic->n;
        else if (statement.kind == Statement::Store)
          stored += times * statement.accesses.front().elements;
        else if (statement.kind == Statement::LoadLhs)
          loaded += times * statement.accesses.front().elements;
      }
      EXPECT_EQ(products, workload.flops() / 2);
      EXPECT_EQ(stored, workload.acc.elements());
      // Neighbours share columns: fewer loads than products, but where blocks have one column.
      EXPECT_LE(loaded, products);
      EXPECT_EQ(loaded < products, candidate.tileM > 1);
    }
  }
}

/// At a border of the columns elements are left out, at one of the rows they are counted.
TEST_F(WindowsTest, ProgramsLeaveOutBorders) {
  Workload workload = depthwise("f32", 48, /*pad=*/true);
  for (const Candidate &candidate : enumerate(workload)) {
    Program program = buildProgram(workload, candidate);
    Reuse reuse(program);
    double products = 0;
    for (const Statement &statement : program.statements)
      if (statement.kind == Statement::Compute)
        products += reuse.executions(statement) * statement.count * candidate.intrinsic->n;
    EXPECT_EQ(products, 48 * 14 * 3 * (13 * 3 - 2)) << printChoice(candidate);
  }
}

TEST_F(WindowsTest, FeaturesDescribeTheBlock) {
  Workload workload = depthwise("f32", 48, /*pad=*/false);
  for (const Candidate &candidate : enumerate(workload)) {
    SCOPED_TRACE(printChoice(candidate));
    ProgramFeatures rows = extractFeatures(workload, candidate, all.machine);
    double executions = 0, elements = 0;
    for (const FeatureRow &row : rows) {
      executions += row[Feature::executions];
      elements += row[Feature::isStore] ? row[Feature::elements] : 0;
      EXPECT_EQ(row[Feature::broadcastBytesPerStep], 0);
      if (!row[Feature::isCompute])
        continue;
      EXPECT_EQ(row[Feature::stepsPerIteration], 3);
      EXPECT_EQ(row[Feature::usedShare], 1);
      EXPECT_LE(row[Feature::tileRows], candidate.tileM);
      EXPECT_LE(row[Feature::tileColumns], candidate.tileN);
    }
    EXPECT_EQ(executions * candidate.intrinsic->n, workload.flops() / 2);
    EXPECT_EQ(elements, workload.acc.elements());
    EXPECT_GT(analyticSeconds(rows), 0);
  }
}

/// Neighbours of a window are a power of two apart where channels are one: they compete for few
/// sets of a cache. At a border, where blocks lack elements, it is the same distance.
TEST_F(WindowsTest, FeaturesHaveTheDistanceOfNeighbours) {
  for (int64_t channels : {48, 512}) {
    Workload workload = depthwise("f32", channels, /*pad=*/true);
    float distance = channels * sizeof(float), alignment = channels == 512 ? 2048 : 64;
    for (const Candidate &candidate : enumerate(workload)) {
      SCOPED_TRACE(printChoice(candidate));
      for (const FeatureRow &row : extractFeatures(workload, candidate, all.machine)) {
        if (row[Feature::isStore]) {
          EXPECT_EQ(row[Feature::outRowBytes], row[Feature::tileRows] > 1 ? distance : 0);
          continue;
        }
        EXPECT_EQ(row[Feature::lhsRowBytes], distance);
        EXPECT_EQ(row[Feature::lhsRowAlignment], alignment);
        EXPECT_EQ(row[Feature::lhsRunBytes], row[Feature::tileColumns] * sizeof(float));
        EXPECT_EQ(row[Feature::rhsRowBytes], distance);
        EXPECT_EQ(row[Feature::rhsRowAlignment], alignment);
      }
    }
  }
}

TEST_F(WindowsTest, ReasonsAreGiven) {
  Workload workload = depthwise("f32", 48, /*pad=*/true);
  const Candidate legal = enumerate(workload).front();
  auto expect = [&](llvm::function_ref<void(Candidate &)> change, StringRef reason) {
    Candidate candidate = legal;
    change(candidate);
    std::string why = whyIllegal(workload, candidate);
    EXPECT_TRUE(StringRef(why).contains(reason)) << why;
  };
  expect([](Candidate &c) { c.tileM = 14; }, "larger than");
  expect([](Candidate &c) { c.tileN = 3; }, "whole vectors");
  expect(
      [](Candidate &c) {
        c.tileM = 13;
        c.tileN = 48;
      },
      "registers");
  expect([](Candidate &c) { c.packRhs = Packing::Block; }, "nothing to choose but");
  expect([](Candidate &c) { c.threads = 2; }, "nothing to choose but");
  for (const Intrinsic &intrinsic : all.intrinsics)
    if (intrinsic.name == "vpdpbusd_512")
      expect([&](Candidate &c) { c.intrinsic = &intrinsic; }, "lane by lane");
}

TEST_F(WindowsTest, ChannelsThatNoVectorDividesHaveNoCandidates) {
  std::string reason;
  EXPECT_TRUE(enumerateCandidates(depthwise("f32", 33, /*pad=*/true), all, reason).empty());
  EXPECT_NE(reason.find("whole vectors of the channels"), std::string::npos) << reason;
}

/// A contraction does not become windows.
TEST_F(WindowsTest, ProductsKeepTheirCandidates) {
  Workload product = make("linalg.matmul", "16x32xf32", "32x48xf32", "16x48xf32");
  EXPECT_FALSE(product.isDepthwise);
  for (const Candidate &candidate : enumerate(product))
    EXPECT_FALSE(buildProgram(product, candidate).isLaneByLane);
}

} // namespace
