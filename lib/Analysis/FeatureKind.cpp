//===- FeatureKind.cpp - Ways to describe a program to a model
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/FeatureKind.h"
#include "ucmoh/Analysis/FeatureExtractor.h"

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

} // namespace

std::unique_ptr<FeatureKind> ucmoh::createFeatureKind(StringRef name, std::string &error) {
  if (name == "ucmoh")
    return std::make_unique<UcmohFeatures>();
  error = ("there are no features '" + name + "'; use ucmoh").str();
  return nullptr;
}
