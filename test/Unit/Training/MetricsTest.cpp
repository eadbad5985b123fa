//===- MetricsTest.cpp - Metrics on cases computed by hand
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Metrics.h"
#include "gtest/gtest.h"

using namespace ucmoh;

namespace {

RankedList list(std::vector<float> scores, std::vector<double> seconds, double weight = 1) {
  RankedList ranked;
  ranked.scores = std::move(scores);
  ranked.seconds = std::move(seconds);
  ranked.intrinsics.assign(ranked.scores.size(), 0);
  ranked.weight = weight;
  return ranked;
}

TEST(Metrics, PerfectRanking) {
  Metrics metrics = measure(list({1, 2, 3}, {10, 20, 30}));
  EXPECT_DOUBLE_EQ(metrics.top1, 1);
  EXPECT_DOUBLE_EQ(metrics.top5Geomean, 1);
  EXPECT_DOUBLE_EQ(metrics.pairwise, 1);
}

/// Best 10 and 1; picked 20 and 1; weights 1 and 30: (10 + 30) / (20 + 30).
TEST(Metrics, Top1IsARatioOfWeightedSums) {
  Metrics metrics = measure({list({2, 1}, {10, 20}), list({1, 2}, {1, 3}, 30)});
  EXPECT_DOUBLE_EQ(metrics.top1, 0.8);
  EXPECT_DOUBLE_EQ(metrics.top5, 1);
  EXPECT_DOUBLE_EQ(metrics.top1Geomean, std::sqrt(0.5));
}

TEST(Metrics, FirstFiveCount) {
  RankedList ranked = list({1, 2, 3, 4, 5, 6}, {7, 6, 5, 4, 3, 2});
  EXPECT_EQ(bestOfFirst(ranked, 1), 7);
  EXPECT_EQ(bestOfFirst(ranked, 5), 3);
  EXPECT_EQ(bestOfFirst(ranked, 9), 2);
  EXPECT_DOUBLE_EQ(measure(ranked).top5, 2.0 / 3);
}

TEST(Metrics, EightMeasurements) {
  RankedList ranked = list({1, 2, 3, 4, 5, 6, 7, 8, 9}, {10, 9, 8, 7, 6, 5, 4, 3, 2});
  Metrics metrics = measure({ranked, list({1, 2}, {1, 1})});
  EXPECT_DOUBLE_EQ(metrics.top8, 3.0 / 4);
  EXPECT_DOUBLE_EQ(metrics.top8Geomean, std::sqrt(2.0 / 3));
}

/// Errors of 1, 0 and -1 in log2; measured 1, 2 and 4, whose logarithms have the squares 2 around
/// their mean.
TEST(Metrics, ErrorOfLogSeconds) {
  RankedList ranked = list({2, 2, 2}, {1, 2, 4});
  EXPECT_DOUBLE_EQ(measure(ranked, /*predictsSeconds=*/true).rmse, std::sqrt(2.0 / 3));
  EXPECT_DOUBLE_EQ(measure(ranked, /*predictsSeconds=*/true).r2, 0);
  EXPECT_TRUE(std::isnan(measure(ranked).rmse));
}

TEST(Metrics, NoChoiceOfIntrinsicHasNoRegret) {
  EXPECT_TRUE(std::isnan(measure(list({1, 2}, {1, 2})).intrinsicRegret));
}

/// One of the pairs (1,2) (1,3) (2,3) is wrong; equal scores count half, equal seconds not at all.
TEST(Metrics, Pairwise) {
  EXPECT_DOUBLE_EQ(measure(list({1, 3, 2}, {1, 2, 3})).pairwise, 2.0 / 3);
  EXPECT_DOUBLE_EQ(measure(list({1, 1}, {1, 2})).pairwise, 0.5);
  EXPECT_DOUBLE_EQ(measure(list({1, 2, 3}, {1, 1, 2})).pairwise, 1);
}

TEST(Metrics, TiesGoToTheFirst) { EXPECT_EQ(bestOfFirst(list({1, 1}, {5, 3}), 1), 5); }

/// Intrinsic 0 reaches 10, intrinsic 1 reaches 8, and a program of intrinsic 0 is picked.
TEST(Metrics, RegretOfTheIntrinsic) {
  RankedList ranked = list({1, 2, 3}, {12, 10, 8});
  ranked.intrinsics = {0, 0, 1};
  Metrics metrics = measure(ranked);
  EXPECT_DOUBLE_EQ(metrics.intrinsicRegret, 0.25);
  EXPECT_DOUBLE_EQ(metrics.intrinsicAccuracy, 0);
  ranked.scores = {3, 2, 1};
  EXPECT_DOUBLE_EQ(measure(ranked).intrinsicAccuracy, 1);
}

/// Two runs of the same two programs; the first run would pick the slower one of the second.
TEST(Metrics, RemeasuredRunsMatchByFeatures) {
  Dataset data;
  data.width = 1;
  data.rows = {1, 2, 2, 1};
  data.offsets = {0, 1, 2, 3, 4};
  data.seconds = {10, 11, 9, 12};
  data.task = data.machine = data.intrinsic = {0, 0, 0, 0};
  data.run = {0, 0, 1, 1};
  data.tasks.resize(1);
  std::vector<ProgramList> lists = listsOf(data);
  ASSERT_EQ(lists.size(), 2u);
  std::vector<RankedList> ranked = remeasured(data, lists);
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_DOUBLE_EQ(measure(ranked).top1, 0.75);
}

TEST(Metrics, FailedProgramsAreInNoList) {
  Dataset data;
  data.seconds = {1, std::nan(""), 2};
  data.task = data.machine = data.run = data.intrinsic = {0, 0, 0};
  std::vector<ProgramList> lists = listsOf(data);
  ASSERT_EQ(lists.size(), 1u);
  EXPECT_EQ(lists.front().programs, std::vector<int64_t>({0, 2}));
}

} // namespace
