//===- Quantity.cpp - Something that is measured again and again
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantity.h"
#include "Clock.h"
#include <algorithm>

using namespace mlir;
using namespace ucmoh;

/// Which sample counts, as a part of all: not the very fastest, which a hiccup of the clock may
/// have made.
static constexpr double bestPart = 0.02;

double Quantity::best() const {
  std::vector<double> sorted = seconds;
  auto at = sorted.begin() + static_cast<int64_t>(bestPart * (sorted.size() - 1));
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

llvm::Expected<std::unique_ptr<Invocation>>
ucmoh::prepareFunction(Executable &executable, StringRef name, const std::vector<Tensor> &arguments,
                       Tensor rounds) {
  Signature signature{name.str(), {}, {}};
  std::vector<Tensor> all = arguments;
  all.push_back(rounds);
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
                                                            double unitsPerRound,
                                                            double callSeconds) {
  Tensor rounds(IndexType::get(arguments.front().getElementType().getContext()), {});
  auto prepared = prepareFunction(executable, name, arguments, rounds);
  if (!prepared)
    return prepared.takeError();
  std::shared_ptr<Invocation> invocation = std::move(*prepared);
  auto time = [invocation] {
    auto start = now();
    llvm::cantFail(invocation->run()); // native code without a device has no errors
    return secondsSince(start);
  };
  int64_t count = 1;
  for (rounds.setInteger(0, count); time() < callSeconds; rounds.setInteger(0, count))
    count *= 2;
  return [=] { return time() / (count * unitsPerRound); };
}
