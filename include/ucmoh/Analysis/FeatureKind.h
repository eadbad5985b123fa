//===- FeatureKind.h - Ways to describe a program to a model
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_FEATUREKIND_H
#define UCMOH_ANALYSIS_FEATUREKIND_H

#include "ucmoh/Analysis/Candidates.h"
#include <memory>
#include <vector>

namespace ucmoh {

/// A program as rows of numbers, all of one width. Stateless: may be used by several threads.
class FeatureKind {
public:
  virtual ~FeatureKind() = default;
  /// Changes whenever the meaning of a number does; weights and data name it.
  virtual std::string schema() const = 0;
  /// One name for each number of a row.
  virtual std::vector<std::string> names() const = 0;
  /// Appends the rows of one program to `rows`, row by row. The candidate must be legal.
  virtual void extract(const Workload &workload, const Candidate &candidate, const Machine &machine,
                       std::vector<float> &rows) const = 0;
};

/// "ucmoh": the rows of FeatureExtractor; "ansor", "tlp", "unicomo" or "assignment": those of
/// PublishedFeatures.h. Null for any other name; `error` then says which names there are.
std::unique_ptr<FeatureKind> createFeatureKind(llvm::StringRef name, std::string &error);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_FEATUREKIND_H
