//===- Choice.cpp - The conductor: from a workload to a ranking of its candidates
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Choice.h"
#include "KernelSeconds.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/CostModel/CostModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <functional>

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

/// Extracts the features that the model is asked about: those of a thread alone, where it has seen
/// no program of as many threads.
static ProgramFeatures featuresOf(const Workload &workload, const Candidate &candidate,
                                  const Target &target, const CostModel &model) {
  Program program = buildProgram(workload, candidate);
  if (!knowsThreads(model, program.threads))
    program = programOfBusiest(std::move(program));
  return extractFeatures(program, *candidate.intrinsic, target.machine);
}

namespace {
/// Candidates with what the model is asked about them, and says.
struct Scored {
  std::vector<Candidate> candidates;
  std::vector<ProgramFeatures> features;
  std::vector<float> scores;

  Scored(std::vector<Candidate> of, const Workload &workload, const Target &target,
         const CostModel &model);
  std::optional<size_t> findPrepacked(const Candidate &widened) const;
};
} // namespace

Scored::Scored(std::vector<Candidate> of, const Workload &workload, const Target &target,
               const CostModel &model)
    : candidates(std::move(of)), scores(candidates.size()) {
  features.reserve(candidates.size());
  for (const Candidate &candidate : candidates)
    features.push_back(featuresOf(workload, candidate, target, model));
  model.score(features, scores);
  if (!knowsMachine(model, target))
    restrainScores(candidates, features, target, scores);
}

/// Which candidate computes what `widened` does once weights are wide: the best one with the same
/// register tile. Models have seen no program that widens.
std::optional<size_t> Scored::findPrepacked(const Candidate &widened) const {
  std::optional<size_t> best;
  for (auto [index, each] : llvm::enumerate(candidates))
    if (each.packRhs == Packing::Prepacked && each.intrinsic == widened.intrinsic &&
        each.tileM == widened.tileM && each.tileN == widened.tileN &&
        (!best || scores[index] < scores[*best]))
      best = index;
  return best;
}

std::vector<RankedCandidate> ucmoh::rankCandidates(const Workload &workload, const Target &target,
                                                   const CostModel &model, std::string &reason) {
  std::vector<Candidate> candidates = enumerateCandidates(workload, target, reason);
  auto isWidened = [](const Candidate &each) { return each.packRhs == Packing::Widened; };
  auto behind = std::stable_partition(candidates.begin(), candidates.end(), std::not_fn(isWidened));
  std::vector<Candidate> widened(behind, candidates.end());
  candidates.erase(behind, candidates.end());
  Scored known(std::move(candidates), workload, target, model);
  KernelSeconds kernel(workload, target.machine);
  std::vector<RankedCandidate> ranked;
  auto add = [&](const Candidate &candidate, size_t like) {
    const ProgramFeatures &program = known.features[like];
    float score = known.scores[like];
    double seconds =
        kernel(candidate, program, model.predictsSeconds() ? score : analyticSeconds(program));
    ranked.push_back({candidate, model.predictsSeconds() ? float(seconds) : score, seconds});
  };
  for (auto [index, candidate] : llvm::enumerate(known.candidates))
    add(candidate, index);
  for (const Candidate &candidate : widened)
    if (std::optional<size_t> like = known.findPrepacked(candidate))
      add(candidate, *like);
  llvm::stable_sort(
      ranked, [](const RankedCandidate &a, const RankedCandidate &b) { return a.score < b.score; });
  return ranked;
}

//===----------------------------------------------------------------------===//
// Which model is asked
//===----------------------------------------------------------------------===//

/// Integers multiply in the wider of both types, to which the other operand is extended.
static ElementType multiplied(IntrinsicOp op) {
  ElementType lhs = ElementType::get(op.getLhsType()), rhs = ElementType::get(op.getRhsType());
  return lhs.isInteger() && rhs.bits > lhs.bits ? rhs : lhs;
}

static bool areAlike(ElementType a, ElementType b) {
  return a.bits == b.bits && (a.kind == b.kind || (a.isInteger() && b.isInteger()));
}

static bool multiplyAlike(IntrinsicOp a, IntrinsicOp b) {
  return a.getShape() == b.getShape() && a.getSubgroupSize() == b.getSubgroupSize() &&
         areAlike(multiplied(a), multiplied(b)) &&
         areAlike(ElementType::get(a.getAccType()), ElementType::get(b.getAccType()));
}

/// Null if the library does not know `id` ("target::name").
static IntrinsicOp lookup(const TargetLibrary &library, llvm::StringRef id) {
  auto [target, name] = id.split("::");
  mlir::MLIRContext *context = library.getModule()->getContext();
  return library.lookup(
      mlir::SymbolRefAttr::get(context, target, mlir::FlatSymbolRefAttr::get(context, name)));
}

std::string ucmoh::whyUnseen(const CostModel &model, const Target &target) {
  if (model.getTrainedIntrinsics().empty())
    return "";
  std::vector<IntrinsicOp> seen;
  for (llvm::StringRef id : model.getTrainedIntrinsics())
    if (IntrinsicOp op = lookup(*target.library, id))
      seen.push_back(op);
  for (const Intrinsic &intrinsic : target.intrinsics)
    if (llvm::none_of(seen, [&](IntrinsicOp op) { return multiplyAlike(op, intrinsic.op); }))
      return "no intrinsic like " + intrinsic.id() + " was learned from";
  return "";
}

bool ucmoh::knowsThreads(const CostModel &model, int64_t threads) {
  return model.getTrainedIntrinsics().empty() ||
         llvm::is_contained(model.getTrainedThreads(), threads);
}

bool ucmoh::knowsMachine(const CostModel &model, const Target &target) {
  if (model.getTrainedIntrinsics().empty())
    return true;
  FeatureRow row;
  describeMachine(target.machine, row);
  return target.machineOp && model.knowsMachine(row);
}

std::unique_ptr<CostModel> ucmoh::createModelFor(const Target &target, llvm::StringRef name,
                                                 std::string &error, std::string *caveat) {
  auto model = createCostModel(name == "auto" ? "embedded" : name, error);
  std::string why = model ? whyUnseen(*model, target) : error;
  if (caveat && model && !knowsThreads(*model, target.threads))
    *caveat = llvm::formatv("no measurement with {0} threads was learned from: the model is asked "
                            "about the thread that has most to do",
                            target.threads);
  if (caveat && model && !knowsMachine(*model, target))
    *caveat = "no machine like '" + target.machine.name +
              "' was learned from: the roofline chooses "
              "the intrinsic, the learned model its tiles";
  if (caveat && !why.empty())
    *caveat = why + (name == "auto" ? "; the roofline decides" : "; model=auto takes the roofline");
  return name == "auto" && !why.empty() ? createCostModel("analytic", error) : std::move(model);
}
