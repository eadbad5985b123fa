//===- NetworkModel.cpp - The learned cost model
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/NetworkModel.h"
#include "ucmoh/CostModel/NetworkParameters.h"
#include "ucmoh/CostModel/VectorNetwork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace ucmoh;
namespace json = llvm::json;

static llvm::Error fail(const SafetensorsFile &file, const llvm::Twine &why) {
  return llvm::createStringError(file.getName() + ": " + why +
                                 "; use other weights, or model=analytic");
}

/// A list in the metadata; `otherwise` in files without.
template <class T>
static llvm::Expected<std::vector<T>> readList(const SafetensorsFile &file, llvm::StringRef key,
                                               std::vector<T> otherwise) {
  llvm::StringRef text = file.metadata(key);
  if (text.empty())
    return otherwise;
  auto list = json::parse(text);
  if (!list)
    return list.takeError();
  std::vector<T> values;
  json::Path::Root root(key);
  if (!json::fromJSON(*list, values, root))
    return root.getError();
  return values;
}

llvm::Expected<std::vector<std::string>> ucmoh::readTrainedIntrinsics(const SafetensorsFile &file) {
  return readList<std::string>(file, "intrinsics", {});
}

llvm::Expected<std::vector<int64_t>> ucmoh::readTrainedThreads(const SafetensorsFile &file) {
  return readList<int64_t>(file, "threads", {1});
}

NetworkModel::NetworkModel(std::vector<float> weights, std::vector<std::string> intrinsics,
                           std::vector<int64_t> threads, llvm::StringRef name)
    : weights(std::move(weights)), intrinsics(std::move(intrinsics)), threads(std::move(threads)) {
  auto *bytes = reinterpret_cast<const uint8_t *>(this->weights.data());
  uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef(bytes, this->weights.size() * sizeof(float)));
  this->name = (name + "@" + llvm::utohexstr(hash >> 32, /*LowerCase=*/true, /*Width=*/8)).str();
}

llvm::Expected<std::unique_ptr<NetworkModel>> NetworkModel::create(const SafetensorsFile &file,
                                                                   llvm::StringRef name) {
  llvm::StringRef schema = file.metadata("schema");
  if (schema != networkSchema())
    return fail(file, "these weights are for schema '" + schema + "', this build has '" +
                          networkSchema() + "'");
  std::vector<float> weights;
  for (const NetworkParameter &parameter : networkParameters()) {
    auto values = file.get<float>(parameter.name, parameter.shape.size());
    if (!values)
      return fail(file, llvm::toString(values.takeError()));
    if (file.lookup(parameter.name)->shape != parameter.shape)
      return fail(file, "tensor '" + parameter.name + "' has another shape than the network's");
    if (!llvm::all_of(*values, [](float value) { return std::isfinite(value); }))
      return fail(file, "tensor '" + parameter.name + "' has values that are not finite");
    llvm::append_range(weights, *values);
  }
  auto intrinsics = readTrainedIntrinsics(file);
  if (!intrinsics)
    return fail(file, llvm::toString(intrinsics.takeError()));
  auto threads = readTrainedThreads(file);
  if (!threads)
    return fail(file, llvm::toString(threads.takeError()));
  return std::unique_ptr<NetworkModel>(
      new NetworkModel(std::move(weights), std::move(*intrinsics), std::move(*threads), name));
}

float NetworkModel::logNanoseconds(llvm::ArrayRef<FeatureRow> program) const {
  static thread_local std::vector<float> scratch;
  llvm::SmallVector<float, 16 * networkInputCount> inputs;
  float roofline = networkInputs(program, inputs);
  scratch.resize(std::max(scratch.size(), scratchFloats(program.size())));
  return roofline + vectorNetworks().front().run(inputs.data(), program.size(), networkInputCount,
                                                 weights.data(), scratch.data());
}

void NetworkModel::score(llvm::ArrayRef<ProgramFeatures> programs,
                         llvm::MutableArrayRef<float> scores) const {
  for (auto [score, program] : llvm::zip_equal(scores, programs))
    score = static_cast<float>(std::exp2(logNanoseconds(program)) * 1e-9);
}
