//===- Blocks.cpp - Attention by blocks of rows
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks/Chain.h"
#include "PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Analysis/RowBlocks.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

namespace ucmoh {
#define GEN_PASS_DEF_BLOCKS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

/// The size of a chain's blocks, on its second contraction.
static constexpr llvm::StringLiteral rowsName = "ucmoh.rows";

static int64_t bytesOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// The rows of both contractions are rows of fragments; else none is known.
static std::optional<RowChain> analyzeChain(const Chain &chain) {
  WorkloadOrReason first = analyzeWorkload(chain.first), second = analyzeWorkload(chain.second);
  SmallVector<int64_t> extents = LinalgOp(chain.second).getStaticLoopRanges();
  int64_t batches = 1, rows = extents[chain.rows];
  for (unsigned loop : chain.batches)
    batches *= extents[loop];
  for (const WorkloadOrReason *analyzed : {&first, &second})
    if (!*analyzed || analyzed->workload->extent(DimRole::M) != rows ||
        analyzed->workload->extent(DimRole::Batch) != batches)
      return std::nullopt;
  int64_t bytes = bytesOf(chain.scores);
  if (chain.operand != chain.scores)
    bytes += bytesOf(chain.operand);
  return RowChain{*first.workload, *second.workload, batches, rows, bytes / (batches * rows)};
}

namespace {
struct BlocksPass : ucmoh::impl::BlocksBase<BlocksPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return passTarget.initialize(context, target);
  }

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) {
      if (isContractionLike(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    bool changed = false;
    for (LinalgOp op : ops)
      if (std::optional<Chain> chain = findChain(op); chain && !chain->isOpen()) {
        FailureOr<int64_t> rows = rowsOf(*chain);
        if (failed(rows))
          return signalPassFailure();
        op->removeAttr(rowsName);
        changed |= *rows > 0;
        if (*rows > 0)
          computeInBlocks(rewriter, *chain, *rows);
      }
    if (changed && failed(simplify()))
      signalPassFailure();
  }

  /// Returns the rows that are pinned, or those that the model decides.
  FailureOr<int64_t> rowsOf(const Chain &chain) {
    if (auto pinned = chain.second->getAttrOfType<IntegerAttr>(rowsName))
      return pinned.getInt();
    std::optional<RowChain> analyzed = analyzeChain(chain);
    if (!analyzed || !keepsThreadsBusy(analyzed->batches))
      return int64_t(0);
    auto kernels = onDemand.get(getOperation(), passTarget, model, /*threads=*/1, choices);
    if (failed(kernels))
      return failure();
    if (!*kernels || isChosen(**kernels, *analyzed))
      return int64_t(0);
    int64_t rows = RowBlocks((*kernels)->best).choose(*analyzed);
    describe(chain, *analyzed, rows, (*kernels)->best);
    return rows;
  }

  /// Threads share the batches, each of which is computed as if there were no other thread.
  bool keepsThreadsBusy(int64_t batches) const {
    constexpr double mostIdle = 0.1;
    return llvm::alignTo(batches, threads) <= (1 + mostIdle) * batches;
  }

  /// Whether the file of choices has a kernel for one of the contractions as a whole.
  static bool isChosen(PassKernels &kernels, const RowChain &chain) {
    return kernels.pinned.lookup(chain.first) || kernels.pinned.lookup(chain.second);
  }

  void describe(const Chain &chain, const RowChain &analyzed, int64_t rows, BestKernels &best) {
    Operation *op = chain.second;
    RowBlocks blocks(best);
    auto function = op->getParentOfType<func::FuncOp>();
    auto options = remark::RemarkOpts::name("blocks").category("ucmoh").function(
        function ? function.getName() : "");
    remark::passed(op->getLoc(), options)
        << llvm::formatv("{0}: {1} of {2} rows at once, predicted {3:f1} us, as a whole {4:f1} us",
                         analyzed.second.name(), rows ? rows : analyzed.rows, analyzed.rows,
                         blocks.predict(analyzed, rows) * 1e6, blocks.predict(analyzed, 0) * 1e6)
               .str();
  }

  LogicalResult simplify() {
    OpPassManager passes(getOperation()->getName().getStringRef());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    return runPipeline(passes, getOperation());
  }

  PassTarget passTarget;
  KernelsOnDemand onDemand;
};
} // namespace
