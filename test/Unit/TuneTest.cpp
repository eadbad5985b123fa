//===- TuneTest.cpp - What is measured next, and why
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/Scheduler.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ucmoh;

namespace {

Kernel smooth() {
  Kernel kernel;
  kernel.nearby = 1;
  kernel.nearbyScale = 1;
  kernel.noise = 0.1;
  return kernel;
}

TEST(GaussianProcess, AgreesWithTheFormulaForTwoObservations) {
  GaussianProcess process({{0}, {1}, {3}}, smooth());
  process.observe(0, 1);
  process.observe(1, 2);
  // k = exp(-d^2 / 2), and the inverse of [[1.01, k01], [k01, 1.01]].
  double k01 = std::exp(-0.5), k02 = std::exp(-4.5), k12 = std::exp(-2.0);
  double determinant = 1.01 * 1.01 - k01 * k01;
  auto mean = [&](double a, double b) {
    return (a * (1.01 * 1 - k01 * 2) + b * (1.01 * 2 - k01 * 1)) / determinant;
  };
  EXPECT_NEAR(process.getMean(2), mean(k02, k12), 1e-12);
  EXPECT_NEAR(process.getMean(0), mean(1, k01), 1e-12);
  double explained = (1.01 * (k02 * k02 + k12 * k12) - 2 * k01 * k02 * k12) / determinant;
  EXPECT_NEAR(process.getDeviation(2), std::sqrt(1 - explained), 1e-12);
}

TEST(GaussianProcess, ForgetsWhatWasSupposed) {
  GaussianProcess process({{0}, {1}, {3}}, smooth());
  process.observe(0, 1);
  double mean = process.getMean(2), deviation = process.getDeviation(2);
  process.suppose(2);
  EXPECT_LT(process.getDeviation(2), deviation);
  EXPECT_NEAR(process.getMean(2), mean, 1e-12);
  process.forgetFrom(1);
  EXPECT_NEAR(process.getDeviation(2), deviation, 1e-12);
  EXPECT_EQ(process.countObservations(), 1u);
}

TEST(GaussianProcess, CoordinatesThatDoNotVaryAreLeftOut) {
  std::vector<FeaturePoint> points{{1, 5}, {3, 5}};
  standardize(points);
  EXPECT_EQ(points, (std::vector<FeaturePoint>{{-1}, {1}}));
}

/// Four candidates: two that are alike, and two others.
TaskSearch makeTask(double seconds = 1e-3, double uses = 1,
                    Correction correction = Correction::Nearby) {
  std::vector<FeaturePoint> points{{0, 0}, {0, 0.01}, {2, 2}, {2, 2.01}};
  std::vector<double> predicted{seconds, 1.01 * seconds, 1.02 * seconds, 1.03 * seconds};
  return TaskSearch(predicted, points, uses, kernelOf(correction));
}

TEST(TaskSearch, BeginsWithThePick) {
  TaskSearch task = makeTask();
  EXPECT_EQ(task.propose(1), std::vector<size_t>{0});
  EXPECT_EQ(task.propose(9).size(), 4u);
}

TEST(TaskSearch, WhatIsLikeASlowOneComesLast) {
  TaskSearch task = makeTask();
  task.observe(0, 2e-3);
  task.observe(2, 1e-3);
  EXPECT_EQ(task.propose(2), (std::vector<size_t>{3, 1}));
  EXPECT_EQ(task.getBest(), std::optional<size_t>(2));
}

TEST(TaskSearch, WithoutCorrectionTheModelsOrderStays) {
  TaskSearch task = makeTask(1e-3, 1, Correction::None);
  task.observe(0, 2e-3);
  task.observe(2, 1e-3);
  EXPECT_EQ(task.propose(2), (std::vector<size_t>{1, 3}));
}

TEST(TaskSearch, NothingIsProposedTwice) {
  TaskSearch task = makeTask();
  task.begin({0, 1});
  task.fail(2);
  EXPECT_EQ(task.propose(4), std::vector<size_t>{3});
  task.observe(3, 1e-3);
  EXPECT_TRUE(task.propose(4).empty());
  EXPECT_TRUE(task.isExhausted());
}

TEST(TaskSearch, LaterSamplesOfACandidateCount) {
  TaskSearch task = makeTask();
  task.observe(0, 1e-3);
  task.observe(1, 0.9e-3);
  task.observe(1, 1.1e-3);
  EXPECT_EQ(task.getBest(), std::optional<size_t>(0));
}

ScheduleOptions rounds(int64_t trials = INT64_MAX, double leastGain = 0) {
  ScheduleOptions options;
  options.roundSize = 1;
  options.trials = trials;
  options.leastGain = leastGain;
  return options;
}

TEST(Scheduler, TasksThatTakeMoreOfTheModelComeFirst) {
  Scheduler once({makeTask(1e-3), makeTask(1e-3, 5)}, rounds());
  EXPECT_EQ(once.next()->task, 1u);
  Scheduler longer({makeTask(2e-3), makeTask(1e-3)}, rounds());
  EXPECT_EQ(longer.next()->task, 0u);
}

TEST(Scheduler, TrialsAreALimit) {
  Scheduler scheduler({makeTask()}, rounds(3));
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(scheduler.next());
  EXPECT_FALSE(scheduler.next());
  EXPECT_EQ(scheduler.countTrials(), 3);
}

TEST(Scheduler, EndsWhenLittleIsToBeExpected) {
  EXPECT_TRUE(Scheduler({makeTask()}, rounds(9, 1e-3)).next());
  EXPECT_FALSE(Scheduler({makeTask()}, rounds(9, 10)).next());
}

TEST(Scheduler, EndsWhenAllIsMeasured) {
  Scheduler scheduler({makeTask()}, rounds());
  for (int i = 0; i < 4; ++i)
    scheduler.observe(0, scheduler.next()->candidates.front(), 1e-3);
  EXPECT_FALSE(scheduler.next());
}

TEST(Scheduler, WhatCannotBeMeasuredIsLeftOut) {
  Scheduler scheduler({makeTask(1e-3, 100), makeTask()}, rounds());
  scheduler.giveUp(0);
  EXPECT_EQ(scheduler.next()->task, 1u);
}

/// The same measurements give the same rounds.
TEST(Scheduler, IsDeterministic) {
  auto trace = [] {
    Scheduler scheduler({makeTask(1e-3), makeTask(1.3e-3, 2)}, rounds());
    std::vector<std::pair<size_t, size_t>> trace;
    while (auto round = scheduler.next()) {
      size_t candidate = round->candidates.front();
      trace.emplace_back(round->task, candidate);
      scheduler.observe(round->task, candidate, 1e-3 + 1e-5 * ((candidate * 7) % 4));
    }
    return trace;
  };
  EXPECT_EQ(trace().size(), 8u);
  EXPECT_EQ(trace(), trace());
}

} // namespace
