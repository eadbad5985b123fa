//===- TorchNetworkTest.cpp - LibTorch and the compiler agree
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/TorchNetwork.h"
#include "../RandomPrograms.h"
#include "ucmoh/CostModel/NetworkModel.h"
#include "ucmoh/Training/Fit.h"
#include "ucmoh/Training/Losses.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace ucmoh;

namespace {

/// Lists of 20 programs; every fourth task is held out.
Dataset makeDataset(llvm::ArrayRef<ProgramFeatures> programs) {
  Dataset data;
  data.schema = featureSchema();
  data.width = featureCount;
  data.offsets = {0};
  data.intrinsics = data.machines = data.runs = {"only"};
  for (auto [number, program] : llvm::enumerate(programs)) {
    for (const FeatureRow &row : program)
      data.rows.insert(data.rows.end(), row.values.begin(), row.values.end());
    data.offsets.push_back(data.rows.size() / featureCount);
    data.seconds.push_back(analyticSeconds(program) * (1 + number % 7));
    data.task.push_back(number / 20);
    data.intrinsic.push_back(0);
    data.machine.push_back(0);
    data.run.push_back(0);
  }
  data.tasks.resize(programs.size() / 20 + 1);
  for (size_t task = 0; task < data.tasks.size(); task += 4)
    data.tasks[task].split = "holdout";
  return data;
}

class TorchNetworkTest : public ::testing::Test {
protected:
  TorchNetworkTest() : programs(randomPrograms(1000, 4)), data(makeDataset(programs)) {
    torch::set_num_threads(1);
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("weights", "safetensors", path));
  }
  ~TorchNetworkTest() override { llvm::sys::fs::remove(path); }
  std::string bytes() { return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str(); }

  std::vector<ProgramFeatures> programs;
  Dataset data;
  llvm::SmallString<64> path;
};

TEST_F(TorchNetworkTest, ParityWithTheCompiler) {
  NetworkData inputs = llvm::cantFail(NetworkData::create(data));
  TorchNetwork network(inputs, 1);
  torch::manual_seed(1);
  torch::NoGradGuard noGradients;
  for (torch::Tensor weight : network.parameters())
    weight.add_(torch::randn_like(weight) * 0.03);
  llvm::cantFail(network.save(path, {}));
  SafetensorsFile file = llvm::cantFail(SafetensorsFile::read(path));
  auto model = llvm::cantFail(NetworkModel::create(file, "test"));
  std::vector<ProgramList> lists = listsOf(data);
  Batch batch = makeBatch(data, inputs, lists);
  torch::Tensor predicted = network.predict(batch).contiguous();
  ASSERT_EQ(predicted.numel(), 1000);
  double change = 0;
  for (auto [position, i] : llvm::enumerate(batch.programs)) {
    float here = model->logNanoseconds(programs[i]), there = predicted.data_ptr<float>()[position];
    EXPECT_NEAR(here, there, 1e-4 * std::max(1.f, std::abs(there))) << i;
    change = std::max<double>(change, std::abs(here - inputs.roofline[i]));
  }
  EXPECT_GT(change, 0.1) << "the network does nothing";
}

TEST_F(TorchNetworkTest, UntrainedIsTheRoofline) {
  NetworkData inputs = llvm::cantFail(NetworkData::create(data));
  TorchNetwork network(inputs, 1);
  Batch batch = makeBatch(data, inputs, listsOf(data));
  EXPECT_TRUE(torch::equal(network.predict(batch), batch.roofline));
}

TEST_F(TorchNetworkTest, LoadRestoresWhatSaveWrote) {
  NetworkData inputs = llvm::cantFail(NetworkData::create(data));
  TorchNetwork one(inputs, 1), other(inputs, 2);
  torch::NoGradGuard noGradients;
  for (torch::Tensor weight : one.parameters())
    weight.add_(0.01);
  llvm::cantFail(one.save(path, {}));
  llvm::cantFail(other.load(path));
  Batch batch = makeBatch(data, inputs, listsOf(data));
  EXPECT_TRUE(torch::allclose(one.predict(batch), other.predict(batch), 1e-4, 1e-4));
}

TEST_F(TorchNetworkTest, FitIsReproducibleAndLearns) {
  FitOptions options;
  options.output = path.str();
  options.epochs = 3;
  options.programsPerStep = 200;
  llvm::cantFail(fit(data, options));
  std::string first = bytes();
  llvm::cantFail(fit(data, options));
  EXPECT_EQ(first, bytes());
  options.seed = 2;
  llvm::cantFail(fit(data, options));
  EXPECT_NE(first, bytes());
}

/// What is held out must not change a bit of the weights.
TEST_F(TorchNetworkTest, HoldoutIsNotLearned) {
  FitOptions options;
  options.output = path.str();
  options.epochs = 2;
  llvm::cantFail(fit(data, options));
  std::string first = bytes();
  for (int64_t program = 0; program < data.programs(); ++program)
    if (data.tasks[data.task[program]].isHoldout())
      data.seconds[program] *= 1 + program % 5;
  llvm::cantFail(fit(data, options));
  EXPECT_EQ(first, bytes());
}

