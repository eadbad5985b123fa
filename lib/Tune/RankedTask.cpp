//===- RankedTask.cpp - A task of a model with all that could be chosen for it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/RankedTask.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/CostModel/Features.h"
#include "ucmoh/Records/Records.h"
#include "ucmoh/Records/Statistics.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace ucmoh;

llvm::Expected<std::unique_ptr<RankedTask>> RankedTask::make(MLIRContext &context, ModelTask task,
                                                             const Target &target,
                                                             const CostModel &model) {
  auto made = std::make_unique<RankedTask>();
  std::string reason;
  made->candidates = rankCandidates(task.workload, target, model, reason);
  if (made->candidates.empty())
    return llvm::createStringError(reason);
  auto parsed = PreparedTask::parse(context, task.ir, task.workload.name());
  if (!parsed)
    return parsed.takeError();
  if (!parsed->workload)
    return llvm::createStringError("alone it is no task: " + parsed->reason);
  made->parsed = std::move(*parsed);
  made->task = std::move(task);
  made->samples.resize(made->size());
  for (auto [number, entry] : llvm::enumerate(made->candidates)) {
    std::string choice;
    llvm::raw_string_ostream(choice) << entry.candidate.toAttr(0, "");
    made->numbers[canonicalChoice(choice)] = number;
  }
  return made;
}

TaskSearch RankedTask::makeSearch(const Target &target, Correction correction) const {
  std::vector<double> predicted;
  std::vector<FeaturePoint> points;
  for (const RankedCandidate &entry : candidates) {
    predicted.push_back(entry.predictedSeconds);
    points.push_back(locate(extractFeatures(task.workload, entry.candidate, target.machine)));
  }
  standardize(points);
  TaskSearch search(std::move(predicted), std::move(points), task.ops.size(), kernelOf(correction));
  for (auto [number, entry] : llvm::enumerate(candidates))
    if (failed(verifyCandidate(*parsed.workload, entry.candidate)))
      search.fail(number); // it is legal in the model by something that is no part of the task
  return search;
}

std::optional<size_t> RankedTask::find(StringRef canonicalChoice) const {
  auto found = numbers.find(canonicalChoice);
  return found == numbers.end() ? std::nullopt : std::optional<size_t>(found->second);
}

double RankedTask::addSamples(size_t candidate, llvm::ArrayRef<double> seconds) {
  llvm::append_range(samples[candidate], seconds);
  return lowerMedian(samples[candidate]);
}

llvm::Expected<std::unique_ptr<TaskMeasurement>> RankedTask::begin(llvm::ArrayRef<size_t> chosen,
                                                                   const MeasureOptions &options) {
  if (!reference) {
    auto begun = TaskReference::begin(*parsed.plain, parsed.entry, options.trial);
    if (!begun)
      return begun.takeError();
    reference = std::move(*begun);
  }
  std::vector<ChoiceAttr> choices;
  for (size_t candidate : chosen)
    choices.push_back(candidates[candidate].candidate.toAttr(0, ""));
  auto measurement = std::make_unique<TaskMeasurement>(*parsed.prepared, parsed.entry, reference,
                                                       std::move(choices), options);
  measurement->begin();
  return measurement;
}

//===----------------------------------------------------------------------===//
// Tasks of a model
//===----------------------------------------------------------------------===//

/// Large constants would make tasks of the same workload differ by their values.
static bool isSmallConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return false;
  auto dense = dyn_cast<ElementsAttr>(constant.getValue());
  return !dense || dense.isSplat();
}

static bool widens(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() != 0 || op->getNumResults() != 1)
    return false;
  auto inputs = linalgOp.getDpsInputs();
  if (inputs.size() != 1)
    return false;
  Type from = getElementTypeOrSelf(inputs.front()), to = getElementTypeOrSelf(op->getResult(0));
  return from.isIntOrFloat() && to.isIntOrFloat() &&
         from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
}

/// Says whether a kernel takes the op in, or the analysis looks through it.
static bool belongsToConsumer(Operation *op) {
  return isSmallConstant(op) || isa<tensor::EmptyOp, linalg::FillOp, tensor::PadOp>(op) ||
         widens(op);
}

/// The elementwise op that alone reads the result; null if there is none.
static linalg::LinalgOp findEpilogue(linalg::LinalgOp op) {
  if (!op->hasOneUse())
    return {};
  auto user = dyn_cast<linalg::LinalgOp>(*op->user_begin());
  bool fits = user && user->getBlock() == op->getBlock() && user->getNumResults() == 1 &&
              user.getNumReductionLoops() == 0 && user.hasPureTensorSemantics() &&
              !user.hasDynamicShape();
  return fits ? user : linalg::LinalgOp();
}

