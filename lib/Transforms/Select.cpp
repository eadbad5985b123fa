//===- Select.cpp - The best choice, attached to each contraction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "Pieces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Remarks.h"
#include "ucmoh/Analysis/Border.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/NarrowWeights.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/ChoiceFile.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace ucmoh {
#define GEN_PASS_DEF_SELECT
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static std::string describe(const RankedCandidate &ranked) {
  const Candidate &c = ranked.candidate;
  return llvm::formatv("{0} tile {1}x{2} cache {3}x{4}x{5} order {6}, predicted {7:f1} us",
                       c.intrinsic->id(), c.tileM, c.tileN, c.cacheM, c.cacheN, c.cacheK,
                       c.order.toText(), ranked.predictedSeconds * 1e6)
      .str();
}

static remark::RemarkOpts remarkOptions(StringRef name, Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return remark::RemarkOpts::name(name).category("ucmoh").function(function ? function.getName()
                                                                            : "");
}

/// The type in which weights are packed ahead that have the type `have`.
static const ElementType &packedType(const Candidate &candidate, const ElementType &have) {
  return candidate.packRhs == Packing::Widened ? have : candidate.intrinsic->rhs;
}

/// Whether both read the same packed weights, whose type is `have` before.
static bool sharePacking(const Candidate &a, const Candidate &b, const ElementType &have) {
  const Intrinsic &one = *a.intrinsic, &other = *b.intrinsic;
  return isPackedAhead(a.packRhs) && isPackedAhead(b.packRhs) && a.tileN == b.tileN &&
         packedType(a, have) == packedType(b, have) && one.n == other.n && one.k == other.k &&
         one.kInterleave == other.kInterleave;
}

/// Whether the op computes a part of what one of dynamic extent computed.
static bool isPiece(Operation *op) {
  Operation *parent = op->getParentOp();
  return parent && parent->hasAttr(piecesMark);
}

