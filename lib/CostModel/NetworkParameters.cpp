//===- NetworkParameters.cpp - The weights of the network
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/NetworkParameters.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/Network.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace ucmoh;

namespace {

/// The backend that only notes the weights.
struct ParameterList {
  struct Value {};
  std::vector<NetworkParameter> parameters;
  int64_t size = 0;

  void add(const std::string &name, llvm::ArrayRef<int64_t> shape) {
    int64_t elements = llvm::product_of(shape);
    parameters.push_back({name, llvm::SmallVector<int64_t, 2>(shape), size, elements});
    size += elements;
  }
  Value linear(Value, const char *name, int in, int out) {
    add(std::string(name) + ".weight", {in, out});
    add(std::string(name) + ".bias", {out});
    return {};
  }
  Value log(Value) { return {}; }
  Value relu(Value) { return {}; }
  Value add(Value, Value) { return {}; }
  Value columns(Value, int, int) { return {}; }
  Value concat(const Value *, int) { return {}; }
  Value attend(Value, Value, Value) { return {}; }
  Value sumRows(Value) { return {}; }
};

} // namespace

static ParameterList listParameters() {
  ParameterList list;
  network::forward(list, {}, networkInputCount);
  return list;
}

std::vector<NetworkParameter> ucmoh::networkParameters() { return listParameters().parameters; }

int64_t ucmoh::networkSize() { return listParameters().size; }

std::string ucmoh::networkSchema() {
  std::string text =
      featureSchema() + ";row_ns;row_share_1024;heads" + llvm::itostr(network::heads);
  for (const NetworkParameter &parameter : networkParameters()) {
    text += ";" + parameter.name;
    for (int64_t extent : parameter.shape)
      text += "," + llvm::itostr(extent);
  }
  return llvm::itostr(network::version) + "-" +
         llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
}

std::vector<FeatureGroup> ucmoh::networkInputGroups() {
  std::vector<FeatureGroup> groups = featureGroups();
  groups.push_back(
      {"roofline",
       "These numbers are the roofline's time of a statement and its share of the program's time.",
       featureCount, networkInputCount - featureCount});
  return groups;
}

float ucmoh::networkInputs(llvm::ArrayRef<FeatureRow> program,
                           llvm::SmallVectorImpl<float> &inputs) {
  llvm::SmallVector<double, 16> seconds(program.size());
  double total = std::max(analyticSeconds(program, seconds), 1e-12);
  for (auto [row, rowSeconds] : llvm::zip_equal(program, seconds)) {
    inputs.append(row.values.begin(), row.values.end());
    inputs.push_back(static_cast<float>(rowSeconds * 1e9));
    inputs.push_back(static_cast<float>(1024 * rowSeconds / total));
  }
  return static_cast<float>(std::log2(total * 1e9));
}
