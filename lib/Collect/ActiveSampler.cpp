//===- ActiveSampler.cpp - Candidates that tell a model most
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ActiveSampler.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/CostModel/Features.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace ucmoh;

/// Where models agree there is still something to learn.
static constexpr double leastUncertainty = 0.1;

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::vector<ActivePoint> ucmoh::describeCandidates(const Workload &workload, const Machine &machine,
                                                   llvm::ArrayRef<const RankedCandidate *> ranked) {
  std::vector<ActivePoint> points(ranked.size());
  std::vector<std::pair<double, size_t>> roofline;
  for (auto [i, entry] : llvm::enumerate(ranked)) {
    ProgramFeatures rows = extractFeatures(workload, entry->candidate, machine);
    points[i].position = locate(rows);
    roofline.emplace_back(analyticSeconds(rows), i);
  }
  llvm::sort(roofline);
  for (auto [rank, entry] : llvm::enumerate(roofline))
    points[entry.second].uncertainty =
        std::abs(double(rank) - double(entry.second)) / roofline.size();
  return points;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static void standardize(std::vector<ActivePoint> &points) {
  for (size_t i = 0; i < points.front().position.size(); ++i) {
    double sum = 0, squares = 0;
    for (const ActivePoint &point : points) {
      sum += point.position[i];
      squares += point.position[i] * point.position[i];
    }
    double mean = sum / points.size(), variance = squares / points.size() - mean * mean;
    double scale = variance > 1e-12 ? 1 / std::sqrt(variance) : 0;
    for (ActivePoint &point : points)
      point.position[i] = (point.position[i] - mean) * scale;
  }
}

static double squaredDistance(const ActivePoint &a, const ActivePoint &b) {
  double sum = 0;
  for (auto [x, y] : llvm::zip_equal(a.position, b.position))
    sum += (x - y) * (x - y);
  return sum;
}

/// Mean similarity to all points, between 0 and 1; distances are measured in coordinates' number,
/// the expected square of one between independent points being twice that.
static std::vector<double> representativeness(const std::vector<ActivePoint> &points) {
  std::vector<double> mean(points.size());
  double scale = std::max<size_t>(1, points.front().position.size());
  for (size_t i = 0; i < points.size(); ++i)
    for (size_t j = 0; j < points.size(); ++j)
      mean[i] += std::exp(-squaredDistance(points[i], points[j]) / scale) / points.size();
  return mean;
}

std::vector<size_t> ucmoh::chooseInformative(std::vector<ActivePoint> points, size_t count) {
  std::vector<size_t> chosen;
  if (points.empty())
    return chosen;
  standardize(points);
  std::vector<double> value = representativeness(points);
  for (auto [score, point] : llvm::zip_equal(value, points))
    score *= leastUncertainty + point.uncertainty;
  // Before anything is chosen all are equally far from it.
  std::vector<double> distance(points.size(), 1);
  std::vector<bool> taken(points.size());
  while (chosen.size() < std::min(count, points.size())) {
    size_t best = points.size();
    for (size_t i = 0; i < points.size(); ++i)
      if (!taken[i] &&
          (best == points.size() || value[i] * distance[i] > value[best] * distance[best]))
        best = i;
    taken[best] = true;
    for (size_t i = 0; i < points.size(); ++i) {
      double there = std::sqrt(squaredDistance(points[i], points[best]));
      distance[i] = chosen.empty() ? there : std::min(distance[i], there);
    }
    chosen.push_back(best);
  }
  return chosen;
}
