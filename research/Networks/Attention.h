//===- Attention.h - Attention over the rows of a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_NETWORKS_ATTENTION_H
#define UCMOH_RESEARCH_NETWORKS_ATTENTION_H

#include <torch/torch.h>

namespace ucmoh {

/// What the rows of each program learn of each other: x is [programs, rows, width], and so is the
/// result. Row r counts `times[r]` times as what is looked at. Unlike the module's own forward, no
/// row is moved between layouts and no matrix of weights is kept.
torch::Tensor attend(torch::nn::MultiheadAttention &module, const torch::Tensor &x,
                     const torch::Tensor &times);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_NETWORKS_ATTENTION_H
