//===- Learner.cpp - The network learns step after step
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifelong/Learner.h"
#include "ucmoh/Training/Fit.h"
#include "ucmoh/Training/Losses.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh;

/// Lists whose gradients tell what is important.
static constexpr size_t importanceLists = 150;
/// Weight and bias of the last two layers.
static constexpr size_t headParameters = 4;

/// The inputs of the lists' programs alone: what the first layer is normalized by.
static NetworkData select(const Dataset &data, const NetworkData &inputs,
                          llvm::ArrayRef<ProgramList> lists) {
  std::vector<int64_t> rows;
  for (const ProgramList &list : lists)
    for (int64_t program : list.programs)
      for (int64_t row = data.offsets[program]; row < data.offsets[program + 1]; ++row)
        rows.push_back(row);
  NetworkData part;
  part.inputs = inputs.inputs.index_select(0, torch::tensor(rows));
  part.used = inputs.used;
  return part;
}

LifelongLearner::LifelongLearner(const Dataset &data, const NetworkData &inputs,
                                 llvm::ArrayRef<ProgramList> first, const LifelongMethod &method,
                                 const LifelongSettings &settings)
    : data(data), inputs(inputs), method(method), settings(settings),
      network(select(data, inputs, first), settings.seed), random(settings.seed) {}

torch::Tensor LifelongLearner::loss(const Batch &batch, const torch::Tensor &predicted) const {
  static const FitOptions options;
  auto byList = [&](const torch::Tensor &values) {
    return values.index_select(0, batch.programOf.flatten()).view(batch.programOf.sizes());
  };
  PaddedLists lists{byList(predicted), byList(batch.target), batch.programMask};
  torch::Tensor sum = lambdaRank(lists, options.gain, options.slope, /*mean=*/true) +
                      regression(lists, options.regressionEmphasis, options.biasWeight);
  return sum / batch.programOf.size(0);
}

/// lambda * the sum over anchors and weights of importance * distance².
torch::Tensor LifelongLearner::held() const {
  torch::Tensor sum = torch::zeros({});
  for (const Anchor &anchor : anchors)
    for (auto [weight, importance, at] :
         llvm::zip_equal(network.parameters(), anchor.importance, anchor.weights))
      sum = sum + (importance * (weight - at).square()).sum();
  return settings.lambda * sum;
}

std::vector<float> LifelongLearner::predict(llvm::ArrayRef<ProgramList> lists, size_t step) const {
  torch::NoGradGuard noGradients;
  const TorchNetwork &judged = heads.empty() ? network : heads[step];
  std::vector<float> predicted(data.programs());
  for (size_t begin = 0; begin < lists.size(); begin += 64) {
    Batch batch =
        makeBatch(data, inputs, lists.slice(begin, std::min<size_t>(64, lists.size() - begin)));
    torch::Tensor values = judged.predict(batch).contiguous();
    for (auto [position, program] : llvm::enumerate(batch.programs))
      predicted[program] = values.data_ptr<float>()[position];
  }
  return predicted;
}

/// As many programs of each former step. Drawn ones get the labels of the network as it is.
std::vector<ProgramList> LifelongLearner::rehearsed(llvm::ArrayRef<LifelongStep> former) {
  std::vector<ProgramList> all;
  for (const LifelongStep &step : former) {
    std::vector<ProgramList> lists = method.rehearse == Rehearse::Drawn ? step.drawn : step.train;
    // Stored programs stay the same, and drawn ones are drawn anew.
    if (method.rehearse == Rehearse::Drawn)
      std::shuffle(lists.begin(), lists.end(), random);
    int64_t programs = 0;
    for (ProgramList &list : lists) {
      if (programs * static_cast<int64_t>(former.size()) >= settings.rehearsed)
        break;
      programs += list.programs.size();
      all.push_back(std::move(list));
    }
  }
  if (method.rehearse == Rehearse::Drawn) {
    std::vector<float> labels = predict(all);
    for (const ProgramList &list : all)
      for (int64_t program : list.programs)
        inputs.target[program] = labels[program];
  }
  return all;
}

/// Fisher: squared gradients of the loss. MAS: gradients of the squared correction. Both of one
/// list at a time, with a mean of 1.
LifelongLearner::Tensors LifelongLearner::importance(llvm::ArrayRef<ProgramList> lists) const {
  Tensors sums;
  double total = 0, count = 0;
  for (const torch::Tensor &weight : network.parameters())
    sums.push_back(method.hold == Hold::Alike ? torch::ones_like(weight)
                                              : torch::zeros_like(weight));
  if (method.hold == Hold::Alike)
    return sums;
  for (const ProgramList &list : lists.take_front(importanceLists)) {
    Batch batch = makeBatch(data, inputs, list);
    torch::Tensor predicted = network.predict(batch);
    torch::Tensor value = method.hold == Hold::Sensitivity
                              ? (predicted - batch.roofline).square().mean()
                              : loss(batch, predicted);
    auto gradients = torch::autograd::grad({value}, network.parameters());
    for (auto [sum, gradient] : llvm::zip_equal(sums, gradients))
      sum += method.hold == Hold::Sensitivity ? gradient.abs() : gradient.square();
  }
  for (const torch::Tensor &sum : sums) {
    total += sum.sum().item<double>();
    count += sum.numel();
  }
  for (torch::Tensor &sum : sums)
    sum.mul_(total > 0 ? count / total : 0);
  return sums;
}

