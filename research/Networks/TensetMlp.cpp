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

using namespace ucmoh;
namespace nn = torch::nn;

static constexpr int64_t hidden = 256;

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
  void prepare(const RowInputs &inputs) override { largest.copy_(largestOf(inputs.rows)); }

private:
  torch::Tensor largest;
  nn::Sequential encoder = nullptr;
  std::vector<nn::Linear> residuals;
  nn::Linear decoder = nullptr;
};

} // namespace

llvm::Error ucmoh::fitTensetMlp(const Dataset &data, const BaselineOptions &options) {
  RowSettings settings;
  settings.batch = 512;
  Dataset withClass = withClasses(data);
  return fitNew<TensetMlp>(RowInputs(withClass), settings, options);
}

llvm::Expected<std::vector<float>> ucmoh::scoreTensetMlp(llvm::StringRef weights,
                                                         const Dataset &data) {
  Dataset withClass = withClasses(data);
  return scoreNew<TensetMlp>(RowInputs(withClass), weights);
}
