//===- BaselinesTest.cpp - Published models learn two small tasks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Baselines.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

using namespace ucmoh;

namespace {

/// A model, and features for it: of the right width, but fewer rows than they have.
struct Model {
  const char *name, *schema;
  int64_t width, rows, epochs;
};

class BaselinesTest : public ::testing::TestWithParam<Model> {
protected:
  /// Two tasks of twelve programs: the more ones a program has in its first rows, the faster.
  BaselinesTest() {
    const Model &model = GetParam();
    data.schema = model.schema;
    data.width = model.width;
    data.tasks = {{"a", "a", "f32", "train", "matmul", 1, {}},
                  {"b", "b", "u8s8s32", "train", "conv2d", 1, {}}};
    data.machines = data.runs = data.intrinsics = {"one"};
    data.offsets = {0};
    for (int program = 0; program < 24; ++program) {
      std::vector<float> rows(model.width * model.rows);
      for (int one = 0; one < 2 + program % 12; ++one)
        rows[one % model.width] = 1;
      data.rows.insert(data.rows.end(), rows.begin(), rows.end());
      data.offsets.push_back(data.offsets.back() + model.rows);
      data.seconds.push_back(1.0 / (1 + program % 12));
      data.spread.push_back(0);
      data.analytic.push_back(1);
      data.task.push_back(program / 12);
      for (auto *column : {&data.intrinsic, &data.machine, &data.run})
        column->push_back(0);
    }
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("baseline", "safetensors", path));
    options.output = path.str();
    options.epochs = model.epochs;
  }
  ~BaselinesTest() override { llvm::sys::fs::remove(path); }

  const Baseline &baseline() { return llvm::cantFail(findBaseline(GetParam().name, data)); }
  /// What the training says.
  std::string fit() {
    ::testing::internal::CaptureStderr();
    llvm::Error error = baseline().fit(data, options);
    std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
    return text;
  }
  std::vector<float> score() { return llvm::cantFail(baseline().score(path, data)); }

  Dataset data;
  BaselineOptions options;
  llvm::SmallString<64> path;
};

double lossAt(llvm::StringRef text) {
  double loss = NAN;
  text.split("loss ").second.split(';').first.getAsDouble(loss);
  return loss;
}

TEST_P(BaselinesTest, LossFallsAndTheFastestIsFound) {
  for (bool ranksTasks : {false, true}) {
    options.ranksTasks = ranksTasks;
    std::string text = fit();
    EXPECT_LT(lossAt(llvm::StringRef(text).rtrim().rsplit('\n').second), lossAt(text)) << text;
    std::vector<float> scores = score();
    EXPECT_LT(scores[11], scores[0]);
    EXPECT_LT(scores[23], scores[12]);
  }
}

TEST_P(BaselinesTest, SameSeedSameBits) {
  fit();
  std::vector<float> first = score();
  fit();
  EXPECT_EQ(first, score());
}

/// The last batch is one program, which cannot be compared.
TEST_P(BaselinesTest, OneProgramIsLeft) {
  Dataset once = data;
  while (data.programs() <= 1025)
    append(data, once);
  for (int64_t program = 1025; program < data.programs(); ++program)
    data.seconds[program] = NAN;
  options.epochs = 1;
  EXPECT_EQ(fit().find("nan"), std::string::npos);
}

TEST_P(BaselinesTest, ErrorsSayWhatToDo) {
  ::testing::internal::CaptureStderr();
  EXPECT_NE(llvm::toString(baseline().score("none", data).takeError()), "");
  std::error_code writing;
  llvm::raw_fd_ostream(path, writing) << "no weights";
  EXPECT_NE(llvm::toString(baseline().score(path, data).takeError()).find(path.str()),
            std::string::npos);
  for (TaskInfo &task : data.tasks)
    task.split = "holdout";
  EXPECT_EQ(llvm::toString(baseline().fit(data, options)),
            "the data has no list of programs left to learn from");
  data.schema = "other";
  EXPECT_NE(llvm::toString(findBaseline(GetParam().name, data).takeError())
                .find("ucmoh-featurize --features="),
            std::string::npos);
  EXPECT_NE(llvm::toString(findBaseline("best", data).takeError()).find("use tenset-mlp"),
            std::string::npos);
  ::testing::internal::GetCapturedStderr();
}

