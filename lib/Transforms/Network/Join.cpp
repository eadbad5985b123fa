//===- Join.cpp - Loops that read the same become one
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts of a whole are often computed from the same elements, such as both halves of a row whose
/// elements are turned against each other in pairs. One loop reads these once. Where the parts
/// alternate in memory, it also writes whole vectors. Tensors cannot say that one op writes two
/// parts of the same result, so this is done on buffers.
///
//===----------------------------------------------------------------------===//

#include "Rest.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_JOINREST
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether the buffer is no part of one that is allocated in the function.
static bool isWhole(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  return argument ? isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
                  : isa<memref::AllocOp, memref::GetGlobalOp>(buffer.getDefiningOp());
}

Value ucmoh::wholeOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Whether the places of two parts of a buffer are known to lie beside each other along some dim.
static bool lieBeside(memref::SubViewOp a, memref::SubViewOp b) {
  auto endsBefore = [](memref::SubViewOp low, memref::SubViewOp high, unsigned dim) {
    int64_t from = low.getStaticOffsets()[dim], size = low.getStaticSizes()[dim],
            step = low.getStaticStrides()[dim], next = high.getStaticOffsets()[dim];
    return !llvm::is_contained({from, size, step, next}, ShapedType::kDynamic) && step > 0 &&
           from + (size - 1) * step < next;
  };
  return llvm::any_of(llvm::seq<unsigned>(0, a.getSourceType().getRank()),
                      [&](unsigned dim) { return endsBefore(a, b, dim) || endsBefore(b, a, dim); });
}

/// Whether what is written overlaps nothing of a buffer.
static bool isApart(Value written, Value buffer) {
  if (!isa<MemRefType>(buffer.getType()))
    return true; // a scalar
  Value whole = wholeOf(written), other = wholeOf(buffer);
  if (whole != other)
    return whole.getDefiningOp<memref::AllocOp>() && isWhole(other);
  auto part = written.getDefiningOp<memref::SubViewOp>(),
       otherPart = buffer.getDefiningOp<memref::SubViewOp>();
  return part && otherPart && part.getSource() == otherPart.getSource() &&
         lieBeside(part, otherPart);
}

/// What an op reads or writes: its operands, and tables that its body looks something up in.
static SetVector<Value> buffersOf(linalg::GenericOp op) {
  SetVector<Value> buffers(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), buffers);
  return buffers;
}

/// Whether nothing that one op writes is read or written by the other.
static bool areIndependent(linalg::GenericOp first, linalg::GenericOp second) {
  auto leaves = [](linalg::GenericOp op, linalg::GenericOp other) {
    SetVector<Value> buffers = buffersOf(other);
    return llvm::all_of(op.getDpsInits(), [&](Value written) {
      return llvm::all_of(buffers, [&](Value buffer) { return isApart(written, buffer); });
    });
  };
  return leaves(first, second) && leaves(second, first);
}

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

/// One that writes nothing has assertions alone.
static bool isElementwise(linalg::GenericOp op) {
  return isRest(op) && op.hasPureBufferSemantics() && op.getNumReductionLoops() == 0 &&
         op.getNumLoops() > 0 && op.getNumDpsInits() > 0 &&
         llvm::none_of(op.getRegionOutputArgs(),
                       [](BlockArgument out) { return !out.use_empty(); });
}

/// An operand, and which of its elements each iteration reads or writes.
using Access = std::pair<Value, AffineMap>;

static SmallVector<Access> accessesOf(linalg::GenericOp op, ArrayRef<OpOperand *> operands) {
  return llvm::map_to_vector(operands, [&](OpOperand *operand) {
    return Access(operand->get(), op.getMatchingIndexingMap(operand));
  });
}

static SmallVector<Access> inputsOf(linalg::GenericOp op) {
  return accessesOf(op, op.getDpsInputOperands());
}

static SmallVector<Access> outputsOf(linalg::GenericOp op) {
  return accessesOf(
      op, llvm::map_to_vector(op.getDpsInitsMutable(), [](OpOperand &output) { return &output; }));
}

