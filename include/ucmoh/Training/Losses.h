//===- Losses.h - What training makes small
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_LOSSES_H
#define UCMOH_TRAINING_LOSSES_H

#include <torch/torch.h>

namespace ucmoh {

/// Lists as rows: values [L, N], padded where `mask` is 0.
struct PaddedLists {
  torch::Tensor predicted; ///< log2 of nanoseconds
  torch::Tensor target;    ///< the same as measured
  torch::Tensor mask;      ///< 1 where there is a program, else 0
};

/// LambdaRank, summed over the lists. With scores s = -slope * predicted, labels
/// y = best / seconds, positions p = 1, 2, … by score, D_p = log2(1 + p) and
/// G_p = (2^(gain * y_p) - 1) / (the sum of (2^(gain * y) - 1) / D of the ideal order):
///
///   -sum over y_i > y_j of |1 / D_i - 1 / D_j| * |G_i - G_j| * log2(sigmoid(s_i - s_j))
///
/// With gain and slope 1 this is the published form. It grows with the length of the list, so that
/// regression beside it counts for less in long lists; with `mean`, the sum of each list is divided
/// by the sum of its weights.
torch::Tensor lambdaRank(const PaddedLists &lists, double gain, double slope, bool mean = false);

/// Squared error of the prediction less its mean over the list, and of that mean with the weight
/// `bias`; averaged over each list with weights y^emphasis, summed over the lists.
torch::Tensor regression(const PaddedLists &lists, double emphasis, double bias);

} // namespace ucmoh

#endif // UCMOH_TRAINING_LOSSES_H
