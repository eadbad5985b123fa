//===- HoistWeights.cpp - What depends on weights alone moves to @NAME.pack
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationWeights.h"
#include "Pieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace ucmoh {
#define GEN_PASS_DEF_HOISTWEIGHTS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using ucmoh::piecesMark;

namespace {

/// Says what the values of a function depend on.
enum class Origin {
  Free,     ///< nothing: cheap to make again wherever it is needed
  View,     ///< a weight itself, perhaps in another shape
  Weights,  ///< computed from weights
  Arguments ///< anything else
};

/// Classifies the values of a function and splits it.
class WeightHoister {
public:
  explicit WeightHoister(func::FuncOp function) : function(function) {}
  /// Returns the new function, or null if there was nothing to move.
  func::FuncOp run();

private:
  void forEachOp(Block &block, llvm::function_ref<void(Operation &)> visit) const;
  void classify();
  bool isLoopThatStays(Operation &op) const;
  Origin originOf(Operation &op);
  Origin originOf(Value value) const {
    auto it = origins.find(value);
    return it == origins.end() ? Origin::Arguments : it->second;
  }
  void findFrontier();
  void addToFrontier(Value value);
  func::FuncOp createPack();
  void takePackedArguments();

  func::FuncOp function;
  llvm::DenseMap<Value, Origin> origins;
  llvm::SetVector<Value> frontier; ///< computed from weights, used by what is not
};

} // namespace

static bool isWeight(func::FuncOp function, unsigned argument) {
  return function.getArgAttr(argument, "ucmoh.weight") != nullptr;
}

/// A constant with data of its own is a weight; a splat is not worth the memory traffic.
static bool isWeightConstant(Operation &op) {
  DenseElementsAttr data;
  return isa<RankedTensorType>(op.getResult(0).getType()) &&
         (!matchPattern(&op, m_Constant(&data)) || (!data.isSplat() && data.getNumElements() > 1));
}

Origin WeightHoister::originOf(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return isWeightConstant(op) ? Origin::View : Origin::Free;
  if (op.hasTrait<OpTrait::IsTerminator>() || op.getNumResults() == 0 || !isPure(&op))
    return Origin::Arguments;
  Origin origin = Origin::Free;
  for (Value value : ucmoh::usedBy(&op))
    origin = std::max(origin, originOf(value));
  bool isView = isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op);
  return origin == Origin::View && !isView ? Origin::Weights : origin;
}

/// All ops of the block, and those in loops that stay, such as those over the steps of a recurrent
/// layer. `visit` has been called for a loop before its body.
void WeightHoister::forEachOp(Block &block, llvm::function_ref<void(Operation &)> visit) const {
  for (Operation &op : block) {
    visit(op);
    if (!isLoopThatStays(op))
      continue;
    for (Region &region : op.getRegions())
      for (Block &body : region)
        forEachOp(body, visit);
  }
}

bool WeightHoister::isLoopThatStays(Operation &op) const {
  return isa<LoopLikeOpInterface>(op) && op.getNumResults() > 0 &&
         originOf(op.getResult(0)) == Origin::Arguments;
}

void WeightHoister::classify() {
  for (BlockArgument argument : function.getArguments())
    if (isWeight(function, argument.getArgNumber()))
      origins[argument] = Origin::View;
  forEachOp(function.getBody().front(), [&](Operation &op) {
    for (Value result : op.getResults())
      origins[result] = originOf(op);
  });
}

/// Whether an op only repeats the elements of a smaller tensor, such as a bias for each pixel: all
/// of them in memory would have to be read.
static bool repeatsElements(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp || op->getNumResults() != 1 || linalgOp.getNumDpsInputs() != 1 ||
      !llvm::hasSingleElement(*linalgOp.getBlock()))
    return false;
  auto input = dyn_cast<RankedTensorType>(linalgOp.getDpsInputs()[0].getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  return input && input.hasStaticShape() && result.hasStaticShape() &&
         input.getNumElements() < result.getNumElements();
}

