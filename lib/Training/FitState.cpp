//===- FitState.cpp - A training that can be interrupted
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitState.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <sstream>

using namespace ucmoh;

std::string ucmoh::fitKey(const Dataset &data, const FitOptions &options) {
  uint64_t from = 0;
  if (auto file = llvm::MemoryBuffer::getFile(options.from))
    from = llvm::xxh3_64bits((*file)->getBuffer());
  std::string what = llvm::formatv("{0} {1} {2} {3} {4} {5}", data.dataHash, data.programs(), from,
                                   name(options.split), llvm::join(options.without, ","),
                                   llvm::join(options.ablate, ","));
  std::string how = llvm::formatv(
      "{0} {1} {2} {3} {4} {5} {6}", options.seed, options.epochs, options.learningRate,
      options.weightDecay, options.programsPerStep, options.programsPerList, options.machineJitter);
  std::string loss =
      llvm::formatv("{0} {1} {2} {3} {4} {5}", options.rankWeight, options.gain, options.slope,
                    options.regressionWeight, options.regressionEmphasis, options.biasWeight);
  return what + " " + how + " " + loss;
}

static std::string nameOf(size_t weight) { return "weight" + llvm::utostr(weight); }

llvm::Error ucmoh::writeState(llvm::StringRef path, llvm::StringRef key, const FitState &state,
                              const torch::optim::Optimizer &optimizer) {
  std::ostringstream random;
  random << state.random;
  torch::serialize::OutputArchive archive, steps;
  archive.write("key", c10::IValue(key.str()));
  archive.write("epoch", c10::IValue(state.epoch));
  archive.write("progress", c10::IValue(state.progress));
  archive.write("random", c10::IValue(random.str()));
  for (auto [number, weight] : llvm::enumerate(state.weights))
    archive.write(nameOf(number), weight);
  optimizer.save(steps);
  archive.write("optimizer", steps);
  std::string draft = path.str() + ".draft";
  try {
    archive.save_to(draft);
  } catch (const c10::Error &) {
    return llvm::createStringError(draft + ": cannot be written; the training cannot be resumed");
  }
  return llvm::errorCodeToError(llvm::sys::fs::rename(draft, path));
}

static FitState readArchive(torch::serialize::InputArchive &archive, size_t weights,
                            torch::optim::Optimizer &optimizer) {
  c10::IValue epoch, progress, random;
  archive.read("epoch", epoch);
  archive.read("progress", progress);
  archive.read("random", random);
  FitState state;
  state.epoch = epoch.toInt();
  state.progress = progress.toDouble();
  std::istringstream(random.toStringRef()) >> state.random;
  for (size_t number = 0; number < weights; ++number)
    archive.read(nameOf(number), state.weights.emplace_back());
  torch::serialize::InputArchive steps;
  archive.read("optimizer", steps);
  optimizer.load(steps);
  return state;
}

std::optional<FitState> ucmoh::readState(llvm::StringRef path, llvm::StringRef key, size_t weights,
                                         torch::optim::Optimizer &optimizer) {
  if (path.empty() || !llvm::sys::fs::exists(path))
    return std::nullopt;
  try {
    torch::serialize::InputArchive archive;
    archive.load_from(path.str());
    c10::IValue found;
    archive.read("key", found);
    if (found.toStringRef() == key)
      return readArchive(archive, weights, optimizer);
  } catch (const c10::Error &) {
    // A damaged state is no state: the training begins anew.
  }
  return std::nullopt;
}
