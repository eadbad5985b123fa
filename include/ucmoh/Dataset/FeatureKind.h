//===- FeatureKind.h - Ways to describe a program to a model
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DATASET_FEATUREKIND_H
#define UCMOH_DATASET_FEATUREKIND_H

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

/// Returns the features that the compiler's cost model sees (FeatureExtractor.h).
const FeatureKind &programFeatures();

} // namespace ucmoh

#endif // UCMOH_DATASET_FEATUREKIND_H
