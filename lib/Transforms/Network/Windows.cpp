//===- Windows.cpp - Depthwise convolutions and poolings become kernels
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Checks.h"
#include "../PassTarget.h"
#include "../Pieces.h"
#include "../Prepare/Patterns.h"
#include "Rest.h"
#include "WindowEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_WINDOWS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// The largest divisor of `extent` up to `limit`.
static int64_t divisorUpTo(int64_t extent, int64_t limit) {
  while (extent % limit != 0)
    --limit;
  return limit;
}

/// Bits of the widest element that is computed with.
static unsigned widestBits(WindowReduction window) {
  unsigned bits = 8;
  auto add = [&](Type type) {
    if (Type element = getElementTypeOrSelf(type); element.isIntOrFloat())
      bits = std::max(bits, element.getIntOrFloatBitWidth());
  };
  for (linalg::LinalgOp op : {window.op, linalg::LinalgOp(window.consumer)})
    if (op)
      op.getBlock()->walk([&](Operation *inner) {
        llvm::for_each(inner->getOperandTypes(), add);
        llvm::for_each(inner->getResultTypes(), add);
      });
  return std::min(llvm::bit_ceil(bits), 32u); // longer ones, if any, take several registers
}

/// Lanes of the widest vectors that divide the channels; 0 if none do.
static int64_t lanesOf(WindowReduction window, const VectorRegisters &registers) {
  constexpr int64_t fewestLanes = 4;
  int64_t channels = window.op.getStaticLoopRanges()[window.channelLoop];
  int64_t lanes = registers.bits / widestBits(window);
  while (lanes >= fewestLanes && channels % lanes != 0)
    lanes /= 2;
  return lanes < fewestLanes || channels == 0 ? 0 : lanes;
}

/// Whether nothing but the image is reduced: no weights, which columns would share.
static bool isPooling(WindowReduction window) {
  return llvm::all_of(window.op.getDpsInputOperands(), [&](OpOperand *input) {
    return input == window.image || window.op.getMatchingBlockArgument(input).use_empty();
  });
}

static bool windowsOverlap(const WindowNest &nest) {
  if (!nest.taps)
    return false;
  const WindowSlide &slide = nest.slideOf(*nest.taps);
  return slide.stride <= (nest.extents[*nest.taps] - 1) * slide.dilation;
}

/// Pixels as a whole, so that the image is read as it lies in memory, and enough sums to hide the
/// latency of a maximum. If windows share nothing and no cache of the core has the image, fewer
/// columns do: blocks of many run ahead of what the processor fetches.
static WindowBlock blockOfPooling(WindowReduction window, const VectorRegisters &registers,
                                  const Machine &machine, int64_t lanes) {
  WindowNest nest = WindowNest::get(window);
  auto image = cast<RankedTensorType>(window.source.getType());
  int64_t bytes = image.getNumElements() * image.getElementTypeBitWidth() / 8;
  int64_t sums = windowsOverlap(nest) || bytes <= machine.l2Bytes ? 8 : 4;
  int64_t vectors = divisorUpTo(nest.extents[nest.channels] / lanes, registers.count / 4);
  int64_t columns = std::max<int64_t>(sums / vectors, 1);
  return {lanes, vectors, std::min(columns, nest.extents[nest.columns]), LoopOrder()};
}

/// How much of the result stays in registers where no choice says so. Of a convolution, half of
/// them are left to the operands. Nothing if no vector divides the channels.
static std::optional<WindowBlock>
findBlock(WindowReduction window, const VectorRegisters &registers, const Machine &machine) {
  constexpr int64_t mostVectors = 2;
  int64_t lanes = lanesOf(window, registers);
  if (!lanes)
    return std::nullopt;
  if (isPooling(window))
    return blockOfPooling(window, registers, machine, lanes);
  SmallVector<int64_t> extents = window.op.getStaticLoopRanges();
  int64_t vectors = divisorUpTo(extents[window.channelLoop] / lanes, mostVectors);
  return WindowBlock{lanes, vectors,
                     divisorUpTo(extents[window.columnLoop], registers.count / 2 / vectors),
                     LoopOrder()};
}

