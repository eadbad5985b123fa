//===- NetworkModelTest.cpp - The learned cost model without LibTorch
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/NetworkModel.h"
#include "RandomPrograms.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/NetworkParameters.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace ucmoh;

namespace {

class NetworkModelTest : public ::testing::Test {
protected:
  NetworkModelTest() {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("weights", "safetensors", path));
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    for (const NetworkParameter &parameter : networkParameters())
      for (int64_t i = 0; i < parameter.size; ++i)
        weights.push_back(normal(random) /
                          (4 * std::sqrt(static_cast<float>(parameter.shape.front()))));
  }
  ~NetworkModelTest() override { llvm::sys::fs::remove(path); }

  void write(llvm::StringRef schema, size_t parameters, TensorMetadata metadata = {}) {
    NamedTensors tensors;
    std::vector<NetworkParameter> all = networkParameters();
    for (const NetworkParameter &parameter : llvm::ArrayRef(all).take_front(parameters))
      tensors.push_back(
          {parameter.name,
           TensorView::of<float>(llvm::ArrayRef(weights).slice(parameter.offset, parameter.size),
                                 parameter.shape)});
    metadata["schema"] = schema.str();
    EXPECT_FALSE(bool(writeSafetensors(path, tensors, metadata)));
  }
  std::unique_ptr<CostModel> load() {
    error.clear();
    return createCostModel(path, error);
  }

  llvm::SmallString<64> path;
  std::vector<float> weights;
  std::string error;
};

TEST_F(NetworkModelTest, AloneAsInBatch) {
  write(networkSchema(), 100);
  std::unique_ptr<CostModel> model = load();
  ASSERT_TRUE(model) << error;
  EXPECT_TRUE(model->getName().contains(".safetensors@"));
  auto programs = randomPrograms(1000, 1);
  std::vector<float> together(programs.size()), alone(programs.size());
  model->score(programs, together);
  for (size_t i = programs.size(); i-- > 0;)
    model->score(llvm::ArrayRef(programs).slice(i, 1), llvm::MutableArrayRef(alone).slice(i, 1));
  EXPECT_EQ(together, alone);
  for (float score : together)
    EXPECT_TRUE(std::isfinite(score) && score > 0);
}

TEST_F(NetworkModelTest, SameBitsOnAllInstructionSets) {
  std::vector<float> scratch(scratchFloats(40));
  for (const ProgramFeatures &program : randomPrograms(1000, 2)) {
    llvm::SmallVector<float> inputs;
    networkInputs(program, inputs);
    auto run = [&](const VectorNetwork &network) {
      return network.run(inputs.data(), program.size(), networkInputCount, weights.data(),
                         scratch.data());
    };
    for (const VectorNetwork &network : vectorNetworks())
      ASSERT_EQ(run(network), run(vectorNetworks().front())) << network.name.str();
  }
}

/// Rows of the same program in another order: only the order of sums differs.
TEST_F(NetworkModelTest, OrderOfStatementsDoesNotMatter) {
  write(networkSchema(), 100);
  std::unique_ptr<CostModel> model = load();
  ASSERT_TRUE(model) << error;
  for (const ProgramFeatures &program : randomPrograms(100, 3)) {
    ProgramFeatures reversed(llvm::reverse(program));
    float scores[2];
    model->score({program, reversed}, scores);
    EXPECT_NEAR(std::log2(scores[0] / scores[1]), 0, 1e-3);
  }
}

TEST_F(NetworkModelTest, WrongSchemaNamesBoth) {
  write("1-0000000000000000", 100);
  EXPECT_FALSE(load());
  EXPECT_EQ(error, (path + ": these weights are for schema '1-0000000000000000', this build has '" +
                    networkSchema() + "'; use other weights, or model=analytic")
                       .str());
}

TEST_F(NetworkModelTest, MissingAndBrokenWeights) {
  write(networkSchema(), 3);
  EXPECT_FALSE(load());
  EXPECT_NE(error.find("there is no tensor '"), std::string::npos);
  weights[7] = std::nanf("");
  write(networkSchema(), 100);
  EXPECT_FALSE(load());
  EXPECT_NE(error.find("tensor 'embed1.weight' has values that are not finite"), std::string::npos);
  EXPECT_NE(error.find("model=analytic"), std::string::npos);
}

TEST_F(NetworkModelTest, OriginIsReadFromTheFile) {
  FeatureRow row;
  row[Feature::clockGHz] = 4;
  for (Feature size : {Feature::l1Bytes, Feature::l2Bytes})
    row[size] = 1 << 20;
  for (Feature bandwidth : {Feature::l1BytesPerCycle, Feature::broadcastBytesPerCycle,
                            Feature::l2BytesPerCycle, Feature::l3BytesPerCycle})
    row[bandwidth] = 32;

  write(networkSchema(), 100);
  std::unique_ptr<CostModel> model = load();
  ASSERT_TRUE(model) << error;
  EXPECT_TRUE(model->knowsMachine(row)); // the file does not say
  EXPECT_EQ(model->getTrainedThreads(), llvm::ArrayRef<int64_t>(1));

  write(networkSchema(), 100,
        {{"intrinsics", R"(["t::i"])"},
         {"threads", "[1, 2]"},
         {"machines", "[[4, 1048576, 1048576, 32, 32, 32, 32]]"}});
  model = load();
  ASSERT_TRUE(model) << error;
  EXPECT_EQ(model->getTrainedIntrinsics(), llvm::ArrayRef<std::string>("t::i"));
  EXPECT_EQ(model->getTrainedThreads(), llvm::ArrayRef<int64_t>({1, 2}));
  EXPECT_TRUE(model->knowsMachine(row));
  row[Feature::l2BytesPerCycle] = 34; // another probe
  EXPECT_TRUE(model->knowsMachine(row));
  row[Feature::l2BytesPerCycle] = 64, row[Feature::l1BytesPerCycle] = 64; // another core
  EXPECT_FALSE(model->knowsMachine(row));

  write(networkSchema(), 100, {{"threads", "one"}});
  EXPECT_FALSE(load());
}

/// The roofline chooses the intrinsic, the model within it, and scores stay seconds.
TEST(RestraintTest, RooflineChoosesTheIntrinsic) {
  std::vector<unsigned> intrinsics = {0, 0, 1, 1};
  std::vector<double> roofline = {4, 2, 3, 6};
  std::vector<float> scores = {1, 3, 0.5f, 0.25f}; // the model's: the fourth, then the third
  restrain(intrinsics, roofline, scores);
  EXPECT_EQ(llvm::min_element(scores) - scores.begin(), 0);
  EXPECT_FLOAT_EQ(scores[0], 2);
  EXPECT_FLOAT_EQ(scores[3], 3);
  EXPECT_LT(scores[3], scores[2]);
  // 4 * (1 / 4)^.75 and 2 * (3 / 2)^.75 keep their distance.
  EXPECT_NEAR(scores[1] / scores[0], 2 * std::pow(1.5, .75) / (4 * std::pow(.25, .75)), 1e-5);
}

TEST_F(NetworkModelTest, WeightsAreSmall) { EXPECT_LE(networkSize() * 4, 1 << 20); }

} // namespace