/// The step that was learned gets an anchor, or changes the only one.
void LifelongLearner::addAnchor(llvm::ArrayRef<ProgramList> lists) {
  Anchor anchor{importance(lists), {}};
  for (const torch::Tensor &weight : network.parameters())
    anchor.weights.push_back(weight.detach().clone());
  if (method.hold != Hold::Fisher && !anchors.empty()) {
    if (method.hold != Hold::Alike)
      for (auto [sum, former] : llvm::zip_equal(anchor.importance, anchors.front().importance))
        sum += former;
    anchors.clear();
  }
  anchors.push_back(std::move(anchor));
}

LifelongLearner::Tensors LifelongLearner::trainable(bool isFirst) const {
  const Tensors &all = network.parameters();
  return method.lastLayersOnly && !isFirst ? Tensors(all.end() - headParameters, all.end()) : all;
}

/// The `step`th of `steps` parts of the lists.
static llvm::ArrayRef<ProgramList> part(llvm::ArrayRef<ProgramList> lists, size_t step,
                                        size_t steps) {
  size_t begin = step * lists.size() / steps, end = (step + 1) * lists.size() / steps;
  return lists.slice(begin, end - begin);
}

void LifelongLearner::descend(const Tensors &parameters, double highestRate, size_t steps,
                              llvm::function_ref<torch::Tensor(size_t, size_t)> sum,
                              llvm::function_ref<void()> shuffle) {
  torch::optim::AdamW optimizer(parameters,
                                torch::optim::AdamWOptions(highestRate).weight_decay(1e-3));
  double done = 0;
  for (int64_t epoch = 0; epoch < settings.epochs; ++epoch) {
    shuffle();
    for (size_t step = 0; step < steps; ++step) {
      for (auto &group : optimizer.param_groups())
        group.options().set_lr(highestRate * 0.5 * (1 + std::cos(M_PI * done)));
      done += 1.0 / (steps * settings.epochs);
      optimizer.zero_grad();
      sum(step, steps).backward();
      optimizer.step();
    }
  }
}

static int64_t programsOf(llvm::ArrayRef<ProgramList> lists) {
  int64_t programs = 0;
  for (const ProgramList &list : lists)
    programs += list.programs.size();
  return programs;
}

void LifelongLearner::learn(llvm::ArrayRef<ProgramList> lists,
                            llvm::ArrayRef<LifelongStep> former) {
  std::vector<ProgramList> fresh(lists), old;
  if (method.rehearse != Rehearse::Nothing)
    old = rehearsed(former);
  auto sum = [&](size_t step, size_t steps) {
    Batch batch = makeBatch(data, inputs, part(fresh, step, steps));
    torch::Tensor sum = loss(batch, network.predict(batch)) + held();
    if (old.size() < steps)
      return sum;
    Batch again = makeBatch(data, inputs, part(old, step, steps));
    return sum + settings.mix * loss(again, network.predict(again));
  };
  size_t steps = std::max<int64_t>(1, programsOf(fresh) / settings.programsPerStep);
  descend(trainable(former.empty()), former.empty() ? settings.firstRate : settings.rate, steps,
          sum, [&] {
            std::shuffle(fresh.begin(), fresh.end(), random);
            std::shuffle(old.begin(), old.end(), random);
          });
  if (method.hold != Hold::Nothing)
    addAnchor(lists);
}

/// Each part has lists of every step, as long as it has as many as there are parts; each list
/// counts as much.
void LifelongLearner::learnHeads(llvm::ArrayRef<LifelongStep> steps) {
  Tensors parameters(network.parameters().begin(), network.parameters().end() - headParameters);
  std::vector<std::vector<ProgramList>> lists;
  int64_t programs = 0;
  for (const LifelongStep &step : steps) {
    const Tensors &own = heads.emplace_back(network.withOwnLast(headParameters)).parameters();
    parameters.insert(parameters.end(), own.end() - headParameters, own.end());
    lists.push_back(step.train);
    programs += programsOf(step.train);
  }
  auto sum = [&](size_t step, size_t steps) {
    torch::Tensor sum = torch::zeros({});
    int64_t count = 0;
    for (auto [head, own] : llvm::zip_equal(heads, lists)) {
      llvm::ArrayRef<ProgramList> few = part(own, step, steps);
      if (few.empty())
        continue;
      Batch batch = makeBatch(data, inputs, few);
      sum = sum + static_cast<double>(few.size()) * loss(batch, head.predict(batch));
      count += few.size();
    }
    return sum / count;
  };
  descend(parameters, settings.firstRate, std::max<int64_t>(1, programs / settings.programsPerStep),
          sum, [&] {
            for (std::vector<ProgramList> &own : lists)
              std::shuffle(own.begin(), own.end(), random);
          });
}