/// Programs of as many statements are together, each with its own rows, and lists still find them.
TEST_F(TorchNetworkTest, BatchesAreBlocksOfEqualStatements) {
  NetworkData inputs = llvm::cantFail(NetworkData::create(data));
  std::vector<ProgramList> lists = listsOf(data);
  Batch batch = makeBatch(data, inputs, lists);
  int64_t row = 0, position = 0;
  for (auto [count, statements] : batch.blocks)
    for (int64_t end = position + count; position < end; ++position) {
      int64_t program = batch.programs[position];
      ASSERT_EQ(data.rowCount(program), statements);
      EXPECT_TRUE(torch::equal(batch.inputs.narrow(0, row, statements),
                               inputs.inputs.narrow(0, data.offsets[program], statements)));
      row += statements;
    }
  EXPECT_EQ(row, batch.inputs.size(0));
  for (auto [number, list] : llvm::enumerate(lists))
    for (auto [place, program] : llvm::enumerate(list.programs))
      EXPECT_EQ(batch.programs[batch.programOf[number][place].item<int64_t>()], program);
}

/// The file has no weight for what was taken away, also if training begins with one that has.
TEST_F(TorchNetworkTest, AblatedFeaturesHaveNoWeight) {
  FitOptions options;
  options.output = path.str();
  options.epochs = 2;
  llvm::cantFail(fit(data, options));
  options.ablate = {"tiles", "roofline"};
  for (const std::string &from : {std::string(), options.output}) {
    options.from = from;
    llvm::cantFail(fit(data, options));
    SafetensorsFile file = llvm::cantFail(SafetensorsFile::read(path));
    EXPECT_EQ(file.metadata("ablate"), "tiles,roofline");
    auto weights = llvm::cantFail(file.get<float>("embed1.weight", 2));
    int64_t width = weights.size() / networkInputCount;
    for (const FeatureGroup &group : networkInputGroups())
      if (llvm::is_contained(options.ablate, group.name))
        for (float weight : llvm::ArrayRef(weights).slice(group.first * width, group.count * width))
          EXPECT_EQ(weight, 0);
  }
  options.ablate = {"nothing"};
  EXPECT_EQ(llvm::toString(fit(data, options)),
            "there is no group of features 'nothing'; ucmoh-train fit --help lists them");
}

/// Training goes on with the normalization of the weights, whatever the new data looks like.
TEST_F(TorchNetworkTest, NormalizationComesFromTheWeights) {
  FitOptions options;
  options.output = path.str();
  options.epochs = 2;
  llvm::cantFail(fit(data, options));
  auto normalization = [&](llvm::StringRef name) {
    return llvm::cantFail(llvm::cantFail(SafetensorsFile::read(path)).get<float>(name, 1));
  };
  std::vector<float> mean = normalization("normalization.mean");
  std::vector<float> deviation = normalization("normalization.deviation");
  Dataset few = makeDataset(llvm::ArrayRef(programs).take_front(60));
  options = fineTuning();
  options.from = options.output = path.str();
  options.epochs = 1;
  llvm::cantFail(fit(few, options));
  EXPECT_EQ(normalization("normalization.mean"), mean);
  EXPECT_EQ(normalization("normalization.deviation"), deviation);
}

/// Two programs, y = 1 and 1/2, scored in the wrong order by 1: |1 - 1/log2(3)| * |G_1 - G_2| *
/// log2(1 + e), with G = (2^y - 1) / (1 + (sqrt(2) - 1) / log2(3)).
TEST(Losses, LambdaRankOfTwo) {
  PaddedLists lists{torch::tensor({{4.f, 3.f, 0.f}}), torch::tensor({{1.f, 2.f, 0.f}}),
                    torch::tensor({{1.f, 1.f, 0.f}})};
  double gain = (1 - (std::sqrt(2.0) - 1)) / (1 + (std::sqrt(2.0) - 1) / std::log2(3.0));
  double expected = (1 - 1 / std::log2(3.0)) * gain * std::log2(1 + std::exp(1.0));
  EXPECT_NEAR(lambdaRank(lists, 1, 1).item<double>(), expected, 1e-6);
}

/// One pair, so that its weight cancels; a list without pairs adds nothing.
TEST(Losses, LambdaRankAsMean) {
  PaddedLists lists{torch::tensor({{2.f, 1.f}, {2.f, 1.f}}),
                    torch::tensor({{1.f, 1.5f}, {3.f, 3.f}}), torch::ones({2, 2})};
  EXPECT_NEAR(lambdaRank(lists, 1, 1, /*mean=*/true).item<double>(), std::log2(1 + std::exp(1.0)),
              1e-6);
}

TEST(Losses, PaddingAddsNothing) {
  PaddedLists small{torch::tensor({{4.f, 3.f}}), torch::tensor({{1.f, 2.f}}),
                    torch::tensor({{1.f, 1.f}})};
  PaddedLists padded{torch::tensor({{4.f, 3.f, 9.f}}), torch::tensor({{1.f, 2.f, 0.f}}),
                     torch::tensor({{1.f, 1.f, 0.f}})};
  EXPECT_FLOAT_EQ(lambdaRank(small, 2, 3).item<float>(), lambdaRank(padded, 2, 3).item<float>());
  EXPECT_FLOAT_EQ(regression(small, 1, 0.1).item<float>(),
                  regression(padded, 1, 0.1).item<float>());
}

/// Errors 3 and 1 with weights 2/3 and 1/3: mean 7/3, squares (4 * 2 + 16) / 27, and a tenth of
/// the squared mean.
TEST(Losses, RegressionOfTwo) {
  PaddedLists lists{torch::tensor({{4.f, 3.f}}), torch::tensor({{1.f, 2.f}}),
                    torch::tensor({{1.f, 1.f}})};
  EXPECT_NEAR(regression(lists, 1, 0.1).item<double>(), 24.0 / 27 + 0.1 * 49 / 9, 1e-5);
}

} // namespace
