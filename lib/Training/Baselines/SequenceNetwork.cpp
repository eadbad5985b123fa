//===- SequenceNetwork.cpp - TLP's network over a sequence
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SequenceNetwork.h"

using namespace ucmoh;
namespace nn = torch::nn;

static constexpr int64_t hidden = 256, attentionHeads = 8;

SequenceNetwork::SequenceNetwork(int64_t width, int64_t decoders) {
  encoder = register_module("encoder",
                            nn::Sequential(nn::Linear(width, 64), nn::ReLU(), nn::Linear(64, 128),
                                           nn::ReLU(), nn::Linear(128, hidden), nn::ReLU(),
                                           nn::Linear(hidden, hidden), nn::ReLU()));
  attention = register_module("attention", nn::MultiheadAttention(hidden, attentionHeads));
  for (const char *name : {"residual0", "residual1"})
    residuals.push_back(register_module(name, nn::Linear(hidden, hidden)));
  for (int64_t number = 0; number < decoders; ++number)
    this->decoders.push_back(register_module(
        "decoder" + std::to_string(number),
        nn::Sequential(nn::Linear(hidden, hidden), nn::ReLU(), nn::Linear(hidden, 128), nn::ReLU(),
                       nn::Linear(128, 64), nn::ReLU(), nn::Linear(64, 1))));
}

torch::Tensor SequenceNetwork::predict(const RowBatch &batch) {
  auto x = encoder->forward(batch.sequences()).transpose(0, 1); // rows first
  x = x + std::get<0>(attention->forward(x, x, x, {}, /*need_weights=*/false));
  for (nn::Linear &residual : residuals)
    x = x + residual->forward(x).relu();
  auto scores = torch::zeros({batch.programs});
  for (size_t number = 0; number < decoders.size(); ++number) {
    auto own = (batch.head == static_cast<int64_t>(number)).nonzero().squeeze(1);
    if (own.size(0) > 0)
      scores = scores.index_add(
          0, own, decoders[number]->forward(x.index_select(1, own)).sum(0).squeeze(1));
  }
  return scores;
}
