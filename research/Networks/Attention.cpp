//===- Attention.cpp - Attention over the rows of a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

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
