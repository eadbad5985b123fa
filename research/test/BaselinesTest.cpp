//===- BaselinesTest.cpp - Published models learn two small tasks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BaselinesFixture.h"
#include "ucmoh/Training/Programs.h"

using namespace ucmoh;

namespace {

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
                .find("ucmoh-research featurize --features="),
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
