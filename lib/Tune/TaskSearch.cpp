//===- TaskSearch.cpp - Which candidates of one task to measure next
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/TaskSearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace ucmoh;

std::optional<Correction> ucmoh::parseCorrection(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Correction>>(name)
      .Case("none", Correction::None)
      .Case("linear", Correction::Linear)
      .Case("nearby", Correction::Nearby)
      .Default(std::nullopt);
}

Kernel ucmoh::kernelOf(Correction correction) {
  Kernel kernel;
  kernel.offset = 0.3;
  kernel.noise = 0.02;
  switch (correction) {
  case Correction::None:
    kernel.own = 0.15;
    break;
  case Correction::Linear:
    kernel.linear = 0.15;
    kernel.own = 0.05;
    break;
  case Correction::Nearby:
    kernel.nearby = 0.1;
    kernel.nearbyScale = 0.5;
    kernel.own = 0.05;
    break;
  }
  return kernel;
}

TaskSearch::TaskSearch(std::vector<double> predictedSeconds, std::vector<FeaturePoint> points,
                       double uses, const Kernel &kernel)
    : predicted(std::move(predictedSeconds)), seconds(predicted.size()),
      states(predicted.size(), State::Open), process(std::move(points), kernel), uses(uses) {}

double TaskSearch::expectedSeconds(size_t candidate) const {
  return predicted[candidate] * std::exp(process.getMean(candidate));
}

double TaskSearch::getBestSeconds() const { return best ? seconds[*best] : expectedSeconds(0); }

double TaskSearch::getPickSeconds() const {
  return states.front() == State::Measured ? seconds.front() : expectedSeconds(0);
}

bool TaskSearch::isExhausted() const { return !llvm::is_contained(states, State::Open); }

/// By how much of its logarithm the best time is expected to sink (Jones et al., "Efficient Global
/// Optimization of Expensive Black-Box Functions", 1998).
double TaskSearch::improvement(size_t candidate) const {
  double deviation = process.getDeviation(candidate);
  double margin = std::log(getBestSeconds() / expectedSeconds(candidate));
  if (deviation < 1e-9)
    return std::max(margin, 0.0);
  double z = margin / deviation;
  double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
  return margin * std::erfc(-z / M_SQRT2) / 2 + deviation * density;
}

/// Ties keep the model's order. Far from the best, all improvements are next to nothing: then what
/// is expected to be fastest.
size_t TaskSearch::findMostPromising() const {
  size_t found = size();
  std::pair<double, double> most;
  for (size_t i = 0; i < size(); ++i) {
    if (states[i] != State::Open)
      continue;
    std::pair<double, double> value(improvement(i), -expectedSeconds(i));
    if (found == size() || value > most) {
      found = i;
      most = value;
    }
  }
  return found;
}

std::vector<size_t> TaskSearch::propose(size_t count) {
  size_t known = process.countObservations();
  for (size_t i = 0; i < size(); ++i)
    if (states[i] == State::UnderWay)
      process.suppose(i);
  std::vector<size_t> proposed;
  while (proposed.size() < count && !isExhausted()) {
    size_t next = states.front() == State::Open ? 0 : findMostPromising();
    proposed.push_back(next);
    states[next] = State::UnderWay;
    process.suppose(next);
  }
  for (size_t candidate : proposed)
    states[candidate] = State::Open;
  process.forgetFrom(known);
  return proposed;
}

void TaskSearch::begin(llvm::ArrayRef<size_t> candidates) {
  for (size_t candidate : candidates)
    if (states[candidate] == State::Open)
      states[candidate] = State::UnderWay;
}

void TaskSearch::observe(size_t candidate, double measured) {
  if (states[candidate] != State::Measured)
    process.observe(candidate, std::log(measured / predicted[candidate]));
  states[candidate] = State::Measured;
  seconds[candidate] = measured;
  best.reset();
  for (size_t i = 0; i < size(); ++i)
    if (states[i] == State::Measured && (!best || seconds[i] < seconds[*best]))
      best = i;
}

void TaskSearch::fail(size_t candidate) { states[candidate] = State::Failed; }

double TaskSearch::expectedGain(llvm::ArrayRef<size_t> candidates) {
  double sum = 0;
  for (size_t candidate : candidates)
    sum += improvement(candidate);
  return uses * getBestSeconds() * (1 - std::exp(-sum));
}
