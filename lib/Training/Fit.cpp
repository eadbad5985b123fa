//===- Fit.cpp - Trains the network
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Fit.h"
#include "FitState.h"
#include "TrainingLists.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/NetworkModel.h"
#include "ucmoh/CostModel/NetworkParameters.h"
#include "ucmoh/Support/Files.h"
#include "ucmoh/Training/Batch.h"
#include "ucmoh/Training/Losses.h"
#include "ucmoh/Training/Metrics.h"
#include "ucmoh/Training/Programs.h"
#include "ucmoh/Training/TorchNetwork.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

using namespace ucmoh;
namespace json = llvm::json;

namespace {
/// Losses are per list.
struct EpochLog {
  /// On tasks that are kept aside: the loss, and geometric means over their lists of best / picked
  /// seconds.
  struct Validation {
    double loss = 0, top1 = 0, top5 = 0;
  };
  int64_t epoch = 0;
  double trainLoss = 0;
  std::optional<Validation> validation; ///< none if no tasks are kept aside
  double seconds = 0;                   ///< time of training, without validation
};

/// Shows each epoch on standard error, with the time that is left, and keeps it.
class TrainingLog {
public:
  /// `done`: epochs of an interrupted training.
  TrainingLog(int64_t epochs, int64_t done) : epochs(epochs), done(done) {}
  void add(const EpochLog &epoch);
  /// {"best_epoch", "epochs": [{"epoch", "train_loss", "seconds"}]}, with validation also
  /// "validation_loss", "top1", "top5".
  llvm::Error write(llvm::StringRef path, int64_t bestEpoch) const;

private:
  int64_t epochs, done;
  std::vector<EpochLog> entries;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};
} // namespace

void TrainingLog::add(const EpochLog &epoch) {
  entries.push_back(epoch);
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  double left = spent.count() / entries.size() * (epochs - done - entries.size());
  llvm::errs() << llvm::formatv("epoch {0}/{1}: loss {2:f4}", epoch.epoch, epochs, epoch.trainLoss);
  if (const auto &found = epoch.validation)
    llvm::errs() << llvm::formatv(", validation {0:f4}, top-1 {1:f4}, top-5 {2:f4}", found->loss,
                                  found->top1, found->top5);
  llvm::errs() << llvm::formatv("; {0:f1} s, {1:f0} s left\n", epoch.seconds, left);
}

llvm::Error TrainingLog::write(llvm::StringRef path, int64_t bestEpoch) const {
  json::Array list;
  for (const EpochLog &entry : entries) {
    json::Object object{
        {"epoch", entry.epoch}, {"train_loss", entry.trainLoss}, {"seconds", entry.seconds}};
    if (const auto &found = entry.validation) {
      object["validation_loss"] = found->loss;
      object["top1"] = found->top1;
      object["top5"] = found->top5;
    }
    list.push_back(std::move(object));
  }
  json::Object log{{"best_epoch", bestEpoch}, {"epochs", std::move(list)}};
  return writeAtomically(path, llvm::formatv("{0:2}\n", json::Value(std::move(log))).str());
}

using F = Feature;

/// These features come from a file or the probe, and not from the system.
static constexpr F ofMachine[] = {F::clockGHz,
                                  F::l1BytesPerCycle,
                                  F::broadcastBytesPerCycle,
                                  F::l2BytesPerCycle,
                                  F::l3BytesPerCycle,
                                  F::memoryBytesPerCycle,
                                  F::totalMemoryBytesPerCycle,
                                  F::memoryLatencyCycles};
static constexpr F ofIntrinsic[] = {F::latencyCycles, F::throughputCycles};

namespace {

/// The machine of one list, in which each intrinsic has costs of its own.
class Factors {
public:
  Factors(double deviation, std::mt19937_64 &random) : deviation(deviation), random(random) {
    for (float &factor : machine)
      factor = draw();
  }
  void apply(ProgramFeatures &program, int32_t intrinsic) {
    auto [entry, isNew] = costs.try_emplace(intrinsic);
    if (isNew)
      for (float &factor : entry->second)
        factor = draw();
    for (FeatureRow &row : program) {
      for (auto [feature, factor] : llvm::zip_equal(ofMachine, machine))
        row[feature] *= factor;
      for (auto [feature, factor] : llvm::zip_equal(ofIntrinsic, entry->second))
        row[feature] *= factor;
    }
  }

private:
  float draw() { return std::exp2(deviation * std::normal_distribution<>()(random)); }
  double deviation;
  std::mt19937_64 &random;
  std::array<float, std::size(ofMachine)> machine;
  llvm::DenseMap<int32_t, std::array<float, std::size(ofIntrinsic)>> costs;
};

} // namespace

/// Describes the batch's programs anew, as if the clock, the bandwidths and the costs of intrinsics
/// of their machine were others: each number of a list is multiplied by exp2 of a normal deviate
/// with this standard deviation, in every second list. The measured seconds stay, the roofline
/// follows the numbers. So the network learns not to rest on numbers that only few machines have.
static void jitterMachines(const Dataset &data, const NetworkData &network,
                           llvm::ArrayRef<ProgramList> lists, double deviation,
                           std::mt19937_64 &random, Batch &batch) {
  llvm::DenseMap<int64_t, Factors *> factorsOf;
  std::vector<Factors> drawn;
  drawn.reserve(lists.size());
  for (const ProgramList &list : lists) {
    if (random() % 2)
      continue;
    Factors &factors = drawn.emplace_back(deviation, random);
    for (int64_t program : list.programs)
      factorsOf[program] = &factors;
  }
  int64_t row = 0;
  llvm::SmallVector<float, 0> inputs;
  const float *used = network.used.data_ptr<float>();
  for (auto [position, program] : llvm::enumerate(batch.programs)) {
    int64_t rows = data.rowCount(program);
    if (Factors *factors = factorsOf.lookup(program)) {
      ProgramFeatures features = programFeatures(data, program);
      factors->apply(features, data.intrinsic[program]);
      inputs.clear();
      batch.roofline.data_ptr<float>()[position] = networkInputs(features, inputs);
      float *to = batch.inputs.data_ptr<float>() + row * networkInputCount;
      for (auto [number, input] : llvm::enumerate(inputs))
        to[number] = std::log2(1 + input) * used[number % networkInputCount];
    }
    row += rows;
  }
}

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
  /// Notes intrinsics, threads and machines of the programs.
  void noteOrigins(llvm::ArrayRef<ProgramList> lists);
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

void Trainer::noteOrigins(llvm::ArrayRef<ProgramList> lists) {
  for (const ProgramList &list : lists)
    for (int64_t program : list.programs) {
      seen.insert(data.intrinsics[data.intrinsic[program]]);
      FeatureRow row = programFeatures(data, program).front();
      seenThreads.insert(row[Feature::threads]);
      seenMachines.insert(machineNumbers(row));
    }
}

llvm::Error Trainer::run() {
  if (!options.from.empty())
    if (llvm::Error error = startFrom(options.from))
      return error;
  TrainingLists lists = splitLists(data, options, random);
  if (lists.train.empty())
    return llvm::createStringError("the data has no list of programs left to learn from");
  noteOrigins(lists.train);
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
