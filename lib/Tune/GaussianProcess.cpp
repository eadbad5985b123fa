//===- GaussianProcess.cpp - What some measurements say of all candidates
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Regression as in Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006),
/// algorithm 2.1, with one row of the Cholesky factor per observation. Rows are kept for all
/// points, so that nothing is solved again when one more is observed.
///
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/GaussianProcess.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ucmoh;

/// Less is rounding.
static constexpr double leastVariance = 1e-12;

void ucmoh::standardize(std::vector<FeaturePoint> &points) {
  if (points.empty())
    return;
  std::vector<FeaturePoint> kept(points.size());
  for (size_t i = 0; i < points.front().size(); ++i) {
    double sum = 0, squares = 0;
    for (const FeaturePoint &point : points)
      sum += point[i];
    double mean = sum / points.size();
    for (const FeaturePoint &point : points)
      squares += (point[i] - mean) * (point[i] - mean);
    double variance = squares / points.size();
    if (variance <= 1e-9)
      continue;
    for (auto [to, point] : llvm::zip_equal(kept, points))
      to.push_back((point[i] - mean) / std::sqrt(variance));
  }
  points = std::move(kept);
}

GaussianProcess::GaussianProcess(std::vector<FeaturePoint> points, const Kernel &kernel)
    : points(std::move(points)), kernel(kernel), mean(this->points.size()) {
  for (size_t i = 0; i < size(); ++i)
    variance.push_back(covariance(i, i));
}

double GaussianProcess::covariance(size_t a, size_t b) const {
  double product = 0, distance = 0;
  for (auto [x, y] : llvm::zip_equal(points[a], points[b])) {
    product += double(x) * y;
    distance += (double(x) - y) * (double(x) - y);
  }
  double count = std::max<size_t>(1, points[a].size());
  double far = distance / (2 * count * kernel.nearbyScale * kernel.nearbyScale);
  return kernel.offset * kernel.offset + kernel.linear * kernel.linear * product / count +
         kernel.nearby * kernel.nearby * std::exp(-far) + (a == b ? kernel.own * kernel.own : 0);
}

void GaussianProcess::observe(size_t point, double value) {
  double deviation =
      std::sqrt(std::max(variance[point], leastVariance) + kernel.noise * kernel.noise);
  double weight = (value - mean[point]) / deviation;
  std::vector<double> row(size());
  for (size_t i = 0; i < size(); ++i)
    row[i] = covariance(point, i);
  for (const std::vector<double> &earlier : factors)
    for (size_t i = 0; i < size(); ++i)
      row[i] -= earlier[point] * earlier[i];
  for (size_t i = 0; i < size(); ++i) {
    row[i] /= deviation;
    mean[i] += row[i] * weight;
    variance[i] -= row[i] * row[i];
  }
  factors.push_back(std::move(row));
  weights.push_back(weight);
}

void GaussianProcess::forgetFrom(size_t count) {
  while (factors.size() > count) {
    for (size_t i = 0; i < size(); ++i) {
      mean[i] -= factors.back()[i] * weights.back();
      variance[i] += factors.back()[i] * factors.back()[i];
    }
    factors.pop_back();
    weights.pop_back();
  }
}

double GaussianProcess::getDeviation(size_t point) const {
  return std::sqrt(std::max(variance[point], 0.0));
}