namespace {
struct SelectPass : ucmoh::impl::SelectBase<SelectPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (failed(passTarget.initialize(context, target)))
      return failure();
    if (threads < 1 || threads > largestThreads)
      return emitError(UnknownLoc::get(context), "threads must be between 1 and ")
             << largestThreads << ", but is " << int64_t(threads);
    return choices.empty() ? success() : pinned.read(choices, context);
  }

  /// The target and the model that suits it.
  LogicalResult prepare() {
    FailureOr<Target> found = passTarget.resolve(getOperation());
    if (failed(found))
      return failure();
    resolved = *found;
    resolved.threads = threads;
    std::string error;
    costModel = createModelFor(resolved, model, error, &caveat);
    return costModel ? success() : emitError(UnknownLoc::get(&getContext()), error);
  }

  void runOnOperation() override {
    if (failed(prepare()))
      return signalPassFailure();
    packed.clear();
    findPieces();
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isContractionLike(op))
        select(op);
    });
    rankings.clear();
    pieces.clear();
    if (!choices.empty())
      pinned.reportUnused(getOperation());
  }

  void findPieces() {
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isContractionLike(op) && isPiece(op))
        if (WorkloadOrReason analyzed = analyzeTask(op))
          pieces[analyzed.workload->rhs.value].push_back(*analyzed.workload);
    });
  }

  void leaveAlone(linalg::LinalgOp op, StringRef reason) {
    remark::missed(op.getLoc(), remarkOptions("left alone", op)) << reason;
  }

  /// Fails, with the reason, when the op cannot have the choice that it carries.
  LogicalResult verifyChoice(const WorkloadOrReason &analyzed, ChoiceAttr choice,
                             std::string &reason) {
    reason = analyzed.reason;
    if (!analyzed)
      return failure();
    FailureOr<Candidate> candidate = Candidate::fromAttr(choice, resolved, reason);
    auto note = [&](const Twine &why) { reason = why.str(); };
    return success(succeeded(candidate) &&
                   succeeded(verifyCandidate(*analyzed.workload, *candidate, note)));
  }

  /// Whether the op carries a choice that stays. What is no #ucmoh.choice is for ucmoh-tile to
  /// refuse.
  bool keepsChoice(linalg::LinalgOp op, const WorkloadOrReason &analyzed) {
    auto choice = op->getAttrOfType<ChoiceAttr>("ucmoh.choice");
    std::string reason;
    if (!choice || succeeded(verifyChoice(analyzed, choice, reason)))
      return op->hasAttr("ucmoh.choice");
    op.emitWarning("carries a ucmoh.choice that is not legal here, which is replaced: ") << reason;
    op->removeAttr("ucmoh.choice");
    return false;
  }

  /// The cycles per weight of the best kernel that the target has for the product; infinite if
  /// there is none.
  double leastCycles(const NarrowProduct &product) {
    double least = std::numeric_limits<double>::infinity();
    std::string reason;
    for (const Candidate &each : enumerateCandidates(product.multiplied(), resolved, reason))
      if (readsNarrowWeights(each, product))
        least = std::min(least, cyclesPerWeight(each, product, resolved.machine));
    return least;
  }

  /// Rows that are quantized stay floats where no kernel of the target multiplies their integers.
  /// Those of floats are split into integers where that takes less, or where `held` is a choice of
  /// integers, whose packing is shared.
  std::optional<NarrowProduct> findNarrow(const WorkloadOrReason &analyzed, ChoiceAttr held) {
    std::optional<NarrowProduct> narrow =
        analyzed ? findNarrowProduct(*analyzed.workload) : std::nullopt;
    if (!narrow)
      return std::nullopt;
    std::string error;
    if (held)
      if (auto shared = Candidate::fromAttr(held, resolved, error); succeeded(shared)) {
        narrow->multiplyAs(shared->intrinsic->lhs);
        return narrow;
      }
    if (narrow->quantized && std::isinf(leastCycles(*narrow)))
      narrow->quantized.reset();
    if (!narrow->canSplitRows())
      return narrow;
    NarrowProduct split = *narrow;
    split.multiplyAs({ElementType::SignedInt, 8});
    return leastCycles(split) < leastCycles(*narrow) ? split : narrow;
  }

  /// Takes the choice from the file, or says that the file has none.
  void pin(linalg::LinalgOp op, const Workload &workload) {
    if (ChoiceAttr choice = pinned.lookup(workload))
      op->setAttr("ucmoh.choice", choice);
    else if (!op->hasAttr("ucmoh.choice"))
      remark::analysis(op.getLoc(), remarkOptions("not pinned", op))
          << llvm::formatv("no line of '{0}' is for {1}, for which the model chooses", choices,
                           workload.name())
                 .str();
  }

  void select(linalg::LinalgOp op) {
    WorkloadOrReason analyzed = analyzeTask(op);
    ChoiceAttr held =
        analyzed && isPiece(op) ? packed.lookup(analyzed.workload->rhs.value) : ChoiceAttr();
    std::optional<NarrowProduct> narrow = findNarrow(analyzed, held);
    if (narrow)
      analyzed.workload = narrow->multiplied();
    if (analyzed && !choices.empty())
      pin(op, *analyzed.workload);
    if (keepsChoice(op, analyzed))
      return;
    if (!analyzed)
      return leaveAlone(op, analyzed.reason);
    const Workload &workload = *analyzed.workload;
    ArrayRef<Workload> others = othersOf(op, workload);
    std::string key = identityOf(workload) + describePadding(workload) +
                      llvm::utohexstr(hash_value(held)) + std::to_string(others.size()) + "." +
                      (narrow ? std::to_string(narrow->bits() * narrow->pieces) : "");
    auto [decided, isNew] = decisions.try_emplace(key);
    if (isNew)
      decided->second = decide(workload, held, others, narrow);
    const Decision &decision = decided->second;
    if (!decision.choice)
      return leaveAlone(op, decision.text);
    op->setAttr("ucmoh.choice", decision.choice);
    if (isPiece(op))
      packed.try_emplace(workload.rhs.value, decision.choice);
    // As one piece: several would be printed as a list.
    remark::passed(op.getLoc(), remarkOptions("chosen", op)) << decision.text;
    if (!decision.rejected.empty())
      remark::analysis(op.getLoc(), remarkOptions("rejected", op)) << decision.rejected;
  }

  /// The pieces that read the weights of the op, which is one of them.
  ArrayRef<Workload> othersOf(Operation *op, const Workload &workload) {
    return isPiece(op) ? ArrayRef<Workload>(pieces[workload.rhs.value]) : ArrayRef<Workload>();
  }

  /// A choice and what to say of it; or the reason why there is none. And intrinsics that might
  /// have been chosen were the operands known to be smaller.
  struct Decision {
    ChoiceAttr choice;
    std::string text, rejected;
  };

  /// All candidates, best first; or the reason why there is none.
  struct Ranking {
    std::vector<RankedCandidate> candidates;
    std::string reason;
    ElementType weights; ///< their type in the program

    /// The first that reads weights as `other` does; null if none does.
    const RankedCandidate *findPacking(const Candidate &other) const {
      auto found = llvm::find_if(candidates, [&](const RankedCandidate &each) {
        return sharePacking(each.candidate, other, weights);
      });
      return found == candidates.end() ? nullptr : &*found;
    }
  };

  /// With the threads that are worth starting.
  const Ranking &rank(const Workload &workload) {
    auto [known, isNew] = rankings.try_emplace(identityOf(workload) + describePadding(workload));
    auto &[candidates, reason, weights] = known->second;
    weights = workload.rhs.type;
    if (isNew)
      candidates = rankCandidates(workload, resolved, *costModel, reason);
    if (isNew && !candidates.empty() && !paysToShare(candidates.front())) {
      resolved.threads = 1; // the target stays: candidates refer to its intrinsics
      candidates = rankCandidates(workload, resolved, *costModel, reason);
      resolved.threads = threads;
    }
    return known->second;
  }

  /// How much slower than its best kernel each of the pieces is with the candidate's packing: the
  /// sum of logarithms.
  double lossOfPieces(const Candidate &candidate, ArrayRef<Workload> all) {
    constexpr double ofOwnPacking = 1;
    double loss = 0;
    for (const Workload &piece : all) {
      const Ranking &ranking = rank(piece);
      const RankedCandidate *shared = ranking.findPacking(candidate);
      loss += shared
                  ? std::log(shared->predictedSeconds / ranking.candidates.front().predictedSeconds)
                  : ofOwnPacking;
    }
    return loss;
  }

  /// A candidate for the largest piece that is about as fast as the best one: the one whose packing
  /// suits all pieces best.
  std::optional<Candidate> bestForPieces(const Ranking &ranking, ArrayRef<Workload> all) {
    constexpr double aboutAsFast = 1.1;
    double most = aboutAsFast * ranking.candidates.front().predictedSeconds;
    double least = std::numeric_limits<double>::infinity();
    std::optional<Candidate> best;
    for (const RankedCandidate &each : ranking.candidates) {
      // Others with this packing have the same loss.
      if (each.predictedSeconds > most || ranking.findPacking(each.candidate) != &each)
        continue;
      double loss = lossOfPieces(each.candidate, all);
      if (loss < least)
        best = each.candidate;
      least = std::min(least, loss);
    }
    return best;
  }

  /// Those in front that read narrow weights. The model knows neither unpacking nor scales of
  /// groups, so of kernels that have them in their innermost loops, those come first whose
  /// instructions take least.
  void preferNarrow(std::vector<RankedCandidate> &ranked, const NarrowProduct &product) {
    auto readers =
        std::stable_partition(ranked.begin(), ranked.end(), [&](const RankedCandidate &each) {
          return readsNarrowWeights(each.candidate, product);
        });
    double arriving = arrivingCyclesPerWeight(product, resolved.machine);
    auto cost = [&](const RankedCandidate &each) {
      // Where costs are equal, wide vectors take fewer instructions, and narrow panels less
      // padding and fewer streams of scales.
      return std::tuple(
          std::max(cyclesPerWeight(each.candidate, product, resolved.machine), arriving),
          -each.candidate.intrinsic->n, each.candidate.tileN);
    };
    if (product.streamsWeights())
      std::stable_sort(
          ranked.begin(), readers,
          [&](const RankedCandidate &a, const RankedCandidate &b) { return cost(a) < cost(b); });
  }

  /// Whether all other threads together do more than it takes to start them.
  bool paysToShare(const RankedCandidate &best) {
    const Machine &machine = resolved.machine;
    return resolved.threads == 1 || resolved.device ||
           best.predictedSeconds * (resolved.threads - 1) >
               forkCycles(machine) / machine.clockGHz * 1e-9;
  }

  std::optional<Candidate> candidateOf(ChoiceAttr choice) {
    std::string error;
    FailureOr<Candidate> candidate = Candidate::fromAttr(choice, resolved, error);
    return succeeded(candidate) ? std::optional(*candidate) : std::nullopt;
  }

  /// Widened weights are as narrow as kernels of few rows read them, and a little slower than those
  /// that are wide already: they are for both to share.
  static void forgetWidened(std::vector<RankedCandidate> &ranked) {
    llvm::erase_if(ranked, [](const RankedCandidate &each) {
      return each.candidate.packRhs == Packing::Widened;
    });
  }

  /// The best one, of those that read the weights as they are packed for `held`, if any. `others`
  /// are the pieces that will read the same weights.
  Decision decide(const Workload &workload, ChoiceAttr held, ArrayRef<Workload> others,
                  const std::optional<NarrowProduct> &narrow) {
    const Ranking &ranking = rank(workload);
    std::vector<RankedCandidate> ranked = ranking.candidates;
    if (others.empty())
      forgetWidened(ranked);
    if (ranked.empty())
      return {ChoiceAttr(), ranking.reason, ""};
    std::optional<Candidate> packing;
    if (held)
      packing = candidateOf(held);
    else if (!narrow && !others.empty())
      packing = bestForPieces(ranking, others);
    if (narrow)
      preferNarrow(ranked, *narrow);
    auto shared = llvm::find_if(ranked, [&](const RankedCandidate &each) {
      return packing && sharePacking(each.candidate, *packing, workload.rhs.type);
    });
    if (shared != ranked.end())
      std::rotate(ranked.begin(), shared, shared + 1);
    const RankedCandidate &best = ranked.front();
    std::string text =
        llvm::formatv("{0}: {1}, from {2} candidates, for {3} by {4}", workload.name(),
                      describe(best), ranked.size(), resolved.machineId(), costModel->getName());
    if (ranked.size() > 1)
      text += "; runner-up " + describe(ranked[1]);
    if (!caveat.empty())
      text += "; " + caveat;
    return {best.candidate.toAttr(best.predictedSeconds, costModel->getName()), text,
            explainRejected(workload, resolved)};
  }

  PassTarget passTarget;
  Target resolved;
  std::shared_ptr<CostModel> costModel; // shared with the copies of the pass in other threads
  std::string caveat;                   ///< what remarks say of the model (Choice.h)
  ChoiceFile pinned;
  /// By workload, since networks repeat their layers, by the choice whose packing it shares, and by
  /// how many pieces share it.
  llvm::StringMap<Decision> decisions;
  DenseMap<Value, ChoiceAttr> packed; ///< by the weights that pieces read: that of the largest one
  DenseMap<Value, SmallVector<Workload, 0>> pieces; ///< by the weights that they read
  llvm::StringMap<Ranking> rankings; ///< by workload: pieces are looked at more than once
};
} // namespace
