//===- LearnTest.cpp - What learning on refuses
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Learn.h"
#include "gtest/gtest.h"

using namespace ucmoh;

static Standing machine(bool isNew, double top1Before, double top1After, double pairsBefore,
                        double pairsAfter) {
  Standing standing{"m", "", isNew, 10, 100, {}, {}};
  standing.before.top1Geomean = top1Before;
  standing.after.top1Geomean = top1After;
  standing.before.pairwise = pairsBefore;
  standing.after.pairwise = pairsAfter;
  return standing;
}

TEST(LearnTest, ForgettingHasABound) {
  Standing gain = machine(true, 0.9, 0.95, 0.8, 0.85);
  EXPECT_EQ(refusal({machine(false, 0.95, 0.945, 0.9, 0.9), gain}, 0.01), "");
  EXPECT_EQ(refusal({machine(false, 0.95, 0.93, 0.9, 0.9), gain}, 0.01),
            "m is forgotten: top-1 geomean 0.9500 -> 0.9300, pairs 0.9000 -> 0.9000");
  // A single intrinsic has few lists: it is shown, not judged.
  Standing intrinsic = machine(false, 0.95, 0.5, 0.9, 0.9);
  intrinsic.intrinsic = "t::i";
  EXPECT_EQ(refusal({intrinsic, gain}, 0.01), "");
}

TEST(LearnTest, SomethingIsGained) {
  EXPECT_EQ(refusal({machine(true, 0.9, 0.9, 0.8, 0.8)}, 0.01),
            "m gains nothing: top-1 geomean 0.9000 -> 0.9000, pairs 0.8000 -> 0.8000");
  EXPECT_EQ(refusal({machine(true, 0.9, 0.895, 0.8, 0.85)}, 0.01), "");
  EXPECT_EQ(refusal({machine(true, 0.9, 0.85, 0.8, 0.85)}, 0.01),
            "m gets worse: top-1 geomean 0.9000 -> 0.8500, pairs 0.8000 -> 0.8500");
}

TEST(LearnTest, OneTaskIsTooFew) {
  LearnData data;
  data.records.width = 1;
  data.records.machines = {"m"};
  data.records.intrinsics = {"t::i"};
  data.records.runs = {"1"};
  data.records.tasks.resize(1);
  for (int program = 0; program < 3; ++program) {
    data.records.rows.push_back(program);
    data.records.offsets.push_back(program + 1);
    data.records.seconds.push_back(program + 1);
    for (auto *column :
         {&data.records.task, &data.records.intrinsic, &data.records.machine, &data.records.run})
      column->push_back(0);
  }
  llvm::Expected<Lesson> lesson = learn(data, {});
  ASSERT_FALSE(bool(lesson));
  EXPECT_EQ(llvm::toString(lesson.takeError()),
            "the records have 1 tasks with two measured programs that are not held out; some are "
            "learned from and a fifth judges, so measure five at least");
}
