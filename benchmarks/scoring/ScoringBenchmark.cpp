//===- ScoringBenchmark.cpp - What a choice costs inside the compiler
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// 512 candidates of a matrix product (u8 x s8, 128x768x768) on this CPU, or of the target in
/// UCMOH_TARGET: their features alone, each model on finished features, and both together. One
/// thread.
///
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Dialect/Registration.h"
#include <benchmark/benchmark.h>
#include <cstdlib>

using namespace mlir;
using namespace ucmoh;

static constexpr size_t programCount = 512;

static constexpr const char *product = R"mlir(
func.func @f(%l: tensor<128x768xi8>, %r: tensor<768x768xi8> {ucmoh.weight}, %a: tensor<128x768xi32>) -> tensor<128x768xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
       ins(%l, %r : tensor<128x768xi8>, tensor<768x768xi8>) outs(%a : tensor<128x768xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %xi = arith.extui %x : i8 to i32
    %yi = arith.extsi %y : i8 to i32
    %p = arith.muli %xi, %yi : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<128x768xi32>
  return %0 : tensor<128x768xi32>
})mlir";

namespace {
/// A workload with its candidates; more than it has are the same ones again.
struct Scene {
  Scene() {
    registerInputDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    module = parseSourceString<ModuleOp>(product, &context);
    module->walk([&](linalg::LinalgOp op) { workload = analyzeWorkload(op).workload; });
    const char *name = std::getenv("UCMOH_TARGET");
    target = *loadTarget(&context, name ? name : "host");
    std::string reason;
    candidates = enumerateCandidates(*workload, *target, reason);
    size_t distinct = candidates.size();
    for (size_t i = 0; candidates.size() < programCount; ++i)
      candidates.push_back(candidates[i % distinct]);
    candidates.erase(candidates.begin() + programCount, candidates.end());
    extract(features);
  }
  void extract(std::vector<ProgramFeatures> &programs) const {
    programs.clear();
    for (const Candidate &candidate : candidates)
      programs.push_back(extractFeatures(*workload, candidate, target->machine));
  }
  static Scene &get() {
    static Scene scene;
    return scene;
  }

  DialectRegistry registry;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  std::optional<Workload> workload;
  std::optional<Target> target;
  std::vector<Candidate> candidates;
  std::vector<ProgramFeatures> features;
};
} // namespace

static void enumerate(benchmark::State &state) {
  std::string reason;
  for (auto unused : state)
    benchmark::DoNotOptimize(
        enumerateCandidates(*Scene::get().workload, *Scene::get().target, reason).data());
}

static void extract(benchmark::State &state) {
  std::vector<ProgramFeatures> programs;
  for (auto unused : state)
    Scene::get().extract(programs);
}

static void score(benchmark::State &state, const std::string &name, bool extracts) {
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel(name, error);
  if (!model)
    return state.SkipWithError(error.c_str());
  std::vector<ProgramFeatures> programs = Scene::get().features;
  std::vector<float> scores(programCount);
  for (auto unused : state) {
    if (extracts)
      Scene::get().extract(programs);
    model->score(programs, scores);
    benchmark::DoNotOptimize(scores.data());
  }
}

BENCHMARK(enumerate)->Unit(benchmark::kMillisecond)->Name("candidates");
BENCHMARK(extract)->Unit(benchmark::kMillisecond)->Name("features");
BENCHMARK_CAPTURE(score, analytic, "analytic", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(score, embedded, "embedded", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(score, features_and_analytic, "analytic", true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(score, features_and_embedded, "embedded", true)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