/// `value` is needed by what stays. What repeats elements stays as well.
void WeightHoister::addToFrontier(Value value) {
  if (originOf(value) != Origin::Weights || !isa<RankedTensorType>(value.getType()))
    return;
  if (!repeatsElements(value.getDefiningOp())) {
    frontier.insert(value);
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    addToFrontier(operand);
}

void WeightHoister::findFrontier() {
  forEachOp(function.getBody().front(), [&](Operation &op) {
    bool stays = op.getNumResults() == 0 || originOf(op.getResult(0)) == Origin::Arguments;
    if (!stays)
      return;
    llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
    if (!isLoopThatStays(op)) // ops in it are visited for themselves
      getUsedValuesDefinedAbove(op.getRegions(), used);
    llvm::for_each(used, [&](Value value) { addToFrontier(value); });
  });
}

func::FuncOp WeightHoister::createPack() {
  OpBuilder builder(function);
  builder.setInsertionPointAfter(function);
  SmallVector<Type> inputs, results;
  SmallVector<BlockArgument> weights;
  for (BlockArgument argument : function.getArguments())
    if (isWeight(function, argument.getArgNumber())) {
      weights.push_back(argument);
      inputs.push_back(argument.getType());
    }
  for (Value value : frontier)
    results.push_back(value.getType());
  auto pack = func::FuncOp::create(builder, function.getLoc(), (function.getName() + ".pack").str(),
                                   builder.getFunctionType(inputs, results));
  builder.setInsertionPointToStart(pack.addEntryBlock());
  IRMapping mapping;
  for (auto [index, weight] : llvm::enumerate(weights)) {
    pack.setArgAttrs(index, function.getArgAttrDict(weight.getArgNumber()));
    mapping.map(weight, pack.getArgument(index));
  }
  SmallVector<Value> packed;
  for (Value value : frontier)
    packed.push_back(ucmoh::cloneWithSources(builder, value, mapping));
  func::ReturnOp::create(builder, function.getLoc(), packed);
  return pack;
}

/// The values of the frontier become arguments; weights without other uses are no more.
void WeightHoister::takePackedArguments() {
  Builder builder(function.getContext());
  for (unsigned index = 0; index < frontier.size(); ++index) {
    Value value = frontier[index];
    unsigned position = function.getNumArguments();
    DictionaryAttr attributes = builder.getDictionaryAttr(
        builder.getNamedAttr("ucmoh.packed", builder.getI64IntegerAttr(index)));
    (void)function.insertArgument(position, value.getType(), attributes, value.getLoc());
    value.replaceAllUsesWith(function.getArgument(position));
  }
  function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
  BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    unused[argument.getArgNumber()] =
        isWeight(function, argument.getArgNumber()) && argument.use_empty();
  (void)function.eraseArguments(unused);
}

func::FuncOp WeightHoister::run() {
  classify();
  findFrontier();
  if (frontier.empty())
    return {};
  // So that callers find what became of the arguments that they know.
  Builder builder(function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.setArgAttr(i, "ucmoh.arg", builder.getI64IntegerAttr(i));
  func::FuncOp pack = createPack();
  takePackedArguments();
  return pack;
}

/// Whether this pass made the function: with constants, or marks that are still there, there would
/// be something to move out of it again.
static bool isPack(func::FuncOp function, ModuleOp module) {
  StringRef name = function.getName();
  return name.consume_back(".pack") && module.lookupSymbol(name);
}

/// Moves what is the same for all pieces of a dynamic extent in front of their loops. Pieces of
/// several sizes then share their packed weights.
static void moveOutOfPieces(func::FuncOp function) {
  SmallVector<LoopLikeOpInterface> loops; // the innermost first
  function.walk([&](LoopLikeOpInterface loop) {
    if (loop->hasAttr(piecesMark))
      loops.push_back(loop);
  });
  if (loops.empty())
    return;
  for (LoopLikeOpInterface loop : loops)
    moveLoopInvariantCode(loop);
  function.walk([](ucmoh::KernelOp kernel) {
    if (kernel.getKind() == "pack")
      kernel.removeWorkloadAttr(); // the name has the size of one piece
  });
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, function);
}

/// Does for loops that stay, such as those over experts, what their iterations make of weights
/// ahead of them.
static void moveOutOfIterations(func::FuncOp function) {
  SmallVector<scf::ForOp> loops; // the innermost first
  function.walk([&](scf::ForOp loop) {
    if (!loop->hasAttr(piecesMark))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    ucmoh::IterationWeights(loop).moveAhead();
}

namespace {
struct HoistWeightsPass : ucmoh::impl::HoistWeightsBase<HoistWeightsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      moveOutOfPieces(function);
    for (func::FuncOp function : functions)
      if (!function.isExternal() && function.isPublic() && function.getBody().hasOneBlock() &&
          !isPack(function, getOperation()) &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation())) {
        moveOutOfIterations(function);
        WeightHoister(function).run();
      }
  }
};
} // namespace
