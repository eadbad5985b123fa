//===- TensetMlp.cpp - TenSet's network over statements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each statement through two layers, their sum through two more with residuals. Features are
/// divided by their largest value in the training data; ten more are the class of the task,
/// one-hot.
///
//===----------------------------------------------------------------------===//

#include "RowNetwork.h"
#include "llvm/Support/xxhash.h"

using namespace ucmoh;
namespace nn = torch::nn;

static constexpr int64_t hidden = 256, tags = 10;

namespace {

class TensetMlp : public RowNetwork {
public:
  explicit TensetMlp(int64_t width) {
    largest = register_buffer("largest", torch::ones({width}));
    encoder = register_module("encoder", nn::Sequential(nn::Linear(width, hidden), nn::ReLU(),
                                                        nn::Linear(hidden, hidden), nn::ReLU()));
    for (const char *name : {"residual0", "residual1"})
      residuals.push_back(register_module(name, nn::Linear(hidden, hidden)));
    decoder = register_module("decoder", nn::Linear(hidden, 1));
  }
  torch::Tensor predict(const RowBatch &batch) override {
    auto rows = encoder->forward(batch.rows / largest);
    auto x = torch::zeros({batch.programs, hidden}).index_add(0, batch.program, rows);
    for (nn::Linear &residual : residuals)
      x = x + residual->forward(x).relu();
    return decoder->forward(x).squeeze(1);
  }
  torch::Tensor largest;

private:
  nn::Sequential encoder = nullptr;
  std::vector<nn::Linear> residuals;
  nn::Linear decoder = nullptr;
};

} // namespace

/// With the class of the task in ten columns.
static RowInputs inputsOf(const Dataset &data) {
  RowInputs inputs(data);
  torch::Tensor classes = torch::zeros({data.offsets.back(), tags});
  for (int64_t program = 0; program < data.programs(); ++program) {
    const std::string &name = data.tasks[data.task[program]].workloadClass;
    int64_t first = data.offsets[program], count = data.offsets[program + 1] - first;
    classes.narrow(0, first, count).select(1, llvm::xxh3_64bits(name) % tags).fill_(1);
  }
  inputs.rows = torch::cat({inputs.rows, classes}, 1);
  return inputs;
}

llvm::Error ucmoh::fitTensetMlp(const Dataset &data, const BaselineOptions &options) {
  torch::manual_seed(options.seed);
  RowInputs inputs = inputsOf(data);
  TensetMlp network(inputs.rows.size(1));
  auto largest = std::get<0>(inputs.rows.abs().max(0));
  network.largest.copy_(torch::where(largest > 0, largest, torch::ones_like(largest)));
  RowSettings settings;
  settings.batch = 512;
  return fitNetwork(network, inputs, settings, options);
}

llvm::Expected<std::vector<float>> ucmoh::scoreTensetMlp(llvm::StringRef weights,
                                                         const Dataset &data) {
  RowInputs inputs = inputsOf(data);
  TensetMlp network(inputs.rows.size(1));
  return scoreNetwork(network, inputs, weights);
}