/// Trees are there only with their Python packages.
std::vector<Model> models() {
  std::vector<Model> all = {
      {"tenset-mlp", "ansor-1", 164, 3, 60},     {"tlp", "tlp-1", 22, 3, 60},
      {"mtl-tlp", "tlp-1", 22, 3, 60},           {"unicomo", "unicomo-2", 181, 3, 60},
      {"assignment", "assignment-1", 26, 3, 60}, {"transfer-mlp", "ansor-1", 164, 3, 60}};
  Dataset data;
  data.schema = "ansor-1";
  for (const char *name : {"xgboost", "lightgbm"}) {
    llvm::Expected<const Baseline &> found = findBaseline(name, data);
    if (found)
      all.push_back({name, "ansor-1", 164, 3, 60});
    else
      EXPECT_NE(llvm::toString(found.takeError()).find("scripts/setup.sh"), std::string::npos);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, BaselinesTest, ::testing::ValuesIn(models()), [](auto &info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// UniCoMo with one repair, or none.
class RepairTest : public BaselinesTest {
protected:
  RepairTest() { options.epochs = 2; }
  void learn(std::vector<std::string> repair) {
    options.repair = std::move(repair);
    fit();
  }
  /// Whether scores of the weights change with the data.
  bool depends(llvm::function_ref<void()> change) {
    Dataset before = data;
    std::vector<float> scores = score();
    change();
    bool differs = score() != scores;
    data = before;
    return differs;
  }
  float &value(int64_t program, int64_t row, int64_t column) {
    return data.rows[(data.offsets[program] + row) * data.width + column];
  }
};

TEST_P(RepairTest, MaskLeavesPaddingOut) {
  // A behaviour more, of zeros.
  auto pad = [&] {
    std::vector<float> rows;
    for (int64_t program = 0; program < data.programs(); ++program) {
      llvm::append_range(rows, data.rowsOf(program));
      rows.resize(rows.size() + 3 * data.width);
    }
    data.rows = rows;
    for (int64_t &offset : data.offsets)
      offset *= 2;
  };
  learn({});
  EXPECT_TRUE(depends(pad));
  learn({"mask"});
  EXPECT_FALSE(depends(pad));
}

TEST_P(RepairTest, LogMakesSizesSmall) {
  for (int64_t program = 0; program < data.programs(); ++program)
    value(program, 0, 9) = value(program, 1, 10) = 1e9f; // a loop's extent, a stride
  learn({});
  EXPECT_GT(std::abs(score()[0]), 1e4);
  learn({"log"});
  EXPECT_LT(std::abs(score()[0]), 1e2);
}

TEST_P(RepairTest, LogOfTheIntrinsicsOwnLoopsOnly) {
  auto &isIntrinsic = value(0, 2, 5), &extent = value(0, 2, 25);
  extent = 1e9f;
  learn({"log"});
  EXPECT_GT(std::abs(score()[0]), 1e4);
  isIntrinsic = 1;
  EXPECT_LT(std::abs(score()[0]), 1e2);
}

TEST_P(RepairTest, ImplementationIsSeen) {
  auto change = [&] { value(0, 2, 180) = 1; };
  learn({"mask"});
  EXPECT_FALSE(depends(change));
  learn({"implementation"});
  EXPECT_TRUE(depends(change));
}

TEST_P(RepairTest, RooflineIsAdded) {
  auto change = [&] { data.analytic[3] = 4; };
  learn({"log"});
  EXPECT_FALSE(depends(change));
  learn({"roofline", "log"});
  float before = score()[3];
  change();
  EXPECT_NEAR(score()[3] - before, 2, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Unicomo, RepairTest,
                         ::testing::Values(Model{"unicomo", "unicomo-2", 181, 3, 2}));

TEST(ReadScores, OneForEachProgram) {
  llvm::SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("scores", "txt", path));
  llvm::FileRemover remover(path);
  auto write = [&](llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
  };
  Dataset data;
  data.seconds = {1, 2};
  write("0.5\n-2e-3\n");
  EXPECT_EQ(llvm::cantFail(readScores(path, data)), (std::vector<float>{0.5f, -2e-3f}));
  for (const char *text : {"", "1", "1\nx", "1\n2\n3"}) {
    write(text);
    EXPECT_NE(llvm::toString(readScores(path, data).takeError()), "");
  }
}

} // namespace
