//===- SelectionTest.cpp - What is learned, what is judged, and in which groups
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingLists.h"
#include "ucmoh/Training/Evaluate.h"
#include "ucmoh/Training/Programs.h"
#include "gtest/gtest.h"
#include <set>

using namespace ucmoh;

namespace {

/// 40 tasks of 20 programs, two of each intrinsic in turn; every fourth task is held out.
class SelectionTest : public ::testing::Test {
protected:
  SelectionTest() {
    data.width = 1;
    data.intrinsics = {"a::one", "a::two", "b::one"};
    data.machines = {"here", "there"};
    data.runs = {"1"};
    data.tasks.resize(40);
    for (int task = 0; task < 40; ++task) {
      data.tasks[task].id = std::to_string(task);
      data.tasks[task].types = task % 2 ? "f32" : "s8";
      data.tasks[task].split = task % 4 ? "train" : "holdout";
      for (int number = 0; number < 20; ++number)
        add(task, number);
    }
  }
  void add(int task, int number) {
    data.rows.push_back(task * 100 + number);
    data.offsets.push_back(data.offsets.back() + 1);
    data.seconds.push_back(1 + number);
    data.task.push_back(task);
    data.intrinsic.push_back(number % 3);
    data.machine.push_back(task % 2);
    data.run.push_back(0);
  }
  static std::set<int64_t> programs(llvm::ArrayRef<ProgramList> lists) {
    std::set<int64_t> all;
    for (const ProgramList &list : lists)
      all.insert(list.programs.begin(), list.programs.end());
    return all;
  }
  std::set<int32_t> tasks(llvm::ArrayRef<ProgramList> lists) {
    std::set<int32_t> all;
    for (const ProgramList &list : lists)
      all.insert(list.task);
    return all;
  }
  Dataset data;
};

/// Every program is in one part of its own list, and another random number divides otherwise.
TEST_F(SelectionTest, PartsOfListsAreWholeAndOfEqualSize) {
  std::vector<ProgramList> lists = listsToLearn(data, Split::Holdout, {});
  std::mt19937_64 random(1);
  std::vector<ProgramList> parts = divide(lists, 8, random), again = divide(lists, 8, random);
  EXPECT_EQ(parts.size(), lists.size() * 3);
  EXPECT_EQ(programs(parts), programs(lists));
  size_t count = 0;
  for (const ProgramList &part : parts) {
    count += part.programs.size();
    EXPECT_TRUE(part.programs.size() == 6 || part.programs.size() == 7);
    for (int64_t program : part.programs)
      EXPECT_EQ(data.task[program], part.task);
  }
  EXPECT_EQ(count, lists.size() * 20);
  EXPECT_NE(parts.front().programs, again.front().programs);
}

TEST_F(SelectionTest, NothingThatIsJudgedIsLearned) {
  for (Split split : {Split::Holdout, Split::ByTask, Split::WithinTask}) {
    std::set<int64_t> learned = programs(listsToLearn(data, split, {}));
    std::set<int64_t> judged = programs(listsToJudge(data, split, {}));
    EXPECT_FALSE(learned.empty());
    EXPECT_FALSE(judged.empty());
    for (int64_t program : judged)
      EXPECT_FALSE(learned.count(program));
    for (int64_t program : learned)
      EXPECT_FALSE(data.tasks[data.task[program]].isHoldout());
  }
  EXPECT_EQ(programs(listsToLearn(data, Split::Holdout, {})),
            programs(listsToJudge(data, Split::Train, {})));
}

TEST_F(SelectionTest, TasksAreWholeUnlessWithin) {
  auto common = [&](Split split) {
    std::set<int32_t> learned = tasks(listsToLearn(data, split, {}));
    return llvm::count_if(tasks(listsToJudge(data, split, {})),
                          [&](int32_t task) { return learned.count(task); });
  };
  EXPECT_EQ(common(Split::Holdout), 0);
  EXPECT_EQ(common(Split::ByTask), 0);
  EXPECT_GT(common(Split::WithinTask), 10);
}

TEST_F(SelectionTest, NamesAreTargetsIntrinsicsOrMachines) {
  auto judged = [&](std::vector<std::string> only) {
    return programs(listsToJudge(data, Split::Train, only)).size();
  };
  EXPECT_EQ(judged({}), 600u);
  EXPECT_EQ(judged({"a"}), 14 * 30u);
  EXPECT_EQ(judged({"a::one"}), 7 * 30u);
  EXPECT_EQ(judged({"there"}), 400u);
  EXPECT_EQ(programs(listsToLearn(data, Split::Holdout, {"a", "there"})).size(), 10 * 6u);
  EXPECT_FALSE(checkNames(data, {"a", "b::one", "here"}));
  EXPECT_EQ(
      llvm::toString(checkNames(data, {"c"})),
      "the data has no target, intrinsic or machine 'c'; it has a, a::one, a::two, b, b::one, "
      "here, there");
}

TEST_F(SelectionTest, ATargetsRowHasItsProgramsOnly) {
  ModelScores model{"perfect", true, {{}, {}}};
  for (double seconds : data.seconds)
    for (int seed : {0, 1})
      model.seeds[seed].push_back(seed ? 1 / seconds : seconds);
  std::vector<ProgramList> lists = listsToJudge(data, Split::Holdout, {});
  std::vector<Evaluation> table = evaluate(data, lists, model, {GroupBy::Types, GroupBy::Target});
  std::vector<std::string> groups;
  for (const Evaluation &row : table)
    if (row.model == "perfect")
      groups.push_back(row.group + " " + std::to_string(row.programs));
  EXPECT_EQ(groups,
            (std::vector<std::string>{"all 200", "types s8 200", "target a 140", "target b 60"}));
  EXPECT_EQ(table.front().seeds[0].top1, 1);
  EXPECT_DOUBLE_EQ(table.front().mean(&Metrics::top1), (1 + 1 / 20.) / 2);
  EXPECT_DOUBLE_EQ(table.front().spread(&Metrics::top1), (1 - 1 / 20.) / std::sqrt(2));
}

/// Its score is the feature `executions`; it knows the machines with a clock of 1 GHz.
struct ModelOfOneMachine : CostModel {
  void score(llvm::ArrayRef<ProgramFeatures> programs,
             llvm::MutableArrayRef<float> scores) const override {
    for (auto [program, score] : llvm::zip_equal(programs, scores))
      score = program.front()[Feature::executions];
  }
  bool predictsSeconds() const override { return true; }
  bool knowsMachine(const FeatureRow &row) const override { return row[Feature::clockGHz] == 1; }
  llvm::StringRef getName() const override { return "of one machine"; }
};

/// Programs are judged by what the compiler would make of the scores.
TEST(ScoreTest, ModelsAreRestrainedOnOtherMachines) {
  Dataset data;
  data.width = featureCount;
  auto add = [&](float clockGHz, int intrinsic, float roofline, float score) {
    FeatureRow row;
    row[Feature::clockGHz] = clockGHz;
    row[Feature::executions] = score;
    data.rows.insert(data.rows.end(), row.values.begin(), row.values.end());
    data.offsets.push_back(data.offsets.back() + 1);
    data.seconds.push_back(1);
    data.analytic.push_back(roofline);
    data.intrinsic.push_back(intrinsic);
    for (auto *column : {&data.task, &data.machine, &data.run})
      column->push_back(clockGHz);
  };
  for (float clockGHz : {1, 2}) {
    add(clockGHz, 0, 2, 3);
    add(clockGHz, 1, 4, 1); // the model's choice; not that of the roofline, as to the intrinsic
  }
  std::vector<float> scores = scoreAll(data, ModelOfOneMachine());
  EXPECT_EQ(scores[0], 3);
  EXPECT_EQ(scores[1], 1);
  EXPECT_EQ(scores[2], 2);
  EXPECT_EQ(scores[3], 4);
}

} // namespace
