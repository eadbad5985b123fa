//===- FeatureKinds.cpp - Programs as published systems describe them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FeatureKinds.h"
#include "PublishedFeatures.h"

using namespace mlir;
using namespace ucmoh;

namespace {

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

const FeatureKind *ucmoh::findFeatureKind(StringRef name, std::string &error) {
  static const PublishedKind kinds[] = {PublishedKind(published[0]), PublishedKind(published[1]),
                                        PublishedKind(published[2]), PublishedKind(published[3])};
  error = ("there are no features '" + name + "'; use").str();
  for (auto [kind, known] : llvm::zip_equal(kinds, published)) {
    if (name == known.name)
      return &kind;
    error += (&known == std::begin(published) ? " " : ", ") + known.name.str();
  }
  return nullptr;
}
