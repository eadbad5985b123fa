//===- Epilogue.cpp - What joins a kernel before and after the reduction
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "ucmoh/Analysis/BodySlice.h"
#include "ucmoh/Analysis/ContractionBody.h"

using namespace mlir;
using namespace ucmoh;

/// Whether register tiles can read the operand by a fixed step per row and column.
static bool isLinearInTile(const Operand &operand, const Nest &nest) {
  AffineExpr index = nest.linearIndex(operand);
  unsigned m = nest.batch.size() + nest.outerM.size() + nest.outerN.size(), n = m + 1;
  // A division or modulus of m or n would make the step depend on the position.
  bool linear = true;
  index.walk([&](AffineExpr expr) {
    bool divides =
        expr.getKind() == AffineExprKind::Mod || expr.getKind() == AffineExprKind::FloorDiv;
    if (divides && (expr.isFunctionOfDim(m) || expr.isFunctionOfDim(n)))
      linear = false;
  });
  return linear;
}

static bool isElementwise(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         op.getNumReductionLoops() == 0 &&
         llvm::all_of(op.getBlock()->without_terminator(), isElementwiseOnVectors) &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity() &&
                  hasVectorAccess(getElementTypeOrSelf(init.get())) &&
                  op.getMatchingBlockArgument(&init).use_empty();
         });
}

/// Whether a value used in the body is of the body or can be made again inside a kernel.
static bool capturesConstantsOnly(linalg::GenericOp op) {
  bool ok = true;
  op.getBlock()->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (operand.getParentBlock() != op.getBlock() && !matchPattern(operand, m_Constant()))
        ok = false;
  });
  return ok;
}

Epilogue ucmoh::findEpilogue(linalg::LinalgOp op, const Workload &workload, const Nest &nest) {
  Value result = op->getResult(0);
  if (!result.hasOneUse())
    return {};
  OpOperand &use = *result.use_begin();
  Epilogue epilogue;
  epilogue.consumer = dyn_cast<linalg::GenericOp>(use.getOwner());
  linalg::GenericOp consumer = epilogue.consumer;
  if (!consumer || consumer->getBlock() != op->getBlock() || !isElementwise(consumer) ||
      !consumer.isDpsInput(&use) || !consumer.getMatchingIndexingMap(&use).isIdentity() ||
      !capturesConstantsOnly(consumer))
    return {};
  epilogue.accArgument = consumer.getMatchingBlockArgument(&use).getArgNumber();
  for (OpOperand *input : consumer.getDpsInputOperands()) {
    BlockArgument argument = consumer.getMatchingBlockArgument(input);
    if (input == &use || argument.use_empty())
      continue;
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !hasVectorAccess(type.getElementType()))
      return {};
    Operand extra;
    extra.value = input->get();
    extra.shape = llvm::to_vector(type.getShape());
    extra.map = consumer.getMatchingIndexingMap(input).compose(workload.acc.map);
    extra.type = ElementType::get(type.getElementType());
    if (!isLinearInTile(extra, nest))
      return {};
    epilogue.extras.push_back(extra);
    epilogue.extraArguments.push_back(argument.getArgNumber());
  }
  return epilogue;
}

std::optional<Operand> ucmoh::findInit(linalg::LinalgOp op, const Workload &workload,
                                       const Nest &nest) {
  Value init = op.getDpsInitOperand(0)->get();
  if (isZeroTensor(init))
    return std::nullopt;
  auto operandOf = [&](const ContractionBody::Input &input) {
    Operand operand;
    operand.value = input.value;
    operand.map = input.map;
    operand.shape = llvm::to_vector(cast<RankedTensorType>(input.value.getType()).getShape());
    operand.type = input.type;
    return operand;
  };
  ContractionBody::Input input{init, workload.acc.map, workload.acc.type, Value()};
  ContractionBody::Input moved = input;
  lookThroughMoves(moved);
  Operand source = operandOf(moved);
  return isLinearInTile(source, nest) ? source : operandOf(input);
}

SmallVector<Value> ucmoh::cloneBody(OpBuilder &builder, const Epilogue &epilogue,
                                    ValueRange arguments) {
  linalg::GenericOp consumer = epilogue.consumer;
  Block *body = consumer.getBlock();
  IRMapping mapping;
  mapping.map(body->getArgument(epilogue.accArgument), arguments[0]);
  for (auto [argument, value] : llvm::zip_equal(epilogue.extraArguments, arguments.drop_front()))
    mapping.map(body->getArgument(argument), value);
  for (Operation &op : body->without_terminator()) {
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() != body && !mapping.contains(operand))
        mapping.map(operand, builder.clone(*operand.getDefiningOp())->getResult(0));
    builder.clone(op, mapping);
  }
  SmallVector<Value> yielded;
  for (Value value : body->getTerminator()->getOperands()) {
    if (value.getParentBlock() != body && !mapping.contains(value))
      mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
    yielded.push_back(mapping.lookup(value));
  }
  return yielded;
}
