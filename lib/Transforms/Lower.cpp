//===- Lower.cpp - Bodies in place of the ucmoh ops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineKernels.h"
#include "Lower/AsyncCopies.h"
#include "Lower/CloneBody.h"
#include "PassTarget.h"
#include "StackScope.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

namespace ucmoh {
#define GEN_PASS_DEF_LOWER
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// A view of `rows` x `columns` elements from `indices` on, of the type that a body declares.
static Value viewAt(OpBuilder &builder, Location loc, Value buffer, ValueRange indices,
                    int64_t rows, int64_t columns, int64_t stride, Type declared) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  auto type = cast<MemRefType>(buffer.getType());
  AffineExpr sum = builder.getAffineSymbolExpr(0);
  SmallVector<OpFoldResult> operands = {metadata.getOffset()};
  for (auto [dim, position] : llvm::enumerate(indices)) {
    unsigned at = operands.size();
    sum = sum + builder.getAffineSymbolExpr(at) * builder.getAffineSymbolExpr(at + 1);
    operands.append({position, OpFoldResult(metadata.getStrides()[dim])});
  }
  OpFoldResult offset = affine::makeComposedFoldedAffineApply(
      builder, loc, AffineMap::get(0, operands.size(), sum), operands);
  auto layout = StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {stride, 1});
  auto viewType =
      MemRefType::get({rows, columns}, type.getElementType(), layout, type.getMemorySpace());
  Value view = memref::ReinterpretCastOp::create(
      builder, loc, viewType, metadata.getBaseBuffer(), offset,
      ArrayRef<OpFoldResult>{builder.getIndexAttr(rows), builder.getIndexAttr(columns)},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(stride), builder.getIndexAttr(1)});
  return view;
}

namespace {
/// The two-dimensional extent of what a load or store touches, from the intrinsic's semantics.
struct Extent {
  int64_t rows, columns;
};
} // namespace

static Extent extentOf(IntrinsicOp intrinsic, Role role, Type fragment) {
  auto [rows, columns] = intrinsic.getViewShape(role);
  if (fragment != intrinsic.getFragmentType(role)) // has fewer
    rows = cast<ShapedType>(fragment).getDimSize(0);
  return {rows, columns};
}

static Value zeroIndex(OpBuilder &builder, Location loc) {
  return arith::ConstantIndexOp::create(builder, loc, 0);
}

/// A stack buffer of one fragment's extent.
static Value allocateFragment(OpBuilder &builder, Operation *user, Extent extent, Type element) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&stackScope(user));
  return memref::AllocaOp::create(builder, user->getLoc(),
                                  MemRefType::get({extent.rows * extent.columns}, element),
                                  builder.getI64IntegerAttr(64));
}

static void fillWithZero(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto vectorType = VectorType::get(type.getShape(), type.getElementType());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vectorType));
  vector::StoreOp::create(builder, loc, zero, buffer, zeroIndex(builder, loc));
}

/// Copies the part of a fragment that exists between a 2-D view and the fragment's buffer, row by
/// row in vectors of powers of two: LLVM 22 aborts on vectors of 25 bf16, which have no scalar type
/// on x86.
static void copyValid(OpBuilder &builder, Location loc, Value view, Value fragment,
                      int64_t fragmentRow, ArrayRef<int64_t> valid, bool toFragment) {
  Type element = cast<MemRefType>(view.getType()).getElementType();
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto copy = [&](int64_t row, int64_t column, int64_t width) {
    SmallVector<Value> inView{index(row), index(column)};
    SmallVector<Value> inFragment{index(row * fragmentRow + column)};
    auto type = VectorType::get({width}, element);
    Value values =
        toFragment ? vector::LoadOp::create(builder, loc, type, view, inView).getResult()
                   : vector::LoadOp::create(builder, loc, type, fragment, inFragment).getResult();
    if (toFragment)
      vector::StoreOp::create(builder, loc, values, fragment, inFragment);
    else
      vector::StoreOp::create(builder, loc, values, view, inView);
  };
  for (int64_t row = 0; row < valid[0]; ++row)
    for (int64_t column = 0, width = 0; column < valid[1]; column += width) {
      width = llvm::bit_floor(static_cast<uint64_t>(valid[1] - column));
      copy(row, column, width);
    }
}

static void lowerLoad(OpBuilder &builder, LoadOp op, IntrinsicOp intrinsic) {
  Location loc = op.getLoc();
  Region &body = intrinsic.getLoad(op.getRole());
  Type fragment = op.getFragment().getType();
  Extent extent = extentOf(intrinsic, op.getRole(), fragment);
  Type declared = body.getArgument(0).getType();
  int64_t stride = op.getStride().value_or(extent.columns);
  Value view = viewAt(builder, loc, op.getMemref(), op.getIndices(), extent.rows, extent.columns,
                      stride, declared);
  if (std::optional<ArrayRef<int64_t>> valid = op.getValid()) {
    Type element = cast<MemRefType>(view.getType()).getElementType();
    Value buffer = allocateFragment(builder, op, extent, element);
    fillWithZero(builder, loc, buffer);
    copyValid(builder, loc, view, buffer, extent.columns, *valid, /*toFragment=*/true);
    view = viewAt(builder, loc, buffer, zeroIndex(builder, loc), extent.rows, extent.columns,
                  extent.columns, declared);
  }
  Value zero = zeroIndex(builder, loc);
  Retyping types{intrinsic.getFragmentType(op.getRole()), fragment};
  op.getFragment().replaceAllUsesWith(
      cloneBody(builder, op, body, {view, zero, zero}, types).front());
}

