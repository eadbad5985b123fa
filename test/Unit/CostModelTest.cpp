//===- CostModelTest.cpp - Features, and what every cost model must hold to
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/CostModel.h"
#include "WorkloadFixture.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;
using F = Feature;

namespace {

class CostModelTest : public WorkloadTest {
protected:
  /// The features of all candidates.
  std::vector<ProgramFeatures> extract(const Workload &workload, const Target &target) {
    std::string reason;
    std::vector<ProgramFeatures> programs;
    for (const Candidate &candidate : enumerateCandidates(workload, target, reason))
      programs.push_back(extractFeatures(workload, candidate, target.machine));
    return programs;
  }
  std::unique_ptr<CostModel> model(StringRef name) {
    std::string error;
    auto model = createCostModel(name, error);
    EXPECT_TRUE(model) << error;
    return model;
  }
};

TEST(Features, SchemaNamesVersionAndHash) {
  std::string text = featureSchema();
  StringRef schema = text;
  EXPECT_TRUE(schema.starts_with("3-"));
  EXPECT_EQ(schema.size(), 10u);
}

TEST(Features, TableHasALinePerFeature) {
  std::string table = featureTable();
  EXPECT_EQ(StringRef(table).count('\n'), featureCount + 2);
  EXPECT_NE(table.find("| tileRows | elements | The fragments of the tile have this many rows. |"),
            std::string::npos);
}

TEST_F(CostModelTest, UnknownNameListsTheKnownOnes) {
  for (const char *name : {"", "best", "random", "random:", "random:x", "random:-1"}) {
    std::string error;
    EXPECT_FALSE(createCostModel(name, error));
    EXPECT_EQ(error, "there is no cost model '" + std::string(name) +
                         "'; use embedded, analytic, random:SEED or FILE.safetensors");
  }
}

TEST_F(CostModelTest, FeaturesAreFiniteAndHaveOneKind) {
  Target all = target("x86_avx512_vnni+x86_avx512_bf16+x86_avx512f@zen4");
  for (const Workload &workload : corpus())
    for (const ProgramFeatures &program : extract(workload, all)) {
      int computes = 0;
      for (const FeatureRow &row : program) {
        for (float value : row.values)
          ASSERT_TRUE(std::isfinite(value) && value >= 0) << workload.name();
        EXPECT_EQ(row[F::isConvert] + row[F::isSum] + row[F::isPackLhs] + row[F::isPackRhs] +
                      row[F::isCompute] + row[F::isStore],
                  1);
        computes += row[F::isCompute];
      }
      EXPECT_GE(computes, 1); // one for each kind of tile
    }
}

TEST_F(CostModelTest, ScoresDoNotDependOnTheBatch) {
  Target vnni = target("x86_avx512_vnni@zen4");
  auto programs = extract(make("linalg.matmul", "49x64xi8", "64x96xi8", "49x96xi32"), vnni);
  for (const char *name : {"analytic", "random:7"}) {
    auto model = this->model(name);
    std::vector<float> together(programs.size()), alone(programs.size());
    model->score(programs, together);
    for (size_t i = 0; i < programs.size(); ++i)
      model->score(ArrayRef(programs).slice(i, 1), MutableArrayRef(alone).slice(i, 1));
    EXPECT_EQ(together, alone) << name;
  }
}

TEST_F(CostModelTest, RandomFollowsItsSeed) {
  Target vnni = target("x86_avx512_vnni@zen4");
  auto programs = extract(make("linalg.matmul", "49x64xi8", "64x96xi8", "49x96xi32"), vnni);
  auto score = [&](StringRef name) {
    std::vector<float> scores(programs.size());
    model(name)->score(programs, scores);
    return scores;
  };
  EXPECT_EQ(score("random:1"), score("random:1"));
  EXPECT_NE(score("random:1"), score("random:2"));
}

/// No candidate is predicted to be faster than the intrinsic can be issued.
TEST_F(CostModelTest, AnalyticStaysBelowThePeak) {
  Target vnni = target("x86_avx512_vnni+x86_avx512_bf16+x86_avx512f@zen4");
  for (const Workload &workload : corpus())
    for (const ProgramFeatures &program : extract(workload, vnni)) {
      const FeatureRow &row = program.back();
      double perExecution = double(row[F::intrinsicM]) * row[F::intrinsicN] * row[F::intrinsicK];
      double least =
          workload.flops() / 2 / perExecution * row[F::throughputCycles] / (row[F::clockGHz] * 1e9);
      EXPECT_GE(analyticSeconds(program), least) << workload.name();
    }
}

/// The same candidate takes longer on a larger problem, in each direction.
TEST_F(CostModelTest, AnalyticGrowsWithTheProblem) {
  Target vnni = target("x86_avx512_vnni@zen4");
  auto seconds = [&](int64_t m, int64_t n, int64_t k) {
    std::string mText = std::to_string(m), nText = std::to_string(n), kText = std::to_string(k);
    Workload workload = make("linalg.matmul", mText + "x" + kText + "xi8",
                             kText + "x" + nText + "xi8", mText + "x" + nText + "xi32");
    Candidate candidate;
    candidate.intrinsic = &vnni.intrinsics.front();
    candidate.tileM = 12;
    candidate.tileN = 32;
    candidate.cacheM = m;
    candidate.cacheN = n;
    candidate.cacheK = k;
    candidate.order = {/*rowBlocksOutside=*/false, /*rowTilesInside=*/true};
    candidate.packRhs = Packing::Prepacked;
    return analyticSeconds(extractFeatures(workload, candidate, vnni.machine));
  };
  double base = seconds(96, 128, 256);
  EXPECT_GT(seconds(97, 128, 256), base);
  EXPECT_GT(seconds(96, 129, 256), base);
  EXPECT_GT(seconds(96, 128, 257), base);
  EXPECT_GT(seconds(192, 128, 256), 1.8 * base);
}

TEST_F(CostModelTest, RankingIsSortedAndComplete) {
  Target vnni = target("x86_avx512_vnni@zen4");
  Workload workload = make("linalg.matmul", "49x64xi8", "64x96xi8", "49x96xi32");
  std::string reason;
  size_t count = enumerateCandidates(workload, vnni, reason).size();
  for (const char *name : {"analytic", "random:3"}) {
    auto ranked = rankCandidates(workload, vnni, *model(name), reason);
    ASSERT_EQ(ranked.size(), count);
    EXPECT_TRUE(llvm::is_sorted(ranked, [](const RankedCandidate &a, const RankedCandidate &b) {
      return a.score < b.score;
    }));
    for (const RankedCandidate &entry : ranked)
      EXPECT_GT(entry.predictedSeconds, 0);
  }
}

TEST_F(CostModelTest, RankingTakesOffWhatIsLeftOutOfBorders) {
  Target avx512 = target("x86_avx512f@zen4");
  Workload whole =
      make("linalg.conv_2d_nhwc_hwcf", "1x9x9x16xf32", "3x3x16x32xf32", "1x7x7x32xf32");
  Workload padded = analyze(R"(
    func.func @f(%x: tensor<1x7x7x16xf32>, %w: tensor<3x3x16x32xf32> {ucmoh.weight},
                 %a: tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32> {
      %zero = arith.constant 0.0 : f32
      %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
      ^bb0(%i: index, %j: index, %k: index, %l: index):
        tensor.yield %zero : f32
      } : tensor<1x7x7x16xf32> to tensor<1x9x9x16xf32>
      %0 = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x9x9x16xf32>, tensor<3x3x16x32xf32>)
        outs(%a : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
      return %0 : tensor<1x7x7x32xf32>
    })");
  std::string reason;
  std::map<std::string, double> seconds;
  for (const RankedCandidate &entry : rankCandidates(whole, avx512, *model("analytic"), reason))
    seconds[printChoice(entry.candidate)] = entry.predictedSeconds;
  auto ranked = rankCandidates(padded, avx512, *model("analytic"), reason);
  ASSERT_EQ(ranked.size(), seconds.size());
  for (const RankedCandidate &entry : ranked) {
    double share = entry.predictedSeconds / seconds[printChoice(entry.candidate)];
    if (entry.candidate.packLhs != Packing::None) {
      EXPECT_EQ(share, 1);
      continue;
    }
    // Each of the first and the last row, or column, leaves out one of 3, but still is stored.
    double ofSteps = std::pow(19.0 / 21, entry.candidate.cacheK < 48 ? 1 : 2);
    EXPECT_LT(share, 1);
    EXPECT_GT(share, ofSteps);
  }
}

} // namespace