/// Whether a loop over both reads something once that two loops read twice, and writes elements of
/// one width.
static bool shareElements(linalg::GenericOp first, linalg::GenericOp second) {
  auto bits = [](const Access &output) {
    return cast<MemRefType>(output.first.getType()).getElementTypeBitWidth();
  };
  Access output = outputsOf(first).front(), other = outputsOf(second).front();
  SmallVector<Access> inputs = inputsOf(second);
  return first.getStaticLoopRanges() == second.getStaticLoopRanges() &&
         output.second == other.second && bits(output) == bits(other) &&
         llvm::any_of(inputsOf(first), [&](const Access &input) {
           return input.second.isPermutation() && llvm::is_contained(inputs, input);
         });
}

/// The next op of the block that accesses memory, if it is elementwise on buffers.
static linalg::GenericOp findNext(linalg::GenericOp op) {
  Operation *next = op->getNextNode();
  while (next && (isPure(next) || isa<memref::AllocOp>(next)))
    next = next->getNextNode();
  auto found = dyn_cast_or_null<linalg::GenericOp>(next);
  return found && isElementwise(found) ? found : linalg::GenericOp();
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

/// The body of `op` on those of the `arguments` that are what it reads.
static SmallVector<Value> cloneBody(OpBuilder &builder, linalg::GenericOp op,
                                    ArrayRef<Access> inputs, ValueRange arguments) {
  IRMapping mapping;
  for (auto [argument, input] : llvm::zip_equal(op.getRegionInputArgs(), inputsOf(op)))
    mapping.map(argument, arguments[llvm::find(inputs, input) - inputs.begin()]);
  for (Operation &inner : op.getBody()->without_terminator())
    builder.clone(inner, mapping);
  return llvm::map_to_vector(op.getBody()->getTerminator()->getOperands(),
                             [&](Value result) { return mapping.lookupOrDefault(result); });
}

/// One op in place of both.
static linalg::GenericOp join(RewriterBase &rewriter, linalg::GenericOp first,
                              linalg::GenericOp second) {
  SmallVector<Access> inputs = inputsOf(first), outputs = outputsOf(first);
  for (const Access &input : inputsOf(second))
    if (!llvm::is_contained(inputs, input))
      inputs.push_back(input);
  outputs.append(outputsOf(second));
  auto operands = llvm::make_first_range(inputs), results = llvm::make_first_range(outputs);
  SmallVector<AffineMap> maps(llvm::make_second_range(llvm::concat<Access>(inputs, outputs)));
  rewriter.setInsertionPoint(second);
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    SmallVector<Value> yielded = cloneBody(b, first, inputs, arguments);
    yielded.append(cloneBody(b, second, inputs, arguments));
    linalg::YieldOp::create(b, loc, yielded);
  };
  auto joined = linalg::GenericOp::create(rewriter, second.getLoc(), llvm::to_vector(operands),
                                          llvm::to_vector(results), maps,
                                          second.getIteratorTypesArray(), body);
  rewriter.eraseOp(first);
  rewriter.eraseOp(second);
  return joined;
}

/// Joins the op with those behind it, as long as they read the same. Returns the last op.
static linalg::GenericOp joinAll(RewriterBase &rewriter, linalg::GenericOp op) {
  for (linalg::GenericOp next; (next = findNext(op));) {
    if (!shareElements(op, next) || !areIndependent(op, next))
      return op;
    op = join(rewriter, op, next);
  }
  return op;
}

namespace {
struct JoinRestPass : ucmoh::impl::JoinRestBase<JoinRestPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // What was computed in place is not copied there.
    getOperation()->walk([&](memref::CopyOp copy) {
      if (copy.getSource() == copy.getTarget())
        rewriter.eraseOp(copy);
    });
    getOperation()->walk([&](Block *block) {
      for (Operation *op = &block->front(); op; op = op->getNextNode())
        if (auto generic = dyn_cast<linalg::GenericOp>(op); generic && isElementwise(generic))
          op = joinAll(rewriter, generic);
    });
  }
};
} // namespace
