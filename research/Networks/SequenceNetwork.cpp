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

SequenceNetwork::SequenceNetwork(int64_t width, int64_t decoders, bool hasMask) : hasMask(hasMask) {
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

/// [P]: rows of each sequence up to the last that is not all zeros.
static torch::Tensor lengthsOf(const torch::Tensor &sequences) {
  auto places = torch::arange(1, sequences.size(1) + 1);
  return ((sequences != 0).any(2) * places).amax(1);
}

torch::Tensor SequenceNetwork::encode(const torch::Tensor &rows, const torch::Tensor &times) {
  auto x = encoder->forward(rows);
  x = x + attend(attention, x, times);
  for (nn::Linear &residual : residuals)
    x = x + residual->forward(x).relu();
  return x;
}

torch::Tensor SequenceNetwork::decode(const torch::Tensor &encoded, const torch::Tensor &head) {
  if (decoders.size() == 1)
    return decoders.front()->forward(encoded).squeeze(2);
  auto scores = torch::zeros({encoded.size(0), encoded.size(1)});
  for (size_t number = 0; number < decoders.size(); ++number) {
    auto own = (head == static_cast<int64_t>(number)).nonzero().squeeze(1);
    if (own.size(0) > 0)
      scores = scores.index_add(0, own,
                                decoders[number]->forward(encoded.index_select(0, own)).squeeze(2));
  }
  return scores;
}

/// Programs with as many rows are computed together.
torch::Tensor SequenceNetwork::predict(const RowBatch &batch) {
  auto sequences = batch.sequences(), lengths = lengthsOf(sequences);
  auto scores = torch::zeros({batch.programs});
  int64_t all = sequences.size(1);
  for (int64_t length = 0; length <= all; ++length) {
    auto own = (lengths == length).nonzero().squeeze(1);
    int64_t padding = hasMask ? 0 : all - length, rows = length + (padding > 0);
    if (own.size(0) == 0 || rows == 0)
      continue;
    auto times = torch::ones({rows});
    if (padding > 0)
      times[length] = padding;
    auto encoded = encode(sequences.narrow(1, 0, rows).index_select(0, own), times);
    auto values = decode(encoded, batch.head.index_select(0, own));
    scores = scores.index_add(0, own, torch::matmul(values, times));
  }
  return scores;
}

torch::Tensor ucmoh::attend(torch::nn::MultiheadAttention &module, const torch::Tensor &x,
                            const torch::Tensor &times) {
  int64_t programs = x.size(0), rows = x.size(1), width = x.size(2);
  int64_t heads = module->options.num_heads();
  // [query, key or value; programs, heads, rows, width of a head]
  auto inputs = torch::linear(x, module->in_proj_weight, module->in_proj_bias)
                    .view({programs, rows, 3, heads, width / heads})
                    .permute({2, 0, 3, 1, 4});
  auto logits =
      torch::matmul(inputs[0] * std::sqrt(1.0 * heads / width), inputs[1].transpose(2, 3));
  auto seen = torch::matmul(torch::softmax(logits + times.log(), 3), inputs[2]);
  return module->out_proj->forward(seen.transpose(1, 2).reshape(x.sizes()));
}
