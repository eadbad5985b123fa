//===- Learner.h - The network learns step after step
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_LIFELONG_LEARNER_H
#define UCMOH_RESEARCH_LIFELONG_LEARNER_H

#include "Lifelong/Methods.h"
#include "Lifelong/Steps.h"
#include "ucmoh/Training/TorchNetwork.h"
#include <random>

namespace ucmoh {

/// How a step is learned.
struct LifelongSettings {
  double lambda = 0;             ///< weight of what holds; importance has a mean of 1
  double mix = 1;                ///< weight of what is rehearsed
  int64_t epochs = 15;           ///< passes over each step
  double firstRate = 2e-3;       ///< highest learning rate of the first step
  double rate = 1e-3;            ///< the other steps' highest learning rate
  int64_t programsPerStep = 128; ///< new ones; and as many that are rehearsed
  int64_t rehearsed = 2400;      ///< programs of the former steps together, drawn or stored
  uint64_t seed = 1;             ///< draws weights and order
};

/// A network, and what keeps it from forgetting.
class LifelongLearner {
public:
  /// Inputs are normalized as the programs of the first lists need it.
  LifelongLearner(const Dataset &data, const NetworkData &inputs, llvm::ArrayRef<ProgramList> first,
                  const LifelongMethod &method, const LifelongSettings &settings);
  /// Learns these lists behind the steps `former`, of which stored or drawn lists may be used.
  void learn(llvm::ArrayRef<ProgramList> lists, llvm::ArrayRef<LifelongStep> former);
  /// Learns all steps at once, with last layers of each step's own.
  void learnHeads(llvm::ArrayRef<LifelongStep> steps);
  /// The prediction of each program of the lists, by the head of a step where there are heads; of
  /// others 0.
  std::vector<float> predict(llvm::ArrayRef<ProgramList> lists, size_t step = 0) const;

private:
  using Tensors = std::vector<torch::Tensor>;
  /// How much each weight counts, and where it is held.
  struct Anchor {
    Tensors importance, weights;
  };
  torch::Tensor loss(const Batch &batch, const torch::Tensor &predicted) const;
  torch::Tensor held() const;
  std::vector<ProgramList> rehearsed(llvm::ArrayRef<LifelongStep> former);
  Tensors importance(llvm::ArrayRef<ProgramList> lists) const;
  void addAnchor(llvm::ArrayRef<ProgramList> lists);
  Tensors trainable(bool isFirst) const;
  /// Trains these parameters through all epochs. `sum` is the loss of the `step`th of `steps`.
  void descend(const Tensors &parameters, double highestRate, size_t steps,
               llvm::function_ref<torch::Tensor(size_t step, size_t steps)> sum,
               llvm::function_ref<void()> shuffle);

  const Dataset &data;
  NetworkData inputs;
  const LifelongMethod &method;
  const LifelongSettings &settings;
  TorchNetwork network;
  std::vector<TorchNetwork> heads; ///< one for each step, if the method has any
  std::mt19937_64 random;
  std::vector<Anchor> anchors;
};

} // namespace ucmoh

#endif // UCMOH_RESEARCH_LIFELONG_LEARNER_H
