//===- FeatureKind.cpp - Ways to describe a program to a model
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/FeatureKind.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/PublishedFeatures.h"

using namespace mlir;
using namespace ucmoh;

namespace {

class UcmohFeatures : public FeatureKind {
public:
  std::string schema() const override { return featureSchema(); }
  std::vector<std::string> names() const override { return featureNames(); }
  void extract(const Workload &workload, const Candidate &candidate, const Machine &machine,
               std::vector<float> &rows) const override {
    for (const FeatureRow &row : extractFeatures(workload, candidate, machine))
      rows.insert(rows.end(), row.values.begin(), row.values.end());
  }
};

/// Those of another system.
struct Published {
  StringLiteral name, schema;
  std::vector<std::string> (*names)();
  std::vector<float> (*rows)(const Workload &, const Candidate &, const Machine &);
};
constexpr Published published[] = {
    {"ansor", "ansor-1", ansorNames, ansorRows},
    {"tlp", "tlp-1", tlpNames, tlpRows},
    {"unicomo", "unicomo-2", unicomoNames, unicomoRows},
    {"assignment", "assignment-1", assignmentNames, assignmentRows},
};

class PublishedKind : public FeatureKind {
public:
  explicit PublishedKind(const Published &kind) : kind(kind) {}
  std::string schema() const override { return kind.schema.str(); }
  std::vector<std::string> names() const override { return kind.names(); }
  void extract(const Workload &workload, const Candidate &candidate, const Machine &machine,
               std::vector<float> &rows) const override {
    llvm::append_range(rows, kind.rows(workload, candidate, machine));
  }

private:
  const Published &kind;
};

} // namespace

std::unique_ptr<FeatureKind> ucmoh::createFeatureKind(StringRef name, std::string &error) {
  if (name == "ucmoh")
    return std::make_unique<UcmohFeatures>();
  for (const Published &kind : published)
    if (name == kind.name)
      return std::make_unique<PublishedKind>(kind);
  error = ("there are no features '" + name + "'; use ucmoh").str();
  for (const Published &kind : published)
    error += (&kind == std::end(published) - 1 ? " or " : ", ") + kind.name.str();
  return nullptr;
}
