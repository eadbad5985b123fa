//===- DrawTest.cpp - Programs that nobody measured, and exams
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawWorkload.h"
#include "mlir/IR/MLIRContext.h"
#include "ucmoh/Dataset/DrawPrograms.h"
#include "ucmoh/Dataset/Exam.h"
#include "ucmoh/Dataset/ReadData.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Transforms/PreparedTask.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

using namespace ucmoh;

static const std::string exam = UCMOH_TEST_EXAM;

/// The pass finds a contraction or windows in each, and the same seed draws the same.
TEST(DrawTest, WorkloadsAreContractions) {
  mlir::DialectRegistry registry;
  registerInputDialects(registry);
  mlir::MLIRContext context(registry);
  size_t depthwise = 0;
  for (llvm::StringRef types : {"f32", "bf16", "s8s8s32", "u8s8s32"}) {
    ASSERT_TRUE(canDraw(types));
    std::mt19937_64 random(1), again(1);
    std::set<std::string> texts;
    for (int i = 0; i < 16; ++i) {
      std::string text = drawWorkload(types, random);
      EXPECT_EQ(text, drawWorkload(types, again));
      texts.insert(text);
      auto task = PreparedTask::parse(context, text, "drawn");
      ASSERT_TRUE(bool(task)) << llvm::toString(task.takeError());
      ASSERT_TRUE(task->workload) << task->reason << "\n" << text;
      depthwise += task->workload->isDepthwise;
    }
    EXPECT_GT(texts.size(), 10u);
  }
  EXPECT_GT(depthwise, 0u);
  EXPECT_FALSE(canDraw("f64"));
}

static Dataset draw(uint64_t seed) {
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel("analytic", error);
  DrawOptions options;
  options.programs = 300;
  options.seed = seed;
  return llvm::cantFail(drawPrograms({exam}, *model, options));
}

/// The numbers of threads of all rows.
static std::set<float> threadsOf(const Dataset &data) {
  size_t column = llvm::find(data.features, "threads") - data.features.begin();
  std::set<float> found;
  for (size_t row = 0; row < data.rows.size(); row += data.width)
    found.insert(data.rows[row + column]);
  return found;
}

/// Drawn programs are of every machine and of no intrinsic that the exam lacks, have its numbers of
/// threads, and the model labels them.
TEST(DrawTest, ProgramsAreOfWhatIsKnown) {
  Dataset drawn = draw(1), again = draw(1), other = draw(2);
  Dataset known = llvm::cantFail(readData({exam}, {})).data;
  EXPECT_GE(drawn.programs(), 300);
  EXPECT_EQ(drawn.schema, known.schema);
  EXPECT_EQ(std::set<std::string>(drawn.machines.begin(), drawn.machines.end()),
            std::set<std::string>(known.machines.begin(), known.machines.end()));
  EXPECT_EQ(threadsOf(drawn), threadsOf(known));
  std::set<std::string> intrinsics(known.intrinsics.begin(), known.intrinsics.end());
  for (const std::string &intrinsic : drawn.intrinsics)
    EXPECT_TRUE(intrinsics.count(intrinsic)) << intrinsic;
  for (int64_t program = 0; program < drawn.programs(); ++program)
    EXPECT_FLOAT_EQ(drawn.seconds[program], drawn.analytic[program]);
  EXPECT_EQ(drawn.rows, again.rows);
  EXPECT_NE(drawn.rows, other.rows);
}

/// A random model ranks, but predicts no seconds that could be learned.
TEST(DrawTest, ModelsThatOnlyRankAreRefused) {
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel("random:1", error);
  llvm::Expected<Dataset> drawn = drawPrograms({exam}, *model, {});
  ASSERT_FALSE(bool(drawn));
  EXPECT_EQ(llvm::toString(drawn.takeError()), "model 'random:1' predicts no seconds");
}

/// An exam of an exam: no larger than asked, of the tasks named, and none held out.
TEST(ExamTest, HasBounds) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("exam", "jsonl", path));
  llvm::FileRemover remover(path);
  Dataset all = llvm::cantFail(readData({exam}, {})).data;
  std::set<std::string> aside = tasksAside(all.tasks);
  EXPECT_EQ(aside.size(), all.tasks.size() / 5);
  ExamOptions options;
  options.rows = 100;
  options.programs = 5;
  ASSERT_FALSE(bool(writeExam("", {exam}, aside, options, path)));
  Dataset few = llvm::cantFail(readData({path.str().str()}, {})).data;
  EXPECT_GT(few.programs(), 50);
  EXPECT_LE(few.programs(), 100);
  EXPECT_EQ(few.machines.size(), all.machines.size());
  for (const TaskInfo &task : few.tasks)
    EXPECT_TRUE(aside.count(task.id));
  // What is known stays when more is learned.
  ASSERT_FALSE(bool(writeExam(path, {exam}, {}, options, path)));
  EXPECT_EQ(llvm::cantFail(readData({path.str().str()}, {})).data.rows, few.rows);
}

/// Held-out tasks only judge in other ways; two tasks are the least that are set aside.
TEST(ExamTest, AsideAreNoHeldOutTasks) {
  std::vector<TaskInfo> tasks(6);
  for (int i = 0; i < 6; ++i) {
    tasks[i].id = std::to_string(i);
    tasks[i].split = i < 2 ? "holdout" : "train";
  }
  std::set<std::string> aside = tasksAside(tasks);
  EXPECT_EQ(aside.size(), 2u);
  EXPECT_FALSE(aside.count("0") || aside.count("1"));
  EXPECT_EQ(examPath("a/w.safetensors"), "a/w.exam.jsonl.zst");
}
