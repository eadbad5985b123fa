//===- MachineJitter.cpp - Machines that are not quite those of the data
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineJitter.h"
#include "ucmoh/CostModel/NetworkParameters.h"
#include "ucmoh/Training/Programs.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>

using namespace ucmoh;
using F = Feature;

/// What a file or the probe says and the system does not.
static constexpr F ofMachine[] = {F::clockGHz,
                                  F::l1BytesPerCycle,
                                  F::broadcastBytesPerCycle,
                                  F::l2BytesPerCycle,
                                  F::l3BytesPerCycle,
                                  F::memoryBytesPerCycle,
                                  F::totalMemoryBytesPerCycle,
                                  F::memoryLatencyCycles};
static constexpr F ofIntrinsic[] = {F::latencyCycles, F::throughputCycles};

namespace {

/// The machine of one list, in which each intrinsic has costs of its own.
class Factors {
public:
  Factors(double deviation, std::mt19937_64 &random) : deviation(deviation), random(random) {
    for (float &factor : machine)
      factor = draw();
  }
  void apply(ProgramFeatures &program, int32_t intrinsic) {
    auto [entry, isNew] = costs.try_emplace(intrinsic);
    if (isNew)
      for (float &factor : entry->second)
        factor = draw();
    for (FeatureRow &row : program) {
      for (auto [feature, factor] : llvm::zip_equal(ofMachine, machine))
        row[feature] *= factor;
      for (auto [feature, factor] : llvm::zip_equal(ofIntrinsic, entry->second))
        row[feature] *= factor;
    }
  }

private:
  float draw() { return std::exp2(deviation * std::normal_distribution<>()(random)); }
  double deviation;
  std::mt19937_64 &random;
  std::array<float, std::size(ofMachine)> machine;
  llvm::DenseMap<int32_t, std::array<float, std::size(ofIntrinsic)>> costs;
};

} // namespace

void ucmoh::jitterMachines(const Dataset &data, const NetworkData &network,
                           llvm::ArrayRef<ProgramList> lists, double deviation,
                           std::mt19937_64 &random, Batch &batch) {
  llvm::DenseMap<int64_t, Factors *> factorsOf;
  std::vector<Factors> drawn;
  drawn.reserve(lists.size());
  for (const ProgramList &list : lists) {
    if (random() % 2)
      continue;
    Factors &factors = drawn.emplace_back(deviation, random);
    for (int64_t program : list.programs)
      factorsOf[program] = &factors;
  }
  int64_t row = 0;
  llvm::SmallVector<float, 0> inputs;
  const float *used = network.used.data_ptr<float>();
  for (auto [position, program] : llvm::enumerate(batch.programs)) {
    int64_t rows = data.rowCount(program);
    if (Factors *factors = factorsOf.lookup(program)) {
      ProgramFeatures features = programFeatures(data, program);
      factors->apply(features, data.intrinsic[program]);
      inputs.clear();
      batch.roofline.data_ptr<float>()[position] = networkInputs(features, inputs);
      float *to = batch.inputs.data_ptr<float>() + row * networkInputCount;
      for (auto [number, input] : llvm::enumerate(inputs))
        to[number] = std::log2(1 + input) * used[number % networkInputCount];
    }
    row += rows;
  }
}
