//===- ThreadStacks.cpp - Stack buffers of threads, once per thread
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_THREADSTACKS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// The scopes themselves must go: lowered to branches, a loop does not fit into one.
static void liftStacks(RewriterBase &rewriter, omp::ParallelOp parallel) {
  Block &entry = parallel.getRegion().front();
  parallel.walk([&](memref::AllocaOp alloca) {
    if (alloca.getType().hasStaticShape())
      rewriter.moveOpBefore(alloca, &entry, entry.begin());
  });
  SmallVector<memref::AllocaScopeOp> scopes;
  parallel.walk([&](memref::AllocaScopeOp scope) { scopes.push_back(scope); });
  for (memref::AllocaScopeOp scope : scopes) {
    rewriter.inlineBlockBefore(&scope.getBodyRegion().front(), scope);
    auto terminator = cast<memref::AllocaScopeReturnOp>(scope->getPrevNode());
    rewriter.replaceOp(scope, terminator.getOperands());
    rewriter.eraseOp(terminator);
  }
}

/// The end of a part of the program that threads share is a barrier: none is needed right before
/// it.
static void removeBarrier(omp::WsloopOp loop) {
  if (isa_and_nonnull<omp::ParallelOp>(loop->getParentOp()) &&
      isa<omp::TerminatorOp>(loop->getNextNode()))
    loop.setNowait(true);
}

namespace {
struct ThreadStacksPass : ucmoh::impl::ThreadStacksBase<ThreadStacksPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](omp::ParallelOp parallel) { liftStacks(rewriter, parallel); });
    getOperation()->walk(removeBarrier);
  }
};
} // namespace
