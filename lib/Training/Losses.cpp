//===- Losses.cpp - What training makes small
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Losses.h"
#include <cmath>

using namespace ucmoh;

/// A list whose programs are all as fast has this weight: it has no pairs.
static constexpr double leastWeight = 1e-9;

/// Best seconds of the list / seconds; 0 where padded.
static torch::Tensor labels(const PaddedLists &lists) {
  auto best = lists.target.masked_fill(lists.mask == 0, INFINITY).amin(1, /*keepdim=*/true);
  return torch::exp2(best - lists.target) * lists.mask;
}

/// 1 / log2(1 + p) for p = 1, 2, …
static torch::Tensor discounts(int64_t count) {
  return 1 / torch::log2(torch::arange(2, count + 2, torch::kFloat));
}

torch::Tensor ucmoh::lambdaRank(const PaddedLists &lists, double gain, double slope, bool mean) {
  auto y = labels(lists);
  auto scores = (-slope * lists.predicted).masked_fill(lists.mask == 0, -1e30);
  auto order = std::get<1>(scores.detach().sort(/*stable=*/true, 1, /*descending=*/true));
  auto s = scores.gather(1, order);
  auto sorted = y.gather(1, order), mask = lists.mask.gather(1, order);
  auto discount = discounts(y.size(1));
  auto gains = torch::exp2(gain * sorted) - 1;
  auto ideal = std::get<0>(gains.sort(1, /*descending=*/true)) * discount;
  gains = gains / ideal.sum(1, /*keepdim=*/true);
  auto weight = (discount.unsqueeze(1) - discount.unsqueeze(0)).abs() *
                (gains.unsqueeze(2) - gains.unsqueeze(1)).abs();
  auto isPair = (sorted.unsqueeze(2) > sorted.unsqueeze(1)) * mask.unsqueeze(2) * mask.unsqueeze(1);
  auto difference = (s.unsqueeze(2) - s.unsqueeze(1)).masked_fill(isPair == 0, 0);
  auto loss = torch::nn::functional::softplus(-difference) / std::log(2.0);
  weight = weight * isPair;
  auto sums = (weight * loss).sum({1, 2});
  if (mean)
    sums = sums / weight.sum({1, 2}).clamp_min(leastWeight);
  return sums.sum();
}

torch::Tensor ucmoh::regression(const PaddedLists &lists, double emphasis, double bias) {
  auto weight = labels(lists).pow(emphasis) * lists.mask;
  weight = weight / weight.sum(1, /*keepdim=*/true);
  auto error = (lists.predicted - lists.target) * lists.mask;
  auto mean = (weight * error).sum(1, /*keepdim=*/true);
  return (weight * (error - mean).square()).sum() + bias * mean.square().sum();
}
