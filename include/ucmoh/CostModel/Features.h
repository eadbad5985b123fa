//===- Features.h - What a cost model sees of a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_FEATURES_H
#define UCMOH_COSTMODEL_FEATURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <string>
#include <vector>

namespace ucmoh {

/// The features of Features.def, in their order.
enum class Feature : unsigned {
#define FEATURE(name, unit, meaning) name,
#include "ucmoh/CostModel/Features.def"
};

/// How many features there are.
constexpr unsigned featureCount = 0
#define FEATURE(name, unit, meaning) +1
#include "ucmoh/CostModel/Features.def"
    ;

/// One statement.
struct FeatureRow {
  std::array<float, featureCount> values{}; ///< in the order of the list
  float &operator[](Feature feature) { return values[static_cast<unsigned>(feature)]; }
  float operator[](Feature feature) const { return values[static_cast<unsigned>(feature)]; }
};

/// A program: its statements, without padding.
using ProgramFeatures = llvm::SmallVector<FeatureRow, 4>;

/// The rows by name, fields that are zero left out.
llvm::json::Array toJson(const ProgramFeatures &program);

/// Where a program is among others: a point with as many coordinates as there are features. Sums
/// over the rows, as counts and bytes of a program add up, and of these the logarithms, as sizes
/// span decades.
std::vector<double> locate(const ProgramFeatures &rows);

/// Version and content hash of the list, e.g. "1-8f3c02aa": changes whenever a field does.
std::string featureSchema();

/// The names of the list, in order.
std::vector<std::string> featureNames();

/// Features that describe one thing, one behind the other. Every feature is in one group.
struct FeatureGroup {
  llvm::StringRef name, meaning; ///< as in Features.def
  unsigned first, count;         ///< the group is [first, first + count) of the list
};
/// All groups, in the order of the list.
std::vector<FeatureGroup> featureGroups();

/// The list as a Markdown table, for the documentation.
std::string featureTable();

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_FEATURES_H