/// The op with what makes its operands and what reads its result, in an order that can be copied.
static llvm::SetVector<Operation *> collectParts(linalg::LinalgOp op) {
  llvm::SetVector<Operation *> parts;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false; // a padding pads with a value from above
  options.filter = [&](Operation *other) {
    return parts.contains(other) || other == op || belongsToConsumer(other);
  };
  LogicalResult found = getBackwardSlice(op.getOperation(), &parts, options);
  if (linalg::LinalgOp epilogue = findEpilogue(op)) {
    options.filter = [&, epilogue](Operation *other) mutable {
      return parts.contains(other) || other == epilogue || belongsToConsumer(other);
    };
    if (succeeded(found))
      found = getBackwardSlice(epilogue.getOperation(), &parts, options);
  }
  assert(succeeded(found) && "of ops with a parent, there is a slice");
  return parts;
}

/// Keeps what is known of an argument besides its type.
static void describeArgument(func::FuncOp function, unsigned index, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto from = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()))
      if (Attribute range = from.getArgAttr(argument.getArgNumber(), "ucmoh.range"))
        function.setArgAttr(index, "ucmoh.range", range);
  if (isa<RankedTensorType>(value.getType()) && dependsOnWeightsAlone(value))
    function.setArgAttr(index, "ucmoh.weight", UnitAttr::get(function.getContext()));
}

static llvm::SetVector<Value> findArguments(const llvm::SetVector<Operation *> &parts) {
  llvm::SetVector<Value> arguments;
  for (Operation *part : parts)
    part->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *owner = operand.getParentBlock()->getParentOp();
        Operation *maker = operand.getDefiningOp();
        if (!part->isAncestor(owner) && !(maker && parts.contains(maker)))
          arguments.insert(operand);
      }
    });
  return arguments;
}

static std::string printTask(linalg::LinalgOp op) {
  llvm::SetVector<Operation *> parts = collectParts(op);
  llvm::SetVector<Value> arguments = findArguments(parts);
  OwningOpRef<ModuleOp> module = ModuleOp::create(op.getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  Operation *last = findEpilogue(op);
  Value result = last ? last->getResult(0) : op->getResult(0);
  SmallVector<Type> types(ValueRange(arguments.getArrayRef()).getTypes());
  auto function = func::FuncOp::create(builder, op.getLoc(), "f",
                                       builder.getFunctionType(types, result.getType()));
  IRMapping mapping;
  mapping.map(arguments.getArrayRef(), function.addEntryBlock()->getArguments());
  for (auto [index, value] : llvm::enumerate(arguments))
    describeArgument(function, index, value);
  builder.setInsertionPointToEnd(&function.getBody().front());
  for (Operation *part : parts)
    builder.clone(*part, mapping);
  func::ReturnOp::create(builder, op.getLoc(), mapping.lookup(result));
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

/// Says whether the op is compiled: all that private functions have may be called.
static bool isCompiled(linalg::LinalgOp op, llvm::ArrayRef<std::string> functions) {
  auto function = op->getParentOfType<func::FuncOp>();
  return !function || !function.isPublic() || llvm::is_contained(functions, function.getSymName());
}

/// The same for workloads that differ by the values of zero points alone. Where a value and the
/// shift of an unsigned operand cancel out, kernels are others.
static std::string kindOf(Workload workload) {
  for (Operand *operand : {&workload.lhs, &workload.rhs})
    if (!llvm::is_contained({-128, 0, 128}, operand->zeroOffset))
      operand->zeroOffset = 1;
  return identityOf(workload);
}

std::vector<ModelTask>
ucmoh::findModelTasks(ModuleOp prepared, llvm::ArrayRef<std::string> functions,
                      llvm::function_ref<void(Operation *, StringRef)> leave) {
  std::vector<ModelTask> tasks;
  llvm::StringMap<size_t> numbers; // by kind
  prepared.walk([&](linalg::LinalgOp op) {
    if (!isContractionLike(op) || !isCompiled(op, functions))
      return;
    WorkloadOrReason analyzed = analyzeTask(op);
    if (!analyzed)
      return leave(op, analyzed.reason);
    auto [number, isNew] = numbers.try_emplace(kindOf(*analyzed.workload), tasks.size());
    if (isNew)
      tasks.push_back({*analyzed.workload, printTask(op), {}, {}});
    ModelTask &task = tasks[number->second];
    ++task.identities[identityOf(*analyzed.workload)];
    task.ops.push_back(op);
  });
  return tasks;
}
