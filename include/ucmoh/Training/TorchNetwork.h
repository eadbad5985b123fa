//===- TorchNetwork.h - The network in LibTorch
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_TORCHNETWORK_H
#define UCMOH_TRAINING_TORCHNETWORK_H

#include "ucmoh/CostModel/NetworkParameters.h"
#include "ucmoh/CostModel/Safetensors.h"
#include "ucmoh/Training/Batch.h"
#include <cstdint>

namespace ucmoh {

/// Sets the threads of LibTorch, and keeps large temporaries in the heap: each step has the same
/// ones, and a tenth of the time would go to pages that the system takes and gives.
void prepareTorch(int64_t threads);

/// Network.h with weights that can be trained. The first layer is trained on inputs that are
/// normalized to mean 0 and deviation 1 over the data; files have the equivalent layer for inputs
/// as they are, and the normalization, with which training continues from them.
class TorchNetwork {
public:
  /// Random weights that predict the roofline. What never varies in the data gets no weight: on
  /// another machine it would add noise.
  TorchNetwork(const NetworkData &data, uint64_t seed);
  /// Replaces the weights. Errors: those of NetworkModel::create.
  llvm::Error load(llvm::StringRef path);
  llvm::Error save(llvm::StringRef path, TensorMetadata metadata) const;

  /// The same weights, trained together with this network's, but for copies of the last `count`
  /// parameters, which are trained apart.
  TorchNetwork withOwnLast(size_t count) const;

  /// [P]: log2 of nanoseconds.
  torch::Tensor predict(const Batch &batch) const;
  /// In the order of networkParameters().
  const std::vector<torch::Tensor> &parameters() const { return weights; }

private:
  /// The weights as files have them.
  torch::Tensor weight(size_t number) const;

  std::vector<NetworkParameter> shapes = networkParameters();
  std::vector<torch::Tensor> weights;
  torch::Tensor mean, deviation; ///< [networkInputCount], of log2(1 + input)
  torch::Tensor used;            ///< [networkInputCount], NetworkData::used
};

} // namespace ucmoh

#endif // UCMOH_TRAINING_TORCHNETWORK_H
