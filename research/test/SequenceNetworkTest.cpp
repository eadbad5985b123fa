//===- SequenceNetworkTest.cpp - One row of padding stands for all of it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Networks/SequenceNetwork.h"
#include "gtest/gtest.h"

using namespace ucmoh;

namespace {

constexpr int64_t programs = 5, rows = 7, width = 6;

/// Programs of 0, 2, 4, 6 and 7 rows, padded to 7; every other one of the second head.
RowBatch makeBatch() {
  RowBatch batch;
  auto sequences = torch::randn({programs, rows, width});
  const int64_t lengths[] = {0, 2, 4, 6, 7};
  for (int64_t program = 0; program < programs; ++program)
    sequences[program].narrow(0, lengths[program], rows - lengths[program]).zero_();
  sequences[3][1].zero_(); // not at the end: no padding
  batch.rows = sequences.view({-1, width});
  batch.head = torch::arange(programs) % 2;
  batch.programs = programs;
  return batch;
}

/// The same network, row by row as published.
torch::Tensor reference(SequenceNetwork &network, const RowBatch &batch) {
  auto modules = network.named_children();
  auto run = [&](const std::string &name, const torch::Tensor &x) {
    return modules[name]->as<torch::nn::Sequential>()->forward(x);
  };
  auto x = run("encoder", batch.sequences()).transpose(0, 1);
  auto *attention = modules["attention"]->as<torch::nn::MultiheadAttention>();
  x = x + std::get<0>(attention->forward(x, x, x));
  for (const char *name : {"residual0", "residual1"})
    x = x + modules[name]->as<torch::nn::Linear>()->forward(x).relu();
  auto first = run("decoder0", x).sum(0).squeeze(1), second = run("decoder1", x).sum(0).squeeze(1);
  return torch::where(batch.head == 0, first, second);
}

TEST(SequenceNetwork, ComputesAllPadding) {
  torch::manual_seed(1);
  SequenceNetwork network(width, /*decoders=*/2);
  RowBatch batch = makeBatch();
  auto expected = reference(network, batch), scores = network.predict(batch);
  EXPECT_TRUE(torch::allclose(scores, expected, 1e-4, 1e-5)) << scores << expected;
  auto weights = network.parameters();
  auto wanted = torch::autograd::grad({expected.square().sum()}, weights);
  auto gradients = torch::autograd::grad({scores.square().sum()}, weights);
  for (size_t i = 0; i < weights.size(); ++i)
    EXPECT_TRUE(torch::allclose(gradients[i], wanted[i], 1e-3, 1e-4)) << i;
}

TEST(SequenceNetwork, MaskIsTheSameAsNoPadding) {
  torch::manual_seed(1);
  SequenceNetwork network(width, /*decoders=*/1, /*hasMask=*/true);
  RowBatch batch = makeBatch();
  auto scores = network.predict(batch);
  EXPECT_EQ(scores[0].item<float>(), 0); // nothing but padding
  RowBatch alone = batch;
  alone.rows = batch.sequences()[2].narrow(0, 0, 4);
  alone.head = torch::zeros({1}, torch::kLong);
  alone.programs = 1;
  EXPECT_NEAR(network.predict(alone)[0].item<float>(), scores[2].item<float>(), 1e-5);
}

} // namespace
