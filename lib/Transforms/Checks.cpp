//===- Checks.cpp - Kernels compared with plain loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace ucmoh {
#define GEN_PASS_DEF_LOWERCHECKS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// On tensors
//===----------------------------------------------------------------------===//

static Operation *cloneReference(RewriterBase &rewriter, Operation *op, IRMapping &mapping) {
  Operation *clone = rewriter.clone(*op, mapping);
  clone->removeAttr("ucmoh.choice");
  clone->removeAttr("ucmoh.op");
  clone->setAttr(referenceMark, rewriter.getUnitAttr());
  return clone;
}

/// The element types that the kernel works on: each allows for differences of its own. The op may
/// work on others, which a conversion in front of it makes.
static ArrayAttr elementTypes(KernelOp kernel) {
  llvm::SetVector<Type> types;
  for (Value operand : kernel->getOperands())
    types.insert(getElementTypeOrSelf(operand));
  return Builder(kernel.getContext()).getTypeArrayAttr(types.getArrayRef());
}

/// Whether the op sums floats that have become integers in `result`. Not bits: they have no next
/// one.
static bool isRounded(linalg::LinalgOp op, Value result) {
  Type type = getElementTypeOrSelf(result);
  return isa<FloatType>(getElementTypeOrSelf(op->getResult(0))) && isa<IntegerType>(type) &&
         !type.isInteger(1);
}

void ucmoh::addChecks(RewriterBase &rewriter, KernelOp kernel, linalg::LinalgOp op, Operation *last,
                      ValueRange results, tensor::ExtractSliceOp wanted) {
  IRMapping mapping;
  Operation *reference = cloneReference(rewriter, op, mapping);
  if (last != op)
    reference = cloneReference(rewriter, last, mapping);
  if (wanted)
    reference = rewriter.clone(*wanted, mapping);
  auto number = op->getAttrOfType<IntegerAttr>("ucmoh.op");
  for (auto [actual, expected] : llvm::zip_equal(results, reference->getResults()))
    CheckOp::create(rewriter, op.getLoc(), actual, expected, number ? number.getInt() : -1,
                    elementTypes(kernel), isRounded(op, actual));
}

//===----------------------------------------------------------------------===//
// On buffers
//===----------------------------------------------------------------------===//

static func::FuncOp declareComparison(ModuleOp module, Type element) {
  std::string name = "ucmoh_check_";
  llvm::raw_string_ostream(name) << element;
  if (auto found = module.lookupSymbol<func::FuncOp>(name))
    return found;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type buffer = UnrankedMemRefType::get(element, Attribute());
  auto type = builder.getFunctionType({builder.getI64Type(), buffer, buffer}, {});
  auto comparison = func::FuncOp::create(builder, module.getLoc(), name, type);
  comparison.setPrivate();
  return comparison;
}

static DictionaryAttr describe(CheckOp op) {
  Builder builder(op.getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("number", op.getNumberAttr()),
       builder.getNamedAttr("rounds", builder.getBoolAttr(op.getRounds())),
       builder.getNamedAttr("type", TypeAttr::get(getElementTypeOrSelf(op.getActual()))),
       builder.getNamedAttr("types", op.getTypesAttr())});
}

/// Comparisons by the types of both buffers. Each is a function, because buffers of unknown rank
/// are on the stack: in the middle of a network, LLVM 22 would no longer know how the stack is
/// aligned.
using Comparisons = llvm::DenseMap<std::pair<Type, Type>, func::FuncOp>;

static func::FuncOp makeComparison(ModuleOp module, Location loc, Type actual, Type expected,
                                   unsigned number) {
  Type element = getElementTypeOrSelf(actual);
  func::FuncOp comparison = declareComparison(module, element);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto type = builder.getFunctionType({builder.getI64Type(), actual, expected}, {});
  auto function =
      func::FuncOp::create(builder, loc, "ucmoh_compare_" + std::to_string(number), type);
  function.setPrivate();
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> operands = {body->getArgument(0)};
  for (Value buffer : body->getArguments().drop_front())
    operands.push_back(memref::CastOp::create(
        builder, loc, UnrankedMemRefType::get(element, Attribute()), buffer));
  func::CallOp::create(builder, loc, comparison, operands);
  func::ReturnOp::create(builder, loc);
  return function;
}

static void replaceByCall(ModuleOp module, CheckOp op, int64_t index, Comparisons &comparisons) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value actual = op.getActual(), expected = op.getExpected();
  func::FuncOp &comparison = comparisons[{actual.getType(), expected.getType()}];
  if (!comparison)
    comparison =
        makeComparison(module, loc, actual.getType(), expected.getType(), comparisons.size() - 1);
  Value number = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(index));
  func::CallOp::create(builder, loc, comparison, ValueRange{number, actual, expected});
  op.erase();
}

namespace {
struct LowerChecksPass : ucmoh::impl::LowerChecksBase<LowerChecksPass> {
  using Base::Base;
  void runOnOperation() override {
    Comparisons comparisons;
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      SmallVector<CheckOp> checks;
      function.walk([&](CheckOp op) { checks.push_back(op); });
      if (checks.empty())
        continue;
      SmallVector<Attribute> known = llvm::map_to_vector(
          checks, [](CheckOp op) { return static_cast<Attribute>(describe(op)); });
      function->setAttr("ucmoh.checks", ArrayAttr::get(&getContext(), known));
      for (auto [index, check] : llvm::enumerate(checks))
        replaceByCall(getOperation(), check, index, comparisons);
    }
  }
};
} // namespace
