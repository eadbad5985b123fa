//===- SamplingTest.cpp - Which tasks and candidates are measured ---------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collect/Sampler.h"
#include "WorkloadFixture.h"
#include "mlir/InitAllDialects.h"
#include "ucmoh/Collect/TaskFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace ucmoh;

namespace {

/// Two crowds and one alone, on a line.
std::vector<ActivePoint> crowds() {
  std::vector<ActivePoint> points;
  for (double x : {0.0, 0.1, 0.2, 10.0, 10.1, 10.2, 30.0})
    points.push_back({{x}, 0});
  return points;
}

TEST(ActiveSampler, TakesOneOfEachCrowdFirst) {
  std::vector<size_t> chosen = chooseInformative(crowds(), 3);
  std::set<size_t> kinds;
  for (size_t index : chosen)
    kinds.insert(index / 3);
  EXPECT_EQ(kinds.size(), 3u);
  EXPECT_NE(chosen.front(), 6u); // alone: stands for nothing but itself
}

TEST(ActiveSampler, PrefersTheUncertain) {
  std::vector<ActivePoint> points = crowds();
  points[5].uncertainty = 1;
  EXPECT_EQ(chooseInformative(points, 1), std::vector<size_t>{5});
}

TEST(ActiveSampler, TakesEachOnce) {
  std::vector<size_t> chosen = chooseInformative(crowds(), 100);
  EXPECT_EQ(std::set<size_t>(chosen.begin(), chosen.end()).size(), 7u);
}

TEST(ActiveSampler, TakesAnyOfEqualPoints) {
  EXPECT_EQ(chooseInformative(std::vector<ActivePoint>(4, {{1, 2}, 0}), 2).size(), 2u);
  EXPECT_TRUE(chooseInformative({}, 2).empty());
}

class LowerBound : public WorkloadTest {
protected:
  Target all = target("x86_avx512_vnni+x86_avx512bw+x86_avx2_fma@zen4");
  // Whole tiles of all intrinsics.
  Workload workload = make("linalg.matmul", "96x768xi8", "768x768xi8", "96x768xi32");

  std::vector<RankedCandidate> rank() {
    std::string reason;
    return rankCandidates(workload, all, *createCostModel("analytic", reason), reason);
  }
  double cyclesOf(llvm::StringRef id) {
    return llvm::find_if(all.intrinsics, [&](const Intrinsic &in) { return in.id() == id; })
        ->throughputCycles;
  }
};

TEST_F(LowerBound, CountsExecutionsAtTheFastestOfTheirShape) {
  double fused = cyclesOf("x86_avx512_vnni::vpdpwssd_512");
  ASSERT_LT(fused, cyclesOf("x86_avx512bw::vpmaddwd_512"));
  int64_t seen = 0;
  for (const RankedCandidate &entry : rank()) {
    if (entry.candidate.intrinsic->id() != "x86_avx512bw::vpmaddwd_512")
      continue;
    ++seen;
    double executions = 96.0 * 768 * 768 / (16 * 2);
    double seconds = executions * 0.5 * fused / (all.machine.clockGHz * 1e9);
    EXPECT_NEAR(executionSeconds(workload, entry.candidate, all, 0.5), seconds, seconds * 1e-5);
  }
  EXPECT_GT(seen, 0);
}

TEST_F(LowerBound, LeavesOutWhatIsSlowerByItself) {
  std::vector<RankedCandidate> ranked = rank();
  size_t count = ranked.size();
  keepBeatable(ranked, workload, all, 0.75, std::numeric_limits<double>::infinity());
  EXPECT_EQ(ranked.size(), count);
  double best = executionSeconds(workload, ranked.front().candidate, all, 1);
  keepBeatable(ranked, workload, all, 0.75, best);
  EXPECT_GT(ranked.size(), 0u);
  EXPECT_LT(ranked.size(), count);
  for (const RankedCandidate &entry : ranked)
    EXPECT_LE(executionSeconds(workload, entry.candidate, all, 0.75), best);
}

std::vector<CollectTask> makeTasks(int64_t count, int64_t size) {
  std::vector<CollectTask> tasks;
  for (int64_t i = 0; i < count; ++i) {
    std::string ir = llvm::formatv(
        "func.func @f{1}(%a: tensor<{0}x{0}xf32>, %b: tensor<{0}x{0}xf32>, %c: tensor<{0}x{0}xf32>)"
        " -> tensor<{0}x{0}xf32> {{\n"
        "  %r = linalg.matmul ins(%a, %b : tensor<{0}x{0}xf32>, tensor<{0}x{0}xf32>) "
        "outs(%c : tensor<{0}x{0}xf32>) -> tensor<{0}x{0}xf32>\n  return %r : tensor<{0}x{0}xf32>\n"
        "}",
        size, i);
    tasks.push_back({llvm::formatv("{0}", size), ir, {}});
  }
  return tasks;
}

TEST(TaskSelection, KeepsTheImportant) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::vector<CollectTask> tasks = makeTasks(20, 16), large = makeTasks(20, 128);
  llvm::append_range(tasks, large);
  std::vector<CollectTask> kept = keepImportant(context, tasks, 0.5);
  ASSERT_EQ(kept.size(), 20u);
  // 512 times the operations: a small one is drawn only by a rare chance.
  EXPECT_GE(llvm::count_if(kept, [](const CollectTask &task) { return task.name == "128"; }), 18);
  std::vector<CollectTask> again = keepImportant(context, tasks, 0.5);
  for (auto [a, b] : llvm::zip_equal(kept, again))
    EXPECT_EQ(a.ir, b.ir);
}

} // namespace