/// The intrinsic that the op names as the one of its lanes; null if it names none that the target
/// has.
static const Intrinsic *lanesIntrinsic(linalg::LinalgOp op, const Target &target) {
  auto named = op->getAttrOfType<SymbolRefAttr>(lanesName);
  auto found = llvm::find_if(target.intrinsics,
                             [&](const Intrinsic &each) { return each.getSymbol() == named; });
  return found == target.intrinsics.end() ? nullptr : &*found;
}

/// The same for groups of channels, whose vectors have weights of their own: as many columns as
/// registers last share them. All channels of these columns come first, so that what is read of the
/// image stays in the nearest cache. Lanes are those of the intrinsic that the op names, if it
/// does.
static std::optional<WindowBlock>
findGroupBlock(WindowReduction window, const VectorRegisters &registers, const Target &target) {
  SmallVector<int64_t> extents = window.op.getStaticLoopRanges();
  int64_t lanes = registers.bits / widestBits(window);
  if (window.op->hasAttr(lanesName)) {
    const Intrinsic *intrinsic = lanesIntrinsic(window.op, target);
    lanes = intrinsic ? intrinsic->n : 0;
  }
  int64_t outputs = window.groups->outputs;
  if (!lanes || extents[window.channelLoop] % lanes || (lanes % outputs && outputs % lanes))
    return std::nullopt;
  return WindowBlock{lanes, /*vectors=*/1,
                     divisorUpTo(extents[window.columnLoop], registers.count * 7 / 16),
                     LoopOrder()};
}

/// The tensors that the kernel reads, each once.
static SmallVector<Value> inputsOf(WindowReduction window) {
  llvm::SetVector<Value> inputs;
  auto add = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      inputs.insert(value);
  };
  linalg::LinalgOp op = window.op;
  add(window.source);
  for (OpOperand *input : op.getDpsInputOperands())
    if (input != window.image && !op.getMatchingBlockArgument(input).use_empty())
      add(input->get());
  if (window.initMap)
    add(window.init);
  if (linalg::GenericOp consumer = window.consumer)
    for (OpOperand *input : consumer.getDpsInputOperands())
      if (input != window.consumed && !consumer.getMatchingBlockArgument(input).use_empty())
        add(input->get());
  return inputs.takeVector();
}

/// Arithmetic on zero points that are constants.
static void simplify(KernelOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  populateReadUnsignedPatterns(patterns);
  arith::SubIOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  SmallVector<Operation *> ops;
  kernel.getBody().walk([&](Operation *op) { ops.push_back(op); });
  (void)applyOpPatternsGreedily(ops, std::move(patterns));
}

/// A kernel with an empty body on the buffers of its operands; `buffers` gets those of the inputs.
static KernelOp createKernel(RewriterBase &rewriter, WindowReduction window, ValueRange inputs,
                             IRMapping &buffers) {
  Operation *last = window.last();
  Location loc = window.op->getLoc();
  SmallVector<Value> outputs;
  for (Type type : last->getResultTypes())
    outputs.push_back(tensor::EmptyOp::create(
        rewriter, loc, cast<RankedTensorType>(type).getShape(), getElementTypeOrSelf(type)));
  auto kernel = KernelOp::create(rewriter, loc, last->getResultTypes(), inputs, outputs, "windows",
                                 ChoiceAttr(), StringAttr());
  if (Attribute id = window.op->getAttr("ucmoh.op"))
    kernel->setAttr("ucmoh.op", id);
  if (auto choice = window.op->getAttrOfType<ChoiceAttr>("ucmoh.choice"))
    kernel.setChoiceAttr(choice);
  Block *body = &kernel.getBody().emplaceBlock();
  for (Value operand : kernel.getOperands()) {
    auto type = cast<RankedTensorType>(operand.getType());
    body->addArgument(MemRefType::get(type.getShape(), type.getElementType()), loc);
  }
  buffers.map(inputs, body->getArguments().take_front(inputs.size()));
  return kernel;
}

