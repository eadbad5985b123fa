//===- SelectKnobs.cpp - The knobs of someone's schedule, turned
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"

namespace ucmoh {
#define GEN_PASS_DEF_SELECTKNOBS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;
using transform::tune::KnobOp;

/// The field of a candidate that a knob of that name stands for; none for another name.
static std::optional<int64_t> fieldOf(const Candidate &candidate, StringRef name) {
  return llvm::StringSwitch<std::optional<int64_t>>(name)
      .Case("register_tile_m", candidate.tileM)
      .Case("register_tile_n", candidate.tileN)
      .Case("cache_tile_m", candidate.cacheM)
      .Case("cache_tile_n", candidate.cacheN)
      .Case("cache_tile_k", candidate.cacheK)
      .Default(std::nullopt);
}

/// The option that says what the candidate does; null if there is none.
static IntegerAttr optionFor(KnobOp knob, const Candidate &candidate) {
  int64_t value = *fieldOf(candidate, knob.getName());
  auto options = dyn_cast<ArrayAttr>(knob.getOptions());
  for (Attribute option : options ? options.getValue() : ArrayRef<Attribute>())
    if (auto integer = dyn_cast<IntegerAttr>(option); integer && integer.getInt() == value)
      return integer;
  return nullptr;
}

/// A schedule reads operands as they lie.
static bool readsInPlace(const RankedCandidate &ranked) {
  return ranked.candidate.packLhs == Packing::None && ranked.candidate.packRhs == Packing::None;
}

namespace {
struct SelectKnobsPass : ucmoh::impl::SelectKnobsBase<SelectKnobsPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return passTarget.initialize(context, target);
  }

  void runOnOperation() override {
    SmallVector<KnobOp> knobs;
    getOperation()->walk([&](KnobOp knob) {
      if (!knob.getSelected() && fieldOf(Candidate(), knob.getName()))
        knobs.push_back(knob);
    });
    if (!knobs.empty() && failed(turn(knobs)))
      signalPassFailure();
  }

  /// The workload of the module's contractions.
  FailureOr<Workload> findWorkload(KnobOp knob) {
    std::optional<Workload> found;
    bool isOnly = true;
    getOperation()->walk([&](linalg::LinalgOp op) {
      WorkloadOrReason analyzed = isContractionLike(op) ? analyzeWorkload(op) : WorkloadOrReason();
      if (!analyzed)
        return;
      isOnly &= !found || identityOf(*found) == identityOf(*analyzed.workload);
      found = *analyzed.workload;
    });
    if (found && isOnly)
      return *found;
    return knob.emitOpError("stands for a field of a choice, but the module has ")
           << (found ? "several contractions that differ" : "no contraction that can have one");
  }

  LogicalResult turn(ArrayRef<KnobOp> knobs) {
    FailureOr<Workload> workload = findWorkload(knobs.front());
    FailureOr<Target> resolved = passTarget.resolve(getOperation());
    if (failed(workload) || failed(resolved))
      return failure();
    std::string reason;
    std::unique_ptr<CostModel> costModel = createModelFor(*resolved, model, reason);
    if (!costModel)
      return emitError(UnknownLoc::get(&getContext()), reason);
    auto ranked = rankCandidates(*workload, *resolved, *costModel, reason);
    if (llvm::any_of(ranked, readsInPlace))
      llvm::erase_if(ranked, [](const RankedCandidate &r) { return !readsInPlace(r); });
    for (const RankedCandidate &entry : ranked)
      if (llvm::all_of(knobs, [&](KnobOp knob) { return optionFor(knob, entry.candidate); })) {
        for (KnobOp knob : knobs)
          knob.setSelectedAttr(optionFor(knob, entry.candidate));
        return success();
      }
    return KnobOp(knobs.front()).emitOpError("none of the ")
           << ranked.size() << " candidates of " << workload->name()
           << " has values that are all among the options of the knobs";
  }

  PassTarget passTarget;
};
} // namespace
