//===- Choice.cpp - The conductor: from a workload to a ranking of its candidates
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/ModelChoice.h"
#include "ucmoh/CostModel/CostModel.h"

using namespace mlir;
using namespace ucmoh;

/// Scores of a model on a machine that it does not know.
static void restrainScores(ArrayRef<Candidate> candidates, ArrayRef<ProgramFeatures> features,
                           const Target &target, MutableArrayRef<float> scores) {
  std::vector<unsigned> intrinsics;
  std::vector<double> roofline;
  for (auto [candidate, program] : llvm::zip_equal(candidates, features)) {
    intrinsics.push_back(candidate.intrinsic - target.intrinsics.data());
    roofline.push_back(analyticSeconds(program));
  }
  restrain(intrinsics, roofline, scores);
}

double ucmoh::predictSeconds(const ProgramFeatures &program, const Target &target,
                             const CostModel &model) {
  if (!model.predictsSeconds() || !knowsMachine(model, target))
    return analyticSeconds(program);
  float seconds;
  model.score(program, seconds);
  return seconds;
}

/// What the model is asked about: a thread alone, where it has seen no program of as many threads.
static ProgramFeatures featuresOf(const Workload &workload, const Candidate &candidate,
                                  const Target &target, const CostModel &model) {
  Program program = buildProgram(workload, candidate);
  if (!knowsThreads(model, program.threads))
    program = programOfBusiest(std::move(program));
  return extractFeatures(program, *candidate.intrinsic, target.machine);
}

std::vector<RankedCandidate> ucmoh::rankCandidates(const Workload &workload, const Target &target,
                                                   const CostModel &model, std::string &reason) {
  std::vector<Candidate> candidates = enumerateCandidates(workload, target, reason);
  std::vector<ProgramFeatures> features;
  features.reserve(candidates.size());
  for (const Candidate &candidate : candidates)
    features.push_back(featuresOf(workload, candidate, target, model));
  std::vector<float> scores(candidates.size());
  model.score(features, scores);
  if (!knowsMachine(model, target))
    restrainScores(candidates, features, target, scores);
  std::vector<RankedCandidate> ranked;
  for (auto [candidate, score, program] : llvm::zip_equal(candidates, scores, features))
    ranked.push_back(
        {candidate, score, model.predictsSeconds() ? double(score) : analyticSeconds(program)});
  llvm::stable_sort(
      ranked, [](const RankedCandidate &a, const RankedCandidate &b) { return a.score < b.score; });
  return ranked;
}
