//===- RowNetwork.cpp - Networks that read rows of features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowNetwork.h"
#include "ucmoh/CostModel/Safetensors.h"
#include "ucmoh/Training/Losses.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <numeric>
#include <random>

using namespace ucmoh;

template <class T> static torch::Tensor toTensor(llvm::ArrayRef<T> values) {
  return torch::tensor(at::ArrayRef<T>(values.data(), values.size()));
}

RowInputs::RowInputs(const Dataset &data)
    : data(data), rows(torch::from_blob(const_cast<float *>(data.rows.data()),
                                        {data.offsets.back(), data.width})),
      head(data.programs()) {}

RowBatch RowInputs::batch(llvm::ArrayRef<int64_t> programs) const {
  std::vector<int64_t> chosen, program, heads;
  for (int64_t number : programs) {
    for (int64_t row = data.offsets[number]; row < data.offsets[number + 1]; ++row) {
      chosen.push_back(row);
      program.push_back(heads.size());
    }
    heads.push_back(head[number]);
  }
  return {rows.index_select(0, toTensor<int64_t>(chosen)), toTensor<int64_t>(program),
          toTensor<int64_t>(heads), static_cast<int64_t>(programs.size())};
}

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
  torch::Tensor scores = network.predict(batch), y = toTensor<float>(wanted);
  torch::Tensor loss = torch::zeros({});
  int64_t heads = batch.head.max().item<int64_t>() + 1, begin = 0;
  for (const Group &group : groups) {
    int64_t size = group.size();
    for (int64_t head = 0; head < heads; ++head) {
      auto own = (batch.head.narrow(0, begin, size) == head).nonzero().squeeze(1) + begin;
      if (own.size(0) > 1)
        loss = loss + rankLoss(scores.index_select(0, own), y.index_select(0, own));
    }
    begin += size;
  }
  optimizer.zero_grad();
  loss.backward();
  torch::nn::utils::clip_grad_norm_(network.parameters(), settings.clip);
  optimizer.step();
  return loss.item<double>();
}

/// Parameters and buffers by name.
static std::vector<std::pair<std::string, torch::Tensor>> tensorsOf(const RowNetwork &network) {
  std::vector<std::pair<std::string, torch::Tensor>> tensors;
  for (auto &entry : network.named_parameters())
    tensors.push_back({entry.key(), entry.value()});
  for (auto &entry : network.named_buffers())
    tensors.push_back({entry.key(), entry.value()});
  return tensors;
}

static llvm::Error save(const RowNetwork &network, const Dataset &data,
                        const BaselineOptions &options, int64_t epochs) {
  std::vector<torch::Tensor> kept;
  NamedTensors views;
  for (auto &[name, tensor] : tensorsOf(network)) {
    torch::Tensor values = kept.emplace_back(tensor.detach().contiguous());
    llvm::ArrayRef<float> elements(values.data_ptr<float>(), values.numel());
    views.push_back({name, TensorView::of<float>(
                               elements, llvm::ArrayRef(values.sizes().data(), values.dim()))});
  }
  return writeSafetensors(options.output, views,
                          {{"schema", data.schema},
                           {"data_hash", data.dataHash},
                           {"seed", std::to_string(options.seed)},
                           {"epochs", std::to_string(epochs)}});
}

llvm::Error RowTrainer::run() {
  torch::set_num_threads(static_cast<int>(options.threads));
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
  return save(network, inputs.data, options, epoch);
}

llvm::Error ucmoh::fitNetwork(RowNetwork &network, const RowInputs &inputs,
                              const RowSettings &settings, const BaselineOptions &options) {
  return RowTrainer(network, inputs, settings, options).run();
}

static llvm::Error load(RowNetwork &network, llvm::StringRef path) {
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::read(path);
  if (!file)
    return file.takeError();
  torch::NoGradGuard noGradients;
  for (auto &[name, tensor] : tensorsOf(network)) {
    llvm::Expected<std::vector<float>> values = file->get<float>(name, tensor.dim());
    if (!values)
      return values.takeError();
    if (file->lookup(name)->shape != llvm::ArrayRef(tensor.sizes().data(), tensor.dim()))
      return llvm::createStringError(path + ": '" + name +
                                     "' has another shape; these are weights of another model");
    torch::Tensor(tensor).copy_(torch::from_blob(values->data(), tensor.sizes()));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<float>> ucmoh::scoreNetwork(RowNetwork &network, const RowInputs &inputs,
                                                       llvm::StringRef weights) {
  if (llvm::Error error = load(network, weights))
    return std::move(error);
  torch::set_num_threads(1);
  torch::NoGradGuard noGradients;
  std::vector<int64_t> programs(inputs.data.programs());
  std::iota(programs.begin(), programs.end(), 0);
  std::vector<float> scores;
  for (llvm::ArrayRef<int64_t> left = programs; !left.empty();) {
    size_t size = std::min<size_t>(left.size(), 256);
    torch::Tensor predicted = -network.predict(inputs.batch(left.take_front(size))).contiguous();
    scores.insert(scores.end(), predicted.data_ptr<float>(), predicted.data_ptr<float>() + size);
    left = left.drop_front(size);
  }
  return scores;
}
