//===- CostModel.cpp - The models by name
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/NetworkModel.h"
#include "ucmoh/Support/Files.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace ucmoh;

namespace {

class AnalyticModel : public CostModel {
public:
  void score(llvm::ArrayRef<ProgramFeatures> programs,
             llvm::MutableArrayRef<float> scores) const override {
    for (auto [score, program] : llvm::zip_equal(scores, programs))
      score = static_cast<float>(analyticSeconds(program));
  }
  bool predictsSeconds() const override { return true; }
  llvm::StringRef getName() const override { return "analytic"; }
};

/// A hash of the features and the seed: reproducible, and independent of the batch.
class RandomModel : public CostModel {
public:
  explicit RandomModel(uint64_t seed) : seed(seed), name("random:" + llvm::utostr(seed)) {}
  void score(llvm::ArrayRef<ProgramFeatures> programs,
             llvm::MutableArrayRef<float> scores) const override {
    for (auto [score, program] : llvm::zip_equal(scores, programs)) {
      llvm::SmallVector<uint8_t> bytes(reinterpret_cast<const uint8_t *>(&seed),
                                       reinterpret_cast<const uint8_t *>(&seed + 1));
      for (const FeatureRow &row : program)
        bytes.append(reinterpret_cast<const uint8_t *>(row.values.begin()),
                     reinterpret_cast<const uint8_t *>(row.values.end()));
      score = static_cast<float>(llvm::xxh3_64bits(bytes) >> 40);
    }
  }
  bool predictsSeconds() const override { return false; }
  llvm::StringRef getName() const override { return name; }

private:
  uint64_t seed;
  std::string name;
};

} // namespace

/// A model of these weights; what is wrong with them goes to `error`.
static std::unique_ptr<CostModel> createNetwork(llvm::Expected<SafetensorsFile> file,
                                                llvm::StringRef name, std::string &error) {
  if (!file) {
    error = llvm::toString(file.takeError());
    return nullptr;
  }
  auto model = NetworkModel::create(*file, name);
  if (model)
    return std::move(*model);
  error = llvm::toString(model.takeError());
  return nullptr;
}

std::unique_ptr<CostModel> ucmoh::createCostModel(llvm::StringRef name, std::string &error) {
  if (name == "analytic")
    return std::make_unique<AnalyticModel>();
  if (name == "embedded")
    return createNetwork(embeddedWeights(), name, error);
  if (name.ends_with(".safetensors"))
    return createNetwork(SafetensorsFile::read(findInstalledFile(name)),
                         llvm::sys::path::filename(name), error);
  uint64_t seed;
  llvm::StringRef rest = name;
  if (rest.consume_front("random:") && !rest.getAsInteger(10, seed))
    return std::make_unique<RandomModel>(seed);
  error = ("there is no cost model '" + name +
           "'; use embedded, analytic, random:SEED or FILE.safetensors")
              .str();
  return nullptr;
}

using F = Feature;

/// How much of a correction counts. Learned on one machine and judged on another one, three
/// quarters give the best picks or nearly so in all four cases that were tried.
static constexpr double countedShare = 0.75;

/// Mean distance in octaves below which two machines are taken for the same. A second probe of one
/// machine differs by .01 to .07, a Zen 5 from a Zen 4 by .64.
static constexpr double likeOctaves = 0.15;

std::vector<double> ucmoh::machineNumbers(const FeatureRow &row) {
  std::vector<double> numbers;
  for (F feature : {F::clockGHz, F::l1Bytes, F::l2Bytes, F::l1BytesPerCycle,
                    F::broadcastBytesPerCycle, F::l2BytesPerCycle, F::l3BytesPerCycle})
    numbers.push_back(row[feature]);
  return numbers;
}

bool ucmoh::areAlike(llvm::ArrayRef<double> first, llvm::ArrayRef<double> second) {
  if (first.size() != second.size())
    return false;
  double octaves = 0;
  for (auto [a, b] : llvm::zip_equal(first, second))
    octaves += std::abs(std::log2(a / b));
  return octaves <= likeOctaves * first.size();
}

void ucmoh::restrain(llvm::ArrayRef<unsigned> intrinsics, llvm::ArrayRef<double> roofline,
                     llvm::MutableArrayRef<float> scores) {
  struct Best {
    double roofline = INFINITY;
    float score = INFINITY;
  };
  llvm::SmallDenseMap<unsigned, Best> bestOf;
  for (auto [intrinsic, seconds, score] : llvm::zip_equal(intrinsics, roofline, scores)) {
    score = seconds * std::pow(score / seconds, countedShare);
    Best &best = bestOf[intrinsic];
    best.roofline = std::min(best.roofline, seconds);
    best.score = std::min(best.score, score);
  }
  for (auto [intrinsic, score] : llvm::zip_equal(intrinsics, scores))
    score *= bestOf[intrinsic].roofline / bestOf[intrinsic].score;
}
