//===- TransferMlp.cpp - The transfer tuner's plain network
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the heterogeneous-transfer tuner is compared with beside trees: no network over statements
/// but layers over one vector, their sum. It learns best / seconds itself, whose root mean square
/// error that paper reports. Sizes are not published; they are TenSet's.
///
//===----------------------------------------------------------------------===//

#include "RowNetwork.h"

using namespace ucmoh;
namespace nn = torch::nn;

static constexpr int64_t hidden = 256;

namespace {

class TransferMlp : public RowNetwork {
public:
  explicit TransferMlp(int64_t width) {
    largest = register_buffer("largest", torch::ones({width}));
    layers = register_module("layers", nn::Sequential(nn::Linear(width, hidden), nn::ReLU(),
                                                      nn::Linear(hidden, hidden), nn::ReLU(),
                                                      nn::Linear(hidden, hidden), nn::ReLU(),
                                                      nn::Linear(hidden, 1)));
  }
  torch::Tensor predict(const RowBatch &batch) override {
    auto sums = torch::zeros({batch.programs, batch.rows.size(1)})
                    .index_add(0, batch.program, batch.rows / largest);
    return layers->forward(sums).squeeze(1);
  }
  void prepare(const RowInputs &inputs) override { largest.copy_(largestOf(inputs.rows)); }

private:
  nn::Sequential layers = nullptr;
  torch::Tensor largest;
};

} // namespace

llvm::Error ucmoh::fitTransferMlp(const Dataset &data, const BaselineOptions &options) {
  RowSettings settings;
  settings.batch = 512;
  settings.squaresErrors = true;
  Dataset withClass = withClasses(data);
  return fitNew<TransferMlp>(RowInputs(withClass), settings, options);
}

llvm::Expected<std::vector<float>> ucmoh::scoreTransferMlp(llvm::StringRef weights,
                                                           const Dataset &data) {
  Dataset withClass = withClasses(data);
  return scoreNew<TransferMlp>(RowInputs(withClass), weights);
}
