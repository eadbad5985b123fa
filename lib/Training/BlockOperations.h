//===- BlockOperations.h - What the network does across the rows of a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One operation of LibTorch for a whole batch. Programs have few rows: with LibTorch's own
/// operations, some for each block, most of a step of training goes to starting them.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRAINING_BLOCKOPERATIONS_H
#define UCMOH_LIB_TRAINING_BLOCKOPERATIONS_H

#include "ucmoh/Training/Batch.h"

namespace ucmoh {

/// softmax(query * keyᵀ / sqrt(width)) * value over the rows of each program; f32, all [R, width].
torch::Tensor attendRows(const torch::Tensor &query, const torch::Tensor &key,
                         const torch::Tensor &value, llvm::ArrayRef<Batch::Block> blocks);

/// The sum over the rows of each program: f32, [R, width] to [P, width].
torch::Tensor sumRows(const torch::Tensor &rows, llvm::ArrayRef<Batch::Block> blocks);

} // namespace ucmoh

#endif // UCMOH_LIB_TRAINING_BLOCKOPERATIONS_H
