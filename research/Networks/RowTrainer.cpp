//===- RowTrainer.cpp - Trains networks that read rows of features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowNetwork.h"
#include "ucmoh/Training/Losses.h"
#include "ucmoh/Training/TorchNetwork.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <random>

using namespace ucmoh;

/// As published: one list, all pairs, the sum. The labels best / seconds are of several tasks; the
/// best of them counts as 1.
static torch::Tensor rankLoss(const torch::Tensor &scores, const torch::Tensor &labels) {
  PaddedLists list{-scores.unsqueeze(0), -labels.log2().unsqueeze(0),
                   torch::ones({1, labels.size(0)})};
  return lambdaRank(list, /*gain=*/1, /*slope=*/1);
}

namespace {

class RowTrainer {
public:
  RowTrainer(RowNetwork &network, const RowInputs &inputs, const RowSettings &settings,
             const BaselineOptions &options)
      : network(network), inputs(inputs), options(options), settings(settings),
        optimizer(network.parameters(),
                  torch::optim::AdamOptions(settings.rate).weight_decay(settings.decay)),
        labels(trainingLabels(inputs.data, options)), random(options.seed) {
    if (options.epochs)
      this->settings.epochs = options.epochs;
  }
  llvm::Error run();

private:
  /// Programs whose order a step learns. All of one step are together in a batch.
  using Group = std::vector<int64_t>;
  std::vector<Group> groups();
  double step(llvm::ArrayRef<Group> groups);
  torch::Tensor lossOf(const torch::Tensor &scores, const torch::Tensor &labels) const {
    return settings.squaresErrors ? (scores - labels).square().mean() : rankLoss(scores, labels);
  }

  RowNetwork &network;
  const RowInputs &inputs;
  const BaselineOptions &options;
  RowSettings settings;
  torch::optim::Adam optimizer;
  std::vector<float> labels;
  std::mt19937_64 random;
};

} // namespace

/// In a new order: the lists, or the programs of all lists, a batch each.
std::vector<RowTrainer::Group> RowTrainer::groups() {
  std::vector<Group> lists;
  Group all;
  for (ProgramList &list : listsToLearn(inputs.data, options.split, options.without)) {
    llvm::append_range(all, list.programs);
    lists.push_back(std::move(list.programs));
  }
  std::shuffle(lists.begin(), lists.end(), random);
  if (options.ranksTasks)
    return lists;
  std::shuffle(all.begin(), all.end(), random);
  lists.clear();
  for (size_t begin = 0; begin < all.size(); begin += settings.batch) {
    size_t end = std::min(all.size(), begin + settings.batch);
    lists.emplace_back(all.begin() + begin, all.begin() + end);
  }
  return lists;
}

double RowTrainer::step(llvm::ArrayRef<Group> groups) {
  Group all;
  for (const Group &group : groups)
    llvm::append_range(all, group);
  RowBatch batch = inputs.batch(all);
  std::vector<float> wanted;
  for (int64_t program : all)
    wanted.push_back(labels[program]);
  torch::Tensor scores = network.predict(batch) + batch.base, y = torch::tensor(wanted);
  torch::Tensor loss = torch::zeros({});
  int64_t heads = batch.head.max().item<int64_t>() + 1, begin = 0;
  for (const Group &group : groups) {
    int64_t size = group.size();
    for (int64_t head = 0; head < heads; ++head) {
      auto own = (batch.head.narrow(0, begin, size) == head).nonzero().squeeze(1) + begin;
      if (own.size(0) > 1)
        loss = loss + lossOf(scores.index_select(0, own), y.index_select(0, own));
    }
    begin += size;
  }
  if (!loss.requires_grad()) // a single program is left: nothing to compare it with
    return 0;
  optimizer.zero_grad();
  loss.backward();
  torch::nn::utils::clip_grad_norm_(network.parameters(), settings.clip);
  optimizer.step();
  return loss.item<double>();
}

llvm::Error RowTrainer::run() {
  prepareTorch(options.threads);
  network.prepare(inputs);
  auto start = std::chrono::steady_clock::now();
  int64_t epoch = 0;
  while (epoch < settings.epochs) {
    std::vector<Group> order = groups();
    if (order.empty())
      return llvm::createStringError("the data has no list of programs left to learn from");
    double sum = 0;
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      for (int64_t programs = 0; end < order.size() && programs < settings.batch; ++end)
        programs += order[end].size();
      sum += step(llvm::ArrayRef(order).slice(begin, end - begin));
    }
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    llvm::errs() << llvm::formatv("epoch {0}/{1}: loss {2:f4}; {3:f0} s\n", ++epoch,
                                  settings.epochs, sum / order.size(), spent.count());
    if (options.limitSeconds > 0 && spent.count() > options.limitSeconds)
      break;
  }
  return saveNetwork(network, inputs.data, options, epoch);
}

llvm::Error ucmoh::fitNetwork(RowNetwork &network, const RowInputs &inputs,
                              const RowSettings &settings, const BaselineOptions &options) {
  return RowTrainer(network, inputs, settings, options).run();
}
