//===- Fit.cpp - Trains the network
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Fit.h"
#include "FitState.h"
#include "MachineJitter.h"
#include "TrainingLists.h"
#include "TrainingLog.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/NetworkModel.h"
#include "ucmoh/Training/Losses.h"
#include "ucmoh/Training/Metrics.h"
#include "ucmoh/Training/Programs.h"
#include "ucmoh/Training/TorchNetwork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace ucmoh;

namespace {

class Trainer {
public:
  Trainer(const Dataset &data, NetworkData inputs, const FitOptions &options)
      : data(data), options(options), inputs(std::move(inputs)),
        network(this->inputs, options.seed), random(options.seed) {}
  llvm::Error run();

private:
  torch::Tensor loss(const Batch &batch, const torch::Tensor &predicted) const;
  EpochLog train(llvm::ArrayRef<ProgramList> lists, torch::optim::Optimizer &optimizer);
  std::optional<EpochLog::Validation> validate(llvm::ArrayRef<ProgramList> lists);
  void setLearningRate(torch::optim::Optimizer &optimizer) const;
  std::vector<torch::Tensor> copyWeights() const;
  void setWeights(llvm::ArrayRef<torch::Tensor> values);
  int64_t resume(torch::optim::Optimizer &optimizer);
  llvm::Error keepState(int64_t epoch, const torch::optim::Optimizer &optimizer) const;
  llvm::Error startFrom(const std::string &path);
  TensorMetadata metadata(const EpochLog &best) const;

  const Dataset &data;
  const FitOptions &options;
  NetworkData inputs;
  TorchNetwork network;
  std::mt19937_64 random;
  std::set<std::string> seen;                 ///< intrinsics whose programs were learned from
  std::set<int64_t> seenThreads;              ///< numbers of threads that these programs had
  std::set<std::vector<double>> seenMachines; ///< machineNumbers() of these programs
  double progress = 0;                        ///< share of all steps that are done
};

} // namespace

FitOptions ucmoh::fineTuning() {
  FitOptions options;
  options.epochs = 20;
  options.programsPerStep = 128;
  options.learningRate = 1e-4;
  options.weightDecay = 1e-3; // weights that were learned from more are not to be forgotten
  return options;
}

torch::Tensor Trainer::loss(const Batch &batch, const torch::Tensor &predicted) const {
  auto byList = [&](const torch::Tensor &values) {
    return values.index_select(0, batch.programOf.flatten()).view(batch.programOf.sizes());
  };
  PaddedLists lists{byList(predicted), byList(batch.target), batch.programMask};
  return options.rankWeight * lambdaRank(lists, options.gain, options.slope, /*mean=*/true) +
         options.regressionWeight *
             regression(lists, options.regressionEmphasis, options.biasWeight);
}

/// Half a cosine over the whole training, after a short rise.
void Trainer::setLearningRate(torch::optim::Optimizer &optimizer) const {
  double rise = std::min(1.0, progress / 0.03 + 0.01);
  double rate = options.learningRate * rise * 0.5 * (1 + std::cos(M_PI * progress));
  for (auto &group : optimizer.param_groups())
    group.options().set_lr(rate);
}

EpochLog Trainer::train(llvm::ArrayRef<ProgramList> lists, torch::optim::Optimizer &optimizer) {
  auto start = std::chrono::steady_clock::now();
  std::vector<ProgramList> parts = divide(lists, options.programsPerList, random);
  EpochLog epoch;
  auto groups = group(parts, options.programsPerStep);
  for (llvm::ArrayRef<ProgramList> group : groups) {
    setLearningRate(optimizer);
    Batch batch = makeBatch(data, inputs, group);
    if (options.machineJitter > 0)
      jitterMachines(data, inputs, group, options.machineJitter, random, batch);
    optimizer.zero_grad();
    torch::Tensor sum = loss(batch, network.predict(batch));
    (sum / static_cast<double>(group.size())).backward();
    optimizer.step();
    epoch.trainLoss += sum.item<double>() / parts.size();
    progress += 1.0 / (groups.size() * options.epochs);
  }
  epoch.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return epoch;
}

/// Nothing without lists.
std::optional<EpochLog::Validation> Trainer::validate(llvm::ArrayRef<ProgramList> lists) {
  if (lists.empty())
    return std::nullopt;
  torch::NoGradGuard noGradients;
  EpochLog::Validation found;
  std::vector<float> scores(data.programs());
  for (llvm::ArrayRef<ProgramList> group : group(lists, options.programsPerStep)) {
    Batch batch = makeBatch(data, inputs, group);
    torch::Tensor predicted = network.predict(batch).contiguous();
    found.loss += loss(batch, predicted).item<double>() / lists.size();
    for (auto [position, program] : llvm::enumerate(batch.programs))
      scores[program] = predicted.data_ptr<float>()[position];
  }
  Metrics metrics = measure(rank(data, lists, scores));
  found.top1 = metrics.top1Geomean;
  found.top5 = metrics.top5Geomean;
  return found;
}

