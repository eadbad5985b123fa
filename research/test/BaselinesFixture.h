//===- BaselinesFixture.h - A data set for published models
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_UNIT_TRAINING_BASELINESFIXTURE_H
#define UCMOH_TEST_UNIT_TRAINING_BASELINESFIXTURE_H

#include "Networks/Baselines.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

namespace ucmoh {

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
  /// Trains, and returns what the training prints.
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

} // namespace ucmoh

#endif // UCMOH_TEST_UNIT_TRAINING_BASELINESFIXTURE_H
