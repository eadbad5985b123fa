//===- Features.cpp - What a cost model sees of a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/Features.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace ucmoh;

namespace {
struct FeatureInfo {
  llvm::StringRef name, unit, meaning;
};
} // namespace

static constexpr FeatureInfo features[] = {
#define FEATURE(name, unit, meaning) {#name, #unit, meaning},
#include "ucmoh/CostModel/Features.def"
};

/// Counts changes of what a name means, and of the roofline, which weights learn to correct.
static constexpr unsigned meaning = 3;

std::string ucmoh::featureSchema() {
  std::string text;
  for (const FeatureInfo &feature : features)
    text += (feature.name + ":" + feature.unit + ";").str();
  return llvm::utostr(meaning) + "-" +
         llvm::utohexstr(llvm::xxh3_64bits(text) >> 32, /*LowerCase=*/true);
}

std::vector<std::string> ucmoh::featureNames() {
  std::vector<std::string> names;
  for (const FeatureInfo &feature : features)
    names.push_back(feature.name.str());
  return names;
}

std::vector<FeatureGroup> ucmoh::featureGroups() {
  std::vector<FeatureGroup> groups;
  unsigned next = 0;
#define FEATURE_GROUP(name, meaning) groups.push_back({#name, meaning, next, 0});
#define FEATURE(name, unit, meaning) groups.back().count = ++next - groups.back().first;
#include "ucmoh/CostModel/Features.def"
  return groups;
}

std::string ucmoh::featureTable() {
  std::string table = "| group | feature | unit | meaning |\n|---|---|---|---|\n";
  for (const FeatureGroup &group : featureGroups())
    for (const FeatureInfo &feature : llvm::ArrayRef(features).slice(group.first, group.count))
      table += ("| " + group.name + " | " + feature.name + " | " + feature.unit + " | " +
                feature.meaning + " |\n")
                   .str();
  return table;
}

llvm::json::Array ucmoh::toJson(const ProgramFeatures &program) {
  static const std::vector<std::string> names = featureNames();
  llvm::json::Array rows;
  for (const FeatureRow &row : program) {
    llvm::json::Object fields;
    for (auto [name, value] : llvm::zip(names, row.values))
      if (value != 0)
        fields[name] = value;
    rows.push_back(std::move(fields));
  }
  return rows;
}

std::vector<double> ucmoh::locate(const ProgramFeatures &rows) {
  std::vector<double> position(featureCount);
  for (const FeatureRow &row : rows)
    for (unsigned i = 0; i < featureCount; ++i)
      position[i] += row.values[i];
  for (double &value : position)
    value = std::copysign(std::log1p(std::abs(value)), value);
  return position;
}
