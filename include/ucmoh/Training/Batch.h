//===- Batch.h - Programs of several lists as tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_BATCH_H
#define UCMOH_TRAINING_BATCH_H

#include "ucmoh/Training/Dataset.h"
#include <torch/torch.h>

namespace ucmoh {

/// A data set as the network reads it.
struct NetworkData {
  torch::Tensor inputs;        ///< [R, networkInputCount]
  std::vector<float> roofline; ///< [P], log2 of nanoseconds
  std::vector<float> target;   ///< [P], log2 of the measured nanoseconds

  /// Error: the features are not those of this build.
  static llvm::Expected<NetworkData> create(const Dataset &data);
};

/// P programs with R statements in L lists. Statements are rows one behind the other, so that most
/// of the work has no padding; where programs or lists are compared they are padded and masked.
struct Batch {
  torch::Tensor inputs;   ///< [R, networkInputCount]
  torch::Tensor rowOf;    ///< [P, most statements] -> R; 0 where padded
  torch::Tensor rowMask;  ///< [P, most statements], 1 or 0
  torch::Tensor place;    ///< [R] -> P * most statements
  torch::Tensor roofline; ///< [P]
  torch::Tensor target;   ///< [P]

  torch::Tensor programOf;   ///< [L, most programs] -> P; 0 where padded
  torch::Tensor programMask; ///< [L, most programs], 1 or 0
};

Batch makeBatch(const Dataset &data, const NetworkData &network, llvm::ArrayRef<ProgramList> lists);

} // namespace ucmoh

#endif // UCMOH_TRAINING_BATCH_H
