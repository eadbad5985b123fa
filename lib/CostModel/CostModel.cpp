//===- CostModel.cpp - The models by name
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/InstalledFile.h"
#include "ucmoh/CostModel/NetworkModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

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
