//===- Unicomo.cpp - UniCoMo: TLP's network over behaviours
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SequenceNetwork.h"

using namespace ucmoh;

llvm::Error ucmoh::fitUnicomo(const Dataset &data, const BaselineOptions &options) {
  torch::manual_seed(options.seed);
  SequenceNetwork network(data.width);
  return fitNetwork(network, RowInputs(data), RowSettings(), options);
}

llvm::Expected<std::vector<float>> ucmoh::scoreUnicomo(llvm::StringRef weights,
                                                       const Dataset &data) {
  SequenceNetwork network(data.width);
  return scoreNetwork(network, RowInputs(data), weights);
}