/// Replaces all that the window consists of. `lanes` multiplies lane by lane; it may be null.
static void replaceByKernel(RewriterBase &rewriter, WindowReduction window,
                            const WindowBlock &block, const Intrinsic *lanes, bool check) {
  Operation *last = window.last();
  Location loc = window.op->getLoc();
  rewriter.setInsertionPoint(last);
  SmallVector<Value> inputs = inputsOf(window);
  IRMapping buffers;
  KernelOp kernel = createKernel(rewriter, window, inputs, buffers);
  rewriter.setInsertionPointToEnd(&kernel.getBody().front());
  YieldOp::create(rewriter, loc, ValueRange());
  rewriter.setInsertionPointToStart(&kernel.getBody().front());
  emitWindows(rewriter, window, block, lanes, buffers,
              kernel.getBody().getArguments().drop_front(inputs.size()));
  for (auto loop : kernel.getBody().getOps<scf::ForOp>())
    if (loop.getNumResults() == 0) // else one over a window
      loop->setAttr(rowsMark, rewriter.getUnitAttr());
  simplify(kernel);
  rewriter.setInsertionPointAfter(kernel);
  if (check)
    addChecks(rewriter, kernel, window.op, last, kernel.getResults());
  rewriter.replaceOp(last, kernel.getResults());
  if (window.consumer)
    rewriter.eraseOp(window.op);
}

/// The op's choice. Fails with an error at the op where it is not legal.
static FailureOr<Candidate> readChoice(linalg::LinalgOp op, ChoiceAttr choice,
                                       const Target &target) {
  std::string reason;
  WorkloadOrReason analyzed = analyzeWindows(op);
  FailureOr<Candidate> candidate = Candidate::fromAttr(choice, target, reason);
  auto note = [&](const Twine &why) { reason = why.str(); };
  if (!analyzed)
    reason = analyzed.reason;
  else if (succeeded(candidate) && succeeded(verifyCandidate(*analyzed.workload, *candidate, note)))
    return *candidate;
  return op.emitOpError("carries an illegal ucmoh.choice: ") << reason;
}

/// Whether the op stands in the function itself, or in loops over pieces of dynamic extents.
static bool isOutsideOfKernels(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa<scf::ForOp>(parent) && parent->hasAttr(piecesMark))
    parent = parent->getParentOp();
  return isa<func::FuncOp>(parent);
}

namespace {
struct WindowsPass : ucmoh::impl::WindowsBase<WindowsPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return passTarget.initialize(context, target);
  }

  void runOnOperation() override {
    FailureOr<Target> resolved = passTarget.of(getOperation());
    if (failed(resolved))
      return signalPassFailure();
    // An op that reduces nothing may join a window as its consumer, and is gone then.
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() != 0 && isOutsideOfKernels(op) && !op->hasAttr(referenceMark))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      if (failed(replace(rewriter, op, *resolved)))
        return signalPassFailure();
  }

  LogicalResult replace(RewriterBase &rewriter, linalg::LinalgOp op, const Target &resolved) {
    std::optional<WindowReduction> window = findWindowReduction(op);
    if (!window)
      return success();
    std::optional<WindowBlock> block;
    const Intrinsic *lanes = lanesIntrinsic(op, resolved);
    if (auto choice = op->getAttrOfType<ChoiceAttr>("ucmoh.choice")) {
      FailureOr<Candidate> chosen = readChoice(op, choice, resolved);
      if (failed(chosen))
        return failure();
      block = WindowBlock::get(*chosen);
      lanes = chosen->intrinsic;
    } else if (VectorRegisters registers = vectorRegisters(resolved); registers.bits) {
      block = window->groups ? findGroupBlock(*window, registers, resolved)
                             : findBlock(*window, registers, resolved.machine);
    }
    if (block)
      replaceByKernel(rewriter, *window, *block, lanes, check);
    return success();
  }

  PassTarget passTarget;
};
} // namespace