static void lowerStore(OpBuilder &builder, StoreOp op, IntrinsicOp intrinsic) {
  Location loc = op.getLoc();
  Region &body = intrinsic.getStore();
  Extent extent = extentOf(intrinsic, Role::acc, op.getFragment().getType());
  Type declared = body.getArgument(1).getType();
  int64_t stride = op.getStride().value_or(extent.columns);
  Value zero = zeroIndex(builder, loc);
  Value view = viewAt(builder, loc, op.getMemref(), op.getIndices(), extent.rows, extent.columns,
                      stride, declared);
  std::optional<ArrayRef<int64_t>> valid = op.getValid();
  if (!valid) {
    cloneBody(builder, op, body, {op.getFragment(), view, zero, zero});
    return;
  }
  Value buffer =
      allocateFragment(builder, op, extent, cast<MemRefType>(view.getType()).getElementType());
  Value whole =
      viewAt(builder, loc, buffer, zero, extent.rows, extent.columns, extent.columns, declared);
  cloneBody(builder, op, body, {op.getFragment(), whole, zero, zero});
  copyValid(builder, loc, view, buffer, extent.columns, *valid, /*toFragment=*/false);
}

static void lower(Operation *user, IntrinsicOp intrinsic) {
  OpBuilder builder(user);
  auto retyping = [&](Value acc) {
    return Retyping{intrinsic.getFragmentType(Role::acc), acc.getType()};
  };
  llvm::TypeSwitch<Operation *>(user)
      .Case([&](LoadOp op) { lowerLoad(builder, op, intrinsic); })
      .Case([&](StoreOp op) { lowerStore(builder, op, intrinsic); })
      .Case([&](ComputeOp op) {
        op.getResult().replaceAllUsesWith(cloneBody(builder, op, intrinsic.getCompute(),
                                                    op->getOperands(), retyping(op.getResult()))
                                              .front());
      })
      .Case([&](ZeroOp op) {
        op.getFragment().replaceAllUsesWith(
            cloneBody(builder, op, intrinsic.getZero(), {}, retyping(op.getFragment())).front());
      });
  user->erase();
}

/// MLIR's views mark what is unknown by the least integer: as a constant position it would be taken
/// for that.
static LogicalResult checkIndices(Operation *op) {
  for (Value operand : op->getOperands())
    if (getConstantIntValue(operand) == ShapedType::kDynamic)
      return op->emitOpError("has the index ") << ShapedType::kDynamic << ", which is no position";
  return success();
}

/// Keeps LLVM, and assemblers behind it, from unrolling the loops around an operation again. How
/// often steps are computed is part of the choice, and to write them out would take most of the
/// time of compilation. Asynchronous copies have nothing to wait for in between: to write out more
/// of them only keeps their addresses in registers, until fragments are spilled.
static void keepLoops(Operation *op) {
  MLIRContext *context = op->getContext();
  auto yes = BoolAttr::get(context, true);
  auto unroll = LLVM::LoopUnrollAttr::get(context, yes, {}, {}, {}, {}, {}, {});
  auto vectorize = LLVM::LoopVectorizeAttr::get(context, yes, {}, {}, {}, {}, {}, {});
  auto annotation = LLVM::LoopAnnotationAttr::get(context, {}, vectorize, {}, unroll, {}, {}, {},
                                                  {}, {}, {}, {}, {}, {}, {}, {});
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    loop->setAttr("loop_annotation", annotation);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct LowerPass : TargetPass<ucmoh::impl::LowerBase<LowerPass>> {
  using TargetPass::TargetPass;

  LogicalResult runFor(const Target &resolved) override {
    library = resolved.library;
    if (failed(inlineKernels(getOperation())))
      return failure();
    SmallVector<Operation *> users;
    getOperation()->walk([&](Operation *op) {
      if (isa<LoadOp, ComputeOp, StoreOp, ZeroOp>(op))
        users.push_back(op);
    });
    for (Operation *user : users) {
      if (failed(checkIndices(user)))
        return failure();
      if (auto compute = dyn_cast<ComputeOp>(user))
        keepLoops(compute);
      IntrinsicOp intrinsic = findIntrinsic(user, *library);
      if (!intrinsic)
        return failure();
      lower(user, intrinsic);
    }
    getOperation()->walk([](CopyOp copy) { keepLoops(copy); });
    return lowerAsyncCopies(getOperation(), *library);
  }

  std::shared_ptr<TargetLibrary> library;
};
} // namespace
