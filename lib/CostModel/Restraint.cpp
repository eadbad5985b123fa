//===- Restraint.cpp - What a learned model may say of machines that it has never seen
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/Restraint.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ucmoh;
using F = Feature;

/// How much of a correction counts. Learned on one machine and judged on another one, three
/// quarters give the best picks or nearly so in all four cases that were tried.
static constexpr double countedShare = 0.75;

/// Mean distance in octaves below which two machines are taken for the same. A second probe of one
/// machine differs by .01 to .07, a Zen 5 from a Zen 4 by .64.
static constexpr double likeOctaves = 0.15;

std::vector<double> ucmoh::machineNumbers(const FeatureRow &row) {
  std::vector<double> numbers;
  for (F feature : {F::clockGHz, F::l1Bytes, F::l2Bytes, F::l1BytesPerCycle,
                    F::broadcastBytesPerCycle, F::l2BytesPerCycle, F::l3BytesPerCycle})
    numbers.push_back(row[feature]);
  return numbers;
}

bool ucmoh::areAlike(llvm::ArrayRef<double> first, llvm::ArrayRef<double> second) {
  if (first.size() != second.size())
    return false;
  double octaves = 0;
  for (auto [a, b] : llvm::zip_equal(first, second))
    octaves += std::abs(std::log2(a / b));
  return octaves <= likeOctaves * first.size();
}

void ucmoh::restrain(llvm::ArrayRef<unsigned> intrinsics, llvm::ArrayRef<double> roofline,
                     llvm::MutableArrayRef<float> scores) {
  struct Best {
    double roofline = INFINITY;
    float score = INFINITY;
  };
  llvm::SmallDenseMap<unsigned, Best> bestOf;
  for (auto [intrinsic, seconds, score] : llvm::zip_equal(intrinsics, roofline, scores)) {
    score = seconds * std::pow(score / seconds, countedShare);
    Best &best = bestOf[intrinsic];
    best.roofline = std::min(best.roofline, seconds);
    best.score = std::min(best.score, score);
  }
  for (auto [intrinsic, score] : llvm::zip_equal(intrinsics, scores))
    score *= bestOf[intrinsic].roofline / bestOf[intrinsic].score;
}
