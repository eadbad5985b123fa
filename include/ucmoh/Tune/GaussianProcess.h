//===- GaussianProcess.h - What some measurements say of all candidates
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TUNE_GAUSSIANPROCESS_H
#define UCMOH_TUNE_GAUSSIANPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace ucmoh {

/// Where a candidate is among the others: close points are like programs.
using FeaturePoint = std::vector<double>;

/// Brings each coordinate to mean 0 and variance 1 and leaves out those that do not vary.
void standardize(std::vector<FeaturePoint> &points);

/// How values of two points are related: standard deviations of the parts that a value is the sum
/// of.
struct Kernel {
  double offset = 0;      ///< the same for all points
  double linear = 0;      ///< a linear function of the coordinates
  double nearby = 0;      ///< a smooth function: alike where points are near
  double nearbyScale = 1; ///< distance per coordinate at which that is another value
  double own = 0;         ///< each point varies by so much alone
  double noise = 0;       ///< each observation varies by so much
};

/// A value at each point, of which some are observed. Before, all have mean 0. An observation takes
/// time of points times observations.
class GaussianProcess {
public:
  GaussianProcess(std::vector<FeaturePoint> points, const Kernel &kernel);

  /// Takes in that the value at `point` is `value`, give or take the kernel's noise.
  void observe(size_t point, double value);
  /// As if the value at `point` were observed to be what is expected: variances shrink, means stay.
  void suppose(size_t point) { observe(point, mean[point]); }
  /// Forgets all but the first `count` observations.
  void forgetFrom(size_t count);

  /// How many points there are.
  size_t size() const { return mean.size(); }
  /// Observations and suppositions that are not forgotten.
  size_t countObservations() const { return factors.size(); }
  /// Returns the expected value at a point.
  double getMean(size_t point) const { return mean[point]; }
  /// How far from it the value may be, as a standard deviation.
  double getDeviation(size_t point) const;

private:
  double covariance(size_t a, size_t b) const;

  std::vector<FeaturePoint> points;
  Kernel kernel;
  std::vector<double> mean, variance;
  /// Row i of the Cholesky factor, extended from the observed points to all of them: what
  /// observation i explains of each point that earlier ones do not.
  std::vector<std::vector<double>> factors;
  std::vector<double> weights; ///< per observation: how far it was from what was expected
};

} // namespace ucmoh

#endif // UCMOH_TUNE_GAUSSIANPROCESS_H
