//===- RowNetwork.h - Networks that read rows of features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRAINING_BASELINES_ROWNETWORK_H
#define UCMOH_LIB_TRAINING_BASELINES_ROWNETWORK_H

#include "Models.h"
#include <torch/torch.h>

namespace ucmoh {

/// P programs with R rows in all, one program behind the other.
struct RowBatch {
  torch::Tensor rows;    ///< [R, width]
  torch::Tensor program; ///< [R]: whose row it is, 0 to P - 1
  torch::Tensor head;    ///< [P]: of a network with several
  int64_t programs = 0;

  /// [P, rows of a program, width]: all have as many.
  torch::Tensor sequences() const { return rows.view({programs, -1, rows.size(1)}); }
};

class RowNetwork : public torch::nn::Module {
public:
  virtual torch::Tensor predict(const RowBatch &batch) = 0; ///< [P], higher is better
};

/// What a network reads of a data set.
struct RowInputs {
  const Dataset &data;
  torch::Tensor rows;        ///< [R, width]
  std::vector<int64_t> head; ///< [P]

  /// The features of the data, and head 0.
  explicit RowInputs(const Dataset &data);
  RowBatch batch(llvm::ArrayRef<int64_t> programs) const;
};

/// Of training; the defaults are those that TenSet, TLP and UniCoMo share.
struct RowSettings {
  int64_t epochs = 50, batch = 1024;
  double rate = 7e-4, decay = 1e-6, clip = 0.5;
};

/// Trains with Adam on LambdaRank and writes parameters and buffers to options.output. One loss for
/// each head, added.
llvm::Error fitNetwork(RowNetwork &network, const RowInputs &inputs, const RowSettings &settings,
                       const BaselineOptions &options);

/// Errors: a file that lacks a parameter, or has one of another shape.
llvm::Expected<std::vector<float>> scoreNetwork(RowNetwork &network, const RowInputs &inputs,
                                                llvm::StringRef weights);

} // namespace ucmoh

#endif // UCMOH_LIB_TRAINING_BASELINES_ROWNETWORK_H
