//===- Batch.h - Programs of several lists as tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_BATCH_H
#define UCMOH_TRAINING_BATCH_H

#include "ucmoh/Training/Selection.h"
#include <torch/torch.h>

namespace ucmoh {

/// A data set as the network reads it.
struct NetworkData {
  torch::Tensor inputs;        ///< [R, networkInputCount], log2(1 + input)
  torch::Tensor used;          ///< [networkInputCount], 0 where an input is taken away, else 1
  std::vector<float> roofline; ///< [P], log2 of nanoseconds
  std::vector<float> target;   ///< [P], log2 of the measured nanoseconds

  /// Error: the features are not those of this build.
  static llvm::Expected<NetworkData> create(const Dataset &data);
  /// Makes the inputs of these groups (networkInputGroups()) zero everywhere. Error: no such group.
  llvm::Error ablate(llvm::ArrayRef<std::string> groups);
};

/// P programs with R statements in L lists. Programs of as many statements are a block, so that
/// nothing is padded where the network compares statements; lists are padded and masked.
struct Batch {
  /// Programs with as many statements.
  struct Block {
    int64_t programs, statements; ///< each program has so many statements
  };
  std::vector<int64_t> programs; ///< [P], into the dataset
  std::vector<Block> blocks;     ///< these programs, in their order
  torch::Tensor inputs;          ///< [R, networkInputCount]: statement by statement
  torch::Tensor roofline;        ///< [P]
  torch::Tensor target;          ///< [P]

  torch::Tensor programOf;   ///< [L, most programs] -> P; 0 where padded
  torch::Tensor programMask; ///< [L, most programs], 1 or 0
};

/// The programs of these lists, as one batch.
Batch makeBatch(const Dataset &data, const NetworkData &network, llvm::ArrayRef<ProgramList> lists);

} // namespace ucmoh

#endif // UCMOH_TRAINING_BATCH_H
