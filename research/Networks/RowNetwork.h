//===- RowNetwork.h - Networks that read rows of features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_NETWORKS_ROWNETWORK_H
#define UCMOH_RESEARCH_NETWORKS_ROWNETWORK_H

#include "Models.h"
#include <torch/torch.h>

namespace ucmoh {

/// P programs with R rows in all, one program behind the other.
struct RowBatch {
  torch::Tensor rows;    ///< [R, width]
  torch::Tensor program; ///< [R]: whose row it is, 0 to P - 1
  torch::Tensor head;    ///< [P]: of a network with several
  torch::Tensor base;    ///< [P]: what predictions are added to
  int64_t programs = 0;

  /// [P, rows of a program, width]: all have as many.
  torch::Tensor sequences() const { return rows.view({programs, -1, rows.size(1)}); }
};

/// Holds what a network reads of a data set.
struct RowInputs {
  const Dataset &data;
  torch::Tensor rows;        ///< [R, width]
  std::vector<int64_t> head; ///< [P]
  std::vector<float> base;   ///< [P]

  /// The features of the data, head 0 and base 0.
  explicit RowInputs(const Dataset &data);
  RowBatch batch(llvm::ArrayRef<int64_t> programs) const;
};

class RowNetwork : public torch::nn::Module {
public:
  virtual torch::Tensor predict(const RowBatch &batch) = 0; ///< [P], higher is better
  /// Called once, before training: for buffers that are made from the data.
  virtual void prepare(const RowInputs &) {}
};

/// Returns each column's largest absolute value, 1 where all are 0.
torch::Tensor largestOf(const torch::Tensor &rows);

/// The settings of a training; the defaults are those that TenSet, TLP and UniCoMo share.
struct RowSettings {
  int64_t epochs = 50, batch = 1024;
  double rate = 7e-4, decay = 1e-6, clip = 0.5;
  bool squaresErrors = false; ///< squares the errors of best / seconds; else LambdaRank
};

/// Trains with Adam and writes parameters and buffers to options.output. One loss for each head,
/// added.
llvm::Error fitNetwork(RowNetwork &network, const RowInputs &inputs, const RowSettings &settings,
                       const BaselineOptions &options);

/// Writes the weights that fitNetwork trained, with how it trained them as metadata.
llvm::Error saveNetwork(const RowNetwork &network, const Dataset &data,
                        const BaselineOptions &options, int64_t epochs);
/// Errors: a file that lacks a parameter, or has one of another shape.
llvm::Expected<std::vector<float>> scoreNetwork(RowNetwork &network, const RowInputs &inputs,
                                                llvm::StringRef weights);

/// The same with a network that is made for it: Network(width of the rows, more...).
template <class Network, class... More>
llvm::Error fitNew(const RowInputs &inputs, const RowSettings &settings,
                   const BaselineOptions &options, More... more) {
  torch::manual_seed(options.seed);
  Network network(inputs.rows.size(1), more...);
  return fitNetwork(network, inputs, settings, options);
}
template <class Network, class... More>
llvm::Expected<std::vector<float>> scoreNew(const RowInputs &inputs, llvm::StringRef weights,
                                            More... more) {
  Network network(inputs.rows.size(1), more...);
  return scoreNetwork(network, inputs, weights);
}

} // namespace ucmoh

#endif // UCMOH_RESEARCH_NETWORKS_ROWNETWORK_H
