//===- PublishedFeaturesTest.cpp - Programs as published systems describe them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Features/FeatureKinds.h"
#include "WorkloadFixture.h"
#include "ucmoh/Dataset/FeatureKind.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace ucmoh;

namespace {

/// A kind, its numbers a row, and its rows a program; 0 where programs differ.
struct Shape {
  const char *kind;
  size_t width, rows;
};

class PublishedFeaturesTest : public WorkloadTest, public ::testing::WithParamInterface<Shape> {
protected:
  PublishedFeaturesTest() {
    std::string error;
    kind = findFeatureKind(GetParam().kind, error);
    EXPECT_TRUE(kind) << error;
  }
  std::vector<float> extract(const Workload &workload, const Candidate &candidate,
                             const Target &target) {
    std::vector<float> rows;
    kind->extract(workload, candidate, target.machine, rows);
    return rows;
  }
  const FeatureKind *kind;
};

TEST_P(PublishedFeaturesTest, EachNumberHasAName) {
  std::vector<std::string> names = kind->names();
  EXPECT_EQ(names.size(), GetParam().width);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

/// The workloads are all those that there are, on a CPU with remainders and on a device with grids.
TEST_P(PublishedFeaturesTest, RowsAreWholeFiniteAndTheSameAgain) {
  for (const char *name :
       {"x86_avx512_vnni+x86_avx512_bf16+x86_avx512f@zen4", "nvidia_sm80", "nvidia_sm90a"}) {
    Target target = this->target(name);
    for (const Workload &workload : corpus()) {
      std::string reason;
      std::vector<Candidate> candidates = enumerateCandidates(workload, target, reason);
      for (size_t i = 0; i < candidates.size(); i += 7) {
        std::vector<float> rows = extract(workload, candidates[i], target);
        ASSERT_FALSE(rows.empty());
        ASSERT_EQ(rows.size() % GetParam().width, 0u);
        if (GetParam().rows) {
          ASSERT_EQ(rows.size(), GetParam().width * GetParam().rows);
        }
        for (float value : rows)
          ASSERT_TRUE(std::isfinite(value)) << workload.name();
        ASSERT_EQ(rows, extract(workload, candidates[i], target));
      }
    }
  }
}

TEST_P(PublishedFeaturesTest, DifferentChoicesHaveDifferentRows) {
  Target target = this->target("x86_avx512_vnni@zen4");
  Workload workload = make("linalg.matmul", "128x768xi8", "768x768xi8", "128x768xi32");
  std::string reason;
  Candidate first = enumerateCandidates(workload, target, reason).front();
  std::vector<Candidate> others(3, first);
  others[0].tileM = first.tileM == 4 ? 8 : 4;
  others[1].cacheK = first.cacheK == 256 ? 384 : 256;
  others[2].packLhs = first.packLhs == Packing::None ? Packing::Block : Packing::None;
  for (auto [i, other] : llvm::enumerate(others))
    EXPECT_NE(extract(workload, first, target), extract(workload, other, target)) << i;
}

INSTANTIATE_TEST_SUITE_P(All, PublishedFeaturesTest,
                         ::testing::Values(Shape{"ansor", 164, 0}, Shape{"tlp", 22, 25},
                                           Shape{"unicomo", 181, 27}, Shape{"assignment", 26, 20}),
                         [](auto &info) { return std::string(info.param.kind); });

} // namespace
