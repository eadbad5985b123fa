//===- NetworkModel.cpp - The learned cost model
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/NetworkModel.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/Network.h"
#include "ucmoh/CostModel/NetworkParameters.h"
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

/// A list in the metadata; `to` stays in files without.
template <class T>
static llvm::Error readList(const SafetensorsFile &file, llvm::StringRef key, std::vector<T> &to) {
  llvm::StringRef text = file.metadata(key);
  if (text.empty())
    return llvm::Error::success();
  auto list = json::parse(text);
  if (!list)
    return list.takeError();
  json::Path::Root root(key);
  return json::fromJSON(*list, to, root) ? llvm::Error::success() : root.getError();
}

llvm::Expected<WeightsOrigin> WeightsOrigin::read(const SafetensorsFile &file) {
  WeightsOrigin origin;
  if (llvm::Error error = readList(file, "intrinsics", origin.intrinsics))
    return std::move(error);
  if (llvm::Error error = readList(file, "threads", origin.threads))
    return std::move(error);
  if (llvm::Error error = readList(file, "machines", origin.machines))
    return std::move(error);
  return origin;
}

NetworkModel::NetworkModel(std::vector<float> weights, WeightsOrigin origin, llvm::StringRef name)
    : weights(std::move(weights)), origin(std::move(origin)) {
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
  auto origin = WeightsOrigin::read(file);
  if (!origin)
    return fail(file, llvm::toString(origin.takeError()));
  return std::unique_ptr<NetworkModel>(
      new NetworkModel(std::move(weights), std::move(*origin), name));
}

bool NetworkModel::knowsMachine(const FeatureRow &row) const {
  std::vector<double> numbers = machineNumbers(row);
  return origin.machines.empty() ||
         llvm::any_of(origin.machines,
                      [&](llvm::ArrayRef<double> known) { return areAlike(known, numbers); });
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

//===----------------------------------------------------------------------===//
// Instruction sets
//===----------------------------------------------------------------------===//

namespace ucmoh {
float runNetworkGeneric(const float *, int, int, const float *, float *);
float runNetworkAvx2(const float *, int, int, const float *, float *);
float runNetworkAvx512(const float *, int, int, const float *, float *);
} // namespace ucmoh

static llvm::SmallVector<VectorNetwork, 3> findNetworks() {
  llvm::SmallVector<VectorNetwork, 3> found;
#ifdef __x86_64__
  bool hasFma = __builtin_cpu_supports("fma");
  if (hasFma && __builtin_cpu_supports("avx512f"))
    found.push_back({"avx512", runNetworkAvx512});
  if (hasFma && __builtin_cpu_supports("avx2"))
    found.push_back({"avx2", runNetworkAvx2});
#endif
  found.push_back({"generic", runNetworkGeneric});
  return found;
}

llvm::ArrayRef<VectorNetwork> ucmoh::vectorNetworks() {
  static const llvm::SmallVector<VectorNetwork, 3> networks = findNetworks();
  return networks;
}

size_t ucmoh::scratchFloats(int rows) {
  // Per statement: the logarithms, 8 matrices of `hidden` columns and the parts of attention; the
  // last layers have one row. Each is rounded up to whole vectors.
  size_t perRow = networkInputCount + 16 + 14 * network::hidden;
  return (rows + 2 * 16) * perRow;
}