std::vector<torch::Tensor> Trainer::copyWeights() const {
  std::vector<torch::Tensor> copies;
  for (const torch::Tensor &weight : network.parameters())
    copies.push_back(weight.detach().clone());
  return copies;
}

void Trainer::setWeights(llvm::ArrayRef<torch::Tensor> values) {
  torch::NoGradGuard noGradients;
  for (auto [weight, value] : llvm::zip_equal(network.parameters(), values))
    torch::Tensor(weight).copy_(value);
}

/// Returns how many epochs of this training are done: none where there is no state of it.
int64_t Trainer::resume(torch::optim::Optimizer &optimizer) {
  std::optional<FitState> state =
      readState(options.state, fitKey(data, options), network.parameters().size(), optimizer);
  if (!state)
    return 0;
  setWeights(state->weights);
  random = state->random;
  progress = state->progress;
  llvm::errs() << "goes on behind epoch " << state->epoch << "\n";
  return state->epoch;
}

llvm::Error Trainer::keepState(int64_t epoch, const torch::optim::Optimizer &optimizer) const {
  if (options.state.empty())
    return llvm::Error::success();
  return writeState(options.state, fitKey(data, options), {epoch, progress, random, copyWeights()},
                    optimizer);
}

template <class T> static std::string toJson(const std::set<T> &values) {
  llvm::json::Array list;
  for (const T &value : values)
    list.push_back(llvm::json::Value(value));
  return llvm::formatv("{0}", llvm::json::Value(std::move(list)));
}

TensorMetadata Trainer::metadata(const EpochLog &best) const {
  return {{"data_hash", data.dataHash},
          {"seed", std::to_string(options.seed)},
          {"epoch", std::to_string(best.epoch)},
          {"programs", std::to_string(data.programs())},
          {"intrinsics", toJson(seen)},
          {"threads", toJson(seenThreads)},
          {"machines", toJson(seenMachines)},
          {"from", llvm::sys::path::filename(options.from).str()},
          {"split", name(options.split).str()},
          {"without", llvm::join(options.without, ",")},
          {"ablate", llvm::join(options.ablate, ",")}};
}

llvm::Error Trainer::startFrom(const std::string &path) {
  if (llvm::Error error = network.load(path))
    return error;
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::read(path);
  if (!file)
    return file.takeError();
  llvm::Expected<WeightsOrigin> origin = WeightsOrigin::read(*file);
  if (!origin)
    return origin.takeError();
  seen.insert(origin->intrinsics.begin(), origin->intrinsics.end());
  seenThreads.insert(origin->threads.begin(), origin->threads.end());
  seenMachines.insert(origin->machines.begin(), origin->machines.end());
  return llvm::Error::success();
}

llvm::Error Trainer::run() {
  if (!options.from.empty())
    if (llvm::Error error = startFrom(options.from))
      return error;
  TrainingLists lists = splitLists(data, options, random);
  if (lists.train.empty())
    return llvm::createStringError("the data has no list of programs left to learn from");
  for (const ProgramList &list : lists.train)
    for (int64_t program : list.programs) {
      seen.insert(data.intrinsics[data.intrinsic[program]]);
      FeatureRow row = programFeatures(data, program).front();
      seenThreads.insert(row[Feature::threads]);
      seenMachines.insert(machineNumbers(row));
    }
  torch::optim::AdamW optimizer(
      network.parameters(),
      torch::optim::AdamWOptions(options.learningRate).weight_decay(options.weightDecay));
  int64_t done = resume(optimizer);
  TrainingLog log(options.epochs, done);
  std::optional<EpochLog> best;
  std::vector<torch::Tensor> bestWeights = copyWeights();
  if (!options.from.empty() && !lists.validation.empty())
    best.emplace().validation = validate(lists.validation); // may stay the best
  else if (done > 0)
    best.emplace().epoch = done;
  for (int64_t number = done + 1; number <= options.epochs; ++number) {
    EpochLog epoch = train(lists.train, optimizer);
    epoch.epoch = number;
    epoch.validation = validate(lists.validation);
    // Without validation, the last one.
    if (!best || !epoch.validation || epoch.validation->loss < best->validation->loss) {
      best = epoch;
      bestWeights = copyWeights();
    }
    log.add(epoch);
    if (llvm::Error error = keepState(number, optimizer))
      return error;
  }
  setWeights(bestWeights);
  if (!options.logPath.empty())
    if (llvm::Error error = log.write(options.logPath, best->epoch))
      return error;
  return network.save(options.output, metadata(*best));
}

llvm::Error ucmoh::fit(const Dataset &data, const FitOptions &options) {
  prepareTorch(options.threads);
  if (llvm::Error error = checkNames(data, options.without))
    return error;
  llvm::Expected<NetworkData> inputs = NetworkData::create(data);
  if (!inputs)
    return inputs.takeError();
  if (llvm::Error error = inputs->ablate(options.ablate))
    return error;
  return Trainer(data, std::move(*inputs), options).run();
}
