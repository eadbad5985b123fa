//===- UnicomoRepairTest.cpp - Each repair of UniCoMo alone
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BaselinesFixture.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh;

namespace {

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

} // namespace
