//===- Assignment.cpp - Attention over what levels are assigned of axes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The network of the assignment-feature tuner is published as "attention" without sizes. Here: two
/// layers of 64 and 128, four heads with residual, the sum, two layers.
///
//===----------------------------------------------------------------------===//

#include "RowNetwork.h"
#include "SequenceNetwork.h"

using namespace ucmoh;
namespace nn = torch::nn;

static constexpr int64_t hidden = 128;

namespace {

class AssignmentNetwork : public RowNetwork {
public:
  explicit AssignmentNetwork(int64_t width) {
    encoder = register_module("encoder", nn::Sequential(nn::Linear(width, 64), nn::ReLU(),
                                                        nn::Linear(64, hidden), nn::ReLU()));
    attention = register_module("attention", nn::MultiheadAttention(hidden, 4));
    decoder = register_module(
        "decoder", nn::Sequential(nn::Linear(hidden, hidden), nn::ReLU(), nn::Linear(hidden, 1)));
  }
  torch::Tensor predict(const RowBatch &batch) override {
    auto x = encoder->forward(batch.sequences());
    x = x + attend(attention, x, torch::ones({x.size(1)}));
    return decoder->forward(x.sum(1)).squeeze(1);
  }

private:
  nn::Sequential encoder = nullptr, decoder = nullptr;
  nn::MultiheadAttention attention = nullptr;
};

} // namespace

llvm::Error ucmoh::fitAssignment(const Dataset &data, const BaselineOptions &options) {
  return fitNew<AssignmentNetwork>(RowInputs(data), RowSettings(), options);
}

llvm::Expected<std::vector<float>> ucmoh::scoreAssignment(llvm::StringRef weights,
                                                          const Dataset &data) {
  return scoreNew<AssignmentNetwork>(RowInputs(data), weights);
}
