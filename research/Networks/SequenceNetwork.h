//===- SequenceNetwork.h - TLP's network over a sequence
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_NETWORKS_SEQUENCENETWORK_H
#define UCMOH_RESEARCH_NETWORKS_SEQUENCENETWORK_H

#include "RowNetwork.h"
#include <torch/torch.h>

namespace ucmoh {

/// Four layers, attention of eight heads with residual, two residual layers, a decoder of four
/// layers for each of `decoders` kinds of programs, the sum over all rows. TLP's, and UniCoMo's.
///
/// Sequences end with rows of zeros, the padding. As published there is no mask: all of it is
/// attended to and summed. It is alike, so one row of it is computed, which counts as often as
/// there are such rows. With a mask there is none.
class SequenceNetwork : public RowNetwork {
public:
  explicit SequenceNetwork(int64_t width, int64_t decoders = 1, bool hasMask = false);
  torch::Tensor predict(const RowBatch &batch) override;

private:
  torch::Tensor encode(const torch::Tensor &rows, const torch::Tensor &times);
  torch::Tensor decode(const torch::Tensor &encoded, const torch::Tensor &head);

  bool hasMask;
  torch::nn::Sequential encoder = nullptr;
  torch::nn::MultiheadAttention attention = nullptr;
  std::vector<torch::nn::Linear> residuals;
  std::vector<torch::nn::Sequential> decoders;
};

/// Computes what the rows of each program learn of each other: x is [programs, rows, width], and so
/// is the result. Row r counts `times[r]` times as what is looked at. Unlike the module's own
/// forward, no row is moved between layouts and no matrix of weights is kept.
torch::Tensor attend(torch::nn::MultiheadAttention &module, const torch::Tensor &x,
                     const torch::Tensor &times);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_NETWORKS_SEQUENCENETWORK_H
