//===- CompiledGroups.cpp - The groups of a program, and their code
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/CompiledGroups.h"
#include "Stages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/Support/FormatVariadic.h"
#include <optional>

using namespace mlir;
using namespace ucmoh;

namespace {
/// The code of one of several workgroups, which computes a part of the result's rows.
struct SharedGroup {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< the function of one workgroup
  int64_t workgroups;                       ///< that compute the result together
  llvm::SmallVector<bool> isPart;           ///< for each argument, whether it is a part as well
};
} // namespace

/// Buffers of the runtime begin at such addresses, and so does each part.
static constexpr int64_t alignment = 64;

/// The outermost dim with more than one element: pieces along it are pieces of the buffer.
static int64_t outermostDim(RankedTensorType type) {
  return llvm::find_if(type.getShape(), [](int64_t extent) { return extent != 1; }) -
         type.getShape().begin();
}

namespace {

/// Rebuilds a function for one of several workgroups, from its result on.
class RowSharer {
public:
  RowSharer(func::FuncOp function, func::FuncOp part, int64_t workgroups)
      : function(function), part(part), workgroups(workgroups),
        builder(OpBuilder::atBlockEnd(&part.getBody().front())),
        isPart(function.getNumArguments(), false) {}

  /// Fails where it cannot be shared among so many.
  LogicalResult run();
  SmallVector<bool> takeParts() { return std::move(isPart); }

private:
  RankedTensorType partOf(Type type);
  Value share(Value value);
  Value keep(Value value);
  Value take(Value value, bool isShared) { return isShared ? share(value) : keep(value); }
  Value shareArgument(BlockArgument argument);
  Value shareOp(Operation *op, unsigned result);
  Operation *shareLinalg(linalg::LinalgOp op, unsigned result);
  Operation *rebuild(Operation *op, ArrayRef<Value> operands, TypeRange types);

  func::FuncOp function, part;
  int64_t workgroups;
  OpBuilder builder;
  SmallVector<bool> isPart;
  DenseMap<Value, Value> shared, kept;
};

} // namespace

/// Null where the type has no parts.
RankedTensorType RowSharer::partOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t dim = tensor ? outermostDim(tensor) : 0;
  if (!tensor || dim == tensor.getRank() || tensor.getDimSize(dim) % workgroups)
    return nullptr;
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] /= workgroups;
  return RankedTensorType::get(shape, tensor.getElementType());
}

/// A part of an argument begins where a buffer may.
Value RowSharer::shareArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  RankedTensorType type = partOf(argument.getType());
  bool isWhole = kept.contains(argument) || function.getArgAttr(number, "ucmoh.weight");
  if (!type || isWhole ||
      type.getNumElements() * type.getElementTypeBitWidth() / 8 % alignment != 0)
    return nullptr;
  isPart[number] = true;
  part.getArgument(number).setType(type);
  return part.getArgument(number);
}

/// A copy of the op; what its body uses from outside is scalar, and copied as well.
Operation *RowSharer::rebuild(Operation *op, ArrayRef<Value> operands, TypeRange types) {
  if (llvm::is_contained(operands, Value()))
    return nullptr;
  Operation *copy = mlir::clone(builder, op, types, operands);
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  builder.setInsertionPoint(copy);
  for (Value value : captured)
    for (Region &region : copy->getRegions())
      replaceAllUsesInRegionWith(value, keep(value), region);
  builder.setInsertionPointToEnd(&part.getBody().front());
  return copy;
}

/// The loop along the result's outermost dim must be one of rows of each operand, or not occur.
Operation *RowSharer::shareLinalg(linalg::LinalgOp op, unsigned result) {
  OpOperand *init = op.getDpsInitOperand(result);
  int64_t outermost = outermostDim(cast<RankedTensorType>(init->get().getType()));
  auto row = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(init).getResult(outermost));
  if (!row || op.hasIndexSemantics())
    return nullptr;
  SmallVector<Value> operands;
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto uses = llvm::count_if(map.getResults(),
                               [&](AffineExpr e) { return e.isFunctionOfDim(row.getPosition()); });
    auto tensor = dyn_cast<RankedTensorType>(operand.get().getType());
    int64_t dim = tensor ? outermostDim(tensor) : 0;
    if (uses && (uses > 1 || !tensor || dim == tensor.getRank() || map.getResult(dim) != row))
      return nullptr;
    operands.push_back(take(operand.get(), uses));
    if (op.isDpsInit(&operand) && operands.back())
      types.push_back(operands.back().getType());
  }
  return rebuild(op, operands, types);
}

Value RowSharer::shareOp(Operation *op, unsigned result) {
  RankedTensorType type = partOf(op->getResult(result).getType());
  if (!type)
    return nullptr;
  DenseElementsAttr elements;
  if (isa<tensor::EmptyOp>(op))
    return tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(), type.getElementType());
  if (matchPattern(op, m_Constant(&elements)) && elements.isSplat())
    return arith::ConstantOp::create(builder, op->getLoc(), elements.resizeSplat(type));
  Operation *copy = nullptr;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    copy = shareLinalg(linalgOp, result);
  auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
  if (softmax && int64_t(softmax.getDimension()) !=
                     outermostDim(cast<RankedTensorType>(softmax.getOutputOperandType())))
    copy = rebuild(op, {share(softmax.getInput()), share(softmax.getOutput())}, type);
  return copy ? Value(copy->getResult(result)) : nullptr;
}

/// The part of a value; null if there is none.
Value RowSharer::share(Value value) {
  if (auto known = shared.find(value); known != shared.end())
    return known->second;
  auto argument = dyn_cast<BlockArgument>(value);
  Value result = argument ? shareArgument(argument)
                          : shareOp(value.getDefiningOp(), cast<OpResult>(value).getResultNumber());
  return shared[value] = result;
}

