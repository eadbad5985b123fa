//===- Benchmark.cpp - Something that is measured again and again
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Benchmark.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>

using namespace mlir;
using namespace ucmoh;

/// How many of the fastest samples do not count: a hiccup of the system's clock may have made them.
static constexpr size_t ignoredSamples = 2;
static constexpr int64_t calibrationSamples = 10;
/// How long one benchmark runs in a round, and how long the core settles before it: behind tiles a
/// Sapphire Rapids keeps their clock for a while (docs/results/probe.md).
static constexpr double roundSeconds = 2e-3, settlingSeconds = 1e-3;

void Benchmark::takeRound() {
  TimePoint start = now();
  int64_t before = samples();
  for (double at = 0; samples() == before || at < roundSeconds; at = secondsSince(start)) {
    double value = measure();
    if (at >= settlingSeconds)
      seconds.push_back(value);
  }
}

static double bestOf(llvm::ArrayRef<double> seconds) {
  std::vector<double> sorted(seconds);
  auto at = sorted.begin() + std::min(ignoredSamples, sorted.size() - 1);
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

double Benchmark::best() const { return bestOf(seconds); }

double Benchmark::disagreement() const {
  llvm::ArrayRef<double> all(seconds);
  if (all.size() < 2)
    return 0;
  auto [low, high] =
      std::minmax({bestOf(all.take_front(all.size() / 2)), bestOf(all.drop_front(all.size() / 2))});
  return high / low - 1;
}

llvm::Expected<std::unique_ptr<Invocation>>
ucmoh::prepareFunction(Executable &executable, StringRef name, const std::vector<Tensor> &arguments,
                       Tensor iterations) {
  Signature signature{name.str(), {}, {}};
  std::vector<Tensor> all = arguments;
  all.push_back(iterations);
  for (const Tensor &tensor : all) {
    Parameter &parameter = signature.parameters.emplace_back();
    parameter.elementType = tensor.getElementType();
    parameter.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  }
  signature.parameters.back().isScalar = true;
  return executable.prepare(signature, all);
}

llvm::Expected<std::function<double()>> ucmoh::timeFunction(Executable &executable, StringRef name,
                                                            const std::vector<Tensor> &arguments,
                                                            double unitsPerIteration,
                                                            double callSeconds) {
  Tensor iterations(IndexType::get(arguments.front().getElementType().getContext()), {});
  auto prepared = prepareFunction(executable, name, arguments, iterations);
  if (!prepared)
    return prepared.takeError();
  std::shared_ptr<Invocation> invocation = std::move(*prepared);
  auto time = [invocation, iterations](int64_t count) {
    iterations.setInteger(0, count);
    auto start = now();
    llvm::cantFail(invocation->run()); // native code without a device has no errors
    return secondsSince(start);
  };
  auto fastest = [&](int64_t count) {
    Benchmark benchmark("", /*usesCaches=*/false, [&] { return time(count); });
    while (benchmark.samples() < calibrationSamples)
      benchmark.sample();
    return benchmark.best();
  };
  int64_t count = 1;
  while (fastest(count) < callSeconds)
    count *= 2;
  // Another iteration goes first: it brings operands to their cache.
  return [=, overhead = fastest(0)] {
    time(1);
    return (time(count) - overhead) / (count * unitsPerIteration);
  };
}
