//===- BlockOperationsTest.cpp - Values and gradients as LibTorch's own operations have them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockOperations.h"
#include "gtest/gtest.h"

using namespace ucmoh;

namespace {

/// Two programs of one row, one of three, two of five.
const std::vector<Batch::Block> blocks = {{2, 1}, {1, 3}, {2, 5}};
constexpr int64_t rows = 15, width = 16;

/// Concatenates what `perBlock` makes of each block's rows as [programs, statements, width].
template <class F> torch::Tensor byBlock(F perBlock) {
  std::vector<torch::Tensor> parts;
  int64_t row = 0;
  for (auto [programs, statements] : blocks) {
    parts.push_back(perBlock([&, count = programs, size = statements](const torch::Tensor &x) {
      return x.narrow(0, row, count * size).view({count, size, x.size(1)});
    }));
    row += programs * statements;
  }
  return torch::cat(parts);
}

/// Values are alike, and so are the gradients of a sum in which each element counts differently.
void expectAlike(const torch::Tensor &one, const torch::Tensor &other, const torch::Tensor &input) {
  ASSERT_EQ(one.sizes(), other.sizes());
  EXPECT_TRUE(torch::allclose(one, other, 1e-5, 1e-6));
  torch::Tensor weights = torch::randn(one.sizes());
  auto gradient = [&](const torch::Tensor &value) {
    return torch::autograd::grad({(value * weights).sum()}, {input}).front();
  };
  EXPECT_TRUE(torch::allclose(gradient(one), gradient(other), 1e-4, 1e-5));
}

/// The operands are parts of wider rows, as the network has them.
TEST(BlockOperations, AttendRows) {
  torch::manual_seed(1);
  torch::Tensor input = torch::randn({rows, 3 * width}).requires_grad_();
  std::vector<torch::Tensor> parts = input.split(width, 1);
  torch::Tensor expected = byBlock([&](auto block) {
    torch::Tensor scores = torch::matmul(block(parts[0]), block(parts[1]).transpose(1, 2));
    return torch::matmul((scores / 4).softmax(2), block(parts[2])).flatten(0, 1);
  });
  expectAlike(attendRows(parts[0], parts[1], parts[2], blocks), expected, input);
}

TEST(BlockOperations, SumRows) {
  torch::manual_seed(1);
  torch::Tensor input = torch::randn({rows, width}).requires_grad_();
  torch::Tensor expected = byBlock([&](auto block) { return block(input).sum(1); });
  ASSERT_EQ(expected.size(0), 5);
  expectAlike(sumRows(input, blocks), expected, input);
}

} // namespace