/// The value itself; null if a part of it is used too and it is an argument.
Value RowSharer::keep(Value value) {
  if (auto known = kept.find(value); known != kept.end())
    return known->second;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isShared = isPart[argument.getArgNumber()];
    return kept[value] = isShared ? Value() : Value(part.getArgument(argument.getArgNumber()));
  }
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value v) { return keep(v); });
  Operation *copy = rebuild(op, operands, op->getResultTypes());
  return kept[value] = copy ? copy->getResult(cast<OpResult>(value).getResultNumber()) : Value();
}

LogicalResult RowSharer::run() {
  Operation *end = function.getBody().front().getTerminator();
  Value result = share(end->getOperand(0));
  if (!result)
    return failure();
  auto type = cast<RankedTensorType>(result.getType());
  if (type.getNumElements() * type.getElementTypeBitWidth() / 8 % alignment != 0)
    return failure();
  func::ReturnOp::create(builder, end->getLoc(), result);
  part.setType(builder.getFunctionType(part.getBody().getArgumentTypes(), result.getType()));
  return success();
}

/// The module with the function of one of so many workgroups.
static std::optional<SharedGroup> tryToShare(func::FuncOp function, int64_t workgroups) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  auto part = cast<func::FuncOp>(builder.cloneWithoutRegions(*function));
  part.addEntryBlock();
  RowSharer sharer(function, part, workgroups);
  if (failed(sharer.run()))
    return std::nullopt;
  return SharedGroup{std::move(module), workgroups, sharer.takeParts()};
}

/// Shares the only function of the module among at most `workgroups`. Parts are whole pieces of
/// the buffers, of as many bytes each, one for each workgroup in turn. None where rows of the
/// result depend on each other, or no number of workgroups divides them.
static std::optional<SharedGroup> shareRows(ModuleOp module, int64_t workgroups) {
  func::FuncOp function = *module.getOps<func::FuncOp>().begin();
  for (int64_t count = workgroups; count > 1; --count)
    if (auto shared = tryToShare(function, count))
      return shared;
  return std::nullopt;
}

/// Buffers of one dispatch.
static constexpr size_t mostBindings = 64;

static func::FuncOp onlyFunction(ModuleOp module) { return *module.getOps<func::FuncOp>().begin(); }

static bool isSame(func::FuncOp one, func::FuncOp other) {
  return one.getArgAttrsAttr() == other.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(&one.getBody(), &other.getBody(),
                                                    OperationEquivalence::Flags::IgnoreLocations);
}

static std::string textOf(Location location) {
  std::string text;
  llvm::raw_string_ostream(text) << location;
  return text;
}

static bool isConstant(Value value) { return value.getDefiningOp<arith::ConstantOp>() != nullptr; }

/// Whether they are several, and constants that can become one.
static bool canMergeWeights(const Group &group) {
  auto weights = ArrayRef(group.inputs).take_back(group.weights);
  return weights.size() > 1 && llvm::all_of(weights, isConstant);
}

/// A group with code of its own.
static CompiledGroup createGroup(OwningOpRef<ModuleOp> outlined, Dispatch dispatch,
                                 const Group &group, std::optional<SharedGroup> shared) {
  CompiledGroup result;
  result.module = std::move(outlined);
  result.dispatch = std::move(dispatch);
  result.location = textOf(group.root()->getLoc());
  result.places = {group};
  result.isPart.resize(group.inputs.size(), false);
  if (shared) {
    result.workgroups = shared->workgroups;
    result.isPart = std::move(shared->isPart);
  }
  return result;
}

void CompiledGroups::leave(const Group &group, const std::string &reason) {
  for (Operation *op : group.ops)
    if (isContractionLike(op))
      left.push_back({op, reason});
}

/// Leaves the groups that IREE's runtime would refuse.
void CompiledGroups::leaveLarge() {
  for (CompiledGroup &group : groups)
    for (const Stage &stage : stagesOf(group))
      if (stage.bindings.size() > mostBindings) {
        std::string reason =
            llvm::formatv("it uses {0} buffers, and a dispatch of IREE {1} at most",
                          stage.bindings.size(), mostBindings);
        for (const Group &place : group.places)
          leave(place, reason);
        group.places.clear();
        break;
      }
  llvm::erase_if(groups, [](const CompiledGroup &group) { return group.places.empty(); });
}

CompiledGroups CompiledGroups::compile(ModuleOp module, GroupOptions options,
                                       const CompileOptions &program,
                                       llvm::function_ref<void(size_t, size_t)> progress) {
  Groups found = findGroups(module, options);
  CompiledGroups result;
  result.left = std::move(found.left);
  for (auto [i, group] : llvm::enumerate(found.groups)) {
    progress(i, found.groups.size());
    std::string name = llvm::formatv("ucmoh_{0}", result.groups.size());
    OwningOpRef<ModuleOp> outlined = outline(group, name);
    auto known = llvm::find_if(result.groups, [&](const CompiledGroup &other) {
      return isSame(onlyFunction(other.module.get()), onlyFunction(*outlined));
    });
    if (known != result.groups.end()) {
      known->places.push_back(group);
      continue;
    }
    std::optional<SharedGroup> shared = shareRows(*outlined, options.workgroups);
    auto dispatch = Dispatch::compile(shared ? *shared->module : *outlined, name, program);
    if (dispatch) {
      result.groups.push_back(
          createGroup(std::move(outlined), std::move(*dispatch), group, std::move(shared)));
      continue;
    }
    result.leave(group, llvm::toString(dispatch.takeError()));
  }
  for (CompiledGroup &group : result.groups)
    group.mergesWeights = options.mayMergeWeights && llvm::all_of(group.places, canMergeWeights);
  result.leaveLarge();
  return result;
}
