//===- Lower.cpp - Bodies in place of the ucmoh ops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "InlineKernels.h"
#include "PassTarget.h"
#include "StackScope.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

namespace ucmoh {
#define GEN_PASS_DEF_LOWER
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

namespace {
/// A fragment's type in a body, and the one with fewer rows that a use has.
struct Retyping {
  Type whole, used;
};
} // namespace

/// The pointer and the distance of rows that stand for the op.
static SmallVector<Value> lowerAddress(OpBuilder &builder, Location loc, AddressOp op,
                                       const IRMapping &mapping) {
  auto view =
      memref::ExtractStridedMetadataOp::create(builder, loc, mapping.lookupOrDefault(op.getView()));
  Value distance = view.getStrides()[0];
  Value rows = arith::MulIOp::create(builder, loc, mapping.lookupOrDefault(op.getRow()), distance);
  Value index = arith::AddIOp::create(builder, loc, rows, mapping.lookupOrDefault(op.getColumn()));
  return {addressOf(builder, view, index, op.getPointer().getType()),
          arith::IndexCastOp::create(builder, loc, builder.getI32Type(), distance)};
}

/// The registers that stand for the op's results.
static SmallVector<Value> lowerRegisters(OpBuilder &builder, Location loc, RegistersOp op,
                                         const IRMapping &mapping) {
  Value fragment = mapping.lookupOrDefault(op.getFragment());
  auto vector = dyn_cast<VectorType>(fragment.getType());
  SmallVector<int64_t> strides;
  if (vector)
    strides = computeStrides(vector.getShape());
  return llvm::map_to_vector(llvm::seq<int64_t>(op.getNumResults()), [&](int64_t number) -> Value {
    if (!vector)
      return LLVM::ExtractValueOp::create(builder, loc, fragment, number);
    return vector::ExtractOp::create(builder, loc, fragment, delinearize(number, strides));
  });
}

/// Clones a body with `operands` in place of its arguments; returns what it yields. Results of type
/// `types.whole` become `types.used`. Later errors point at the line of the target file.
static SmallVector<Value> cloneBody(OpBuilder &builder, Operation *user, Region &body,
                                    ValueRange operands, Retyping types = {}) {
  IRMapping mapping;
  mapping.map(body.getArguments(), operands);
  for (Operation &op : body.front().without_terminator()) {
    Location loc = CallSiteLoc::get(op.getLoc(), user->getLoc());
    if (auto address = dyn_cast<AddressOp>(op)) {
      mapping.map(address.getResults(), lowerAddress(builder, loc, address, mapping));
      continue;
    }
    if (auto registers = dyn_cast<RegistersOp>(op)) {
      mapping.map(registers.getResults(), lowerRegisters(builder, loc, registers, mapping));
      continue;
    }
    Operation *copy = builder.clone(op, mapping);
    copy->setLoc(loc);
    for (OpResult result : copy->getResults())
      if (result.getType() == types.whole)
        result.setType(types.used);
  }
  return llvm::map_to_vector(body.front().getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

static void lowerCopy(OpBuilder &builder, CopyOp op, AsyncCopyOp engine) {
  Location loc = op.getLoc();
  TypeRange types = engine.getCopy().getArgumentTypes();
  Value to = addressOf(builder, loc, op.getTarget(), op.getTargetIndex(), types[0]);
  Value from = addressOf(builder, loc, op.getSource(), op.getSourceIndex(), types[1]);
  int64_t bytes = cast<MemRefType>(op.getSource().getType()).getElementTypeBitWidth() / 8;
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  Value valid = arith::MulIOp::create(builder, loc, op.getValid(), size);
  valid = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), valid);
  SmallVector<Value> operands = {to, from, valid};
  if (op.getBarriers())
    operands.push_back(addressOf(builder, loc, op.getBarriers(), op.getSlot(), types[3]));
  cloneBody(builder, op, engine.getCopy(), operands);
}

static Value constantI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

static void lowerInit(OpBuilder &builder, InitOp op, AsyncCopyOp engine) {
  Type pointer = engine.getInit().getArgumentTypes()[0];
  Value barrier = addressOf(builder, op.getLoc(), op.getBarriers(), op.getSlot(), pointer);
  cloneBody(builder, op, engine.getInit(),
            {barrier, constantI32(builder, op.getLoc(), op.getThreads())});
}

static void lowerCommit(OpBuilder &builder, CommitOp op, AsyncCopyOp engine) {
  SmallVector<Value> operands;
  if (op.getBarriers())
    operands.push_back(addressOf(builder, op.getLoc(), op.getBarriers(), op.getSlot(),
                                 engine.getCommit().getArgumentTypes()[0]));
  cloneBody(builder, op, engine.getCommit(), operands);
}

static void lowerWait(OpBuilder &builder, WaitOp op, AsyncCopyOp engine) {
  Location loc = op.getLoc();
  if (!op.getBarriers()) {
    cloneBody(builder, op, engine.getWait(), constantI32(builder, loc, op.getPending()));
    return;
  }
  Value barrier = addressOf(builder, loc, op.getBarriers(), op.getSlot(),
                            engine.getWait().getArgumentTypes()[0]);
  Value parity = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), op.getParity());
  cloneBody(builder, op, engine.getWait(), {barrier, parity});
}

static void lower(Operation *user, AsyncCopyOp engine) {
  OpBuilder builder(user);
  llvm::TypeSwitch<Operation *>(user)
      .Case([&](CopyOp op) { lowerCopy(builder, op, engine); })
      .Case([&](InitOp op) { lowerInit(builder, op, engine); })
      .Case([&](CommitOp op) { lowerCommit(builder, op, engine); })
      .Case([&](WaitOp op) { lowerWait(builder, op, engine); });
  user->erase();
}

/// Whether a use has a barrier where the engine does.
static LogicalResult verifyBarrier(Operation *user, AsyncCopyOp engine) {
  Value barriers =
      llvm::TypeSwitch<Operation *, Value>(user).Case<CopyOp, InitOp, CommitOp, WaitOp>(
          [](auto op) { return op.getBarriers(); });
  if (bool(barriers) == engine.getBarrier().has_value())
    return success();
  return user->emitOpError("must name a barrier if and only if its engine has them");
}

static void lowerBarriers(Operation *root) {
  root->walk([](BarrierOp op) {
    OpBuilder builder(op);
    gpu::BarrierOp::create(builder, op.getLoc());
    op.erase();
  });
}

/// Replaces each ucmoh.copy, commit, wait and barrier under `root`. Fails with an error at an op
/// whose engine the library does not know.
static LogicalResult lowerAsyncCopies(Operation *root, const TargetLibrary &library) {
  SmallVector<Operation *> users;
  root->walk([&](Operation *op) {
    if (isa<CopyOp, InitOp, CommitOp, WaitOp>(op))
      users.push_back(op);
  });
  lowerBarriers(root);
  for (Operation *user : users) {
    auto symbol = user->getAttrOfType<SymbolRefAttr>("engine");
    AsyncCopyOp engine = library.lookupAsyncCopy(symbol);
    if (!engine)
      return user->emitOpError("unknown asynchronous copy ")
             << symbol << "; known targets: " << library.knownTargets();
    if (failed(verifyBarrier(user, engine)))
      return failure();
    lower(user, engine);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

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

namespace {
/// A stack buffer of one fragment, and the same as a view that a body takes.
struct FragmentBuffer {
  Value flat, view;
};
} // namespace

static FragmentBuffer allocateFragment(OpBuilder &builder, Operation *user, Extent extent,
                                       Type element) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&stackScope(user));
  Location loc = user->getLoc();
  Value flat = memref::AllocaOp::create(builder, loc,
                                        MemRefType::get({extent.rows * extent.columns}, element),
                                        builder.getI64IntegerAttr(64));
  auto type = MemRefType::get({extent.rows, extent.columns}, element);
  ReassociationIndices both = {0, 1};
  Value view =
      memref::ExpandShapeOp::create(builder, loc, type, flat, ArrayRef<ReassociationIndices>(both));
  return {flat, view};
}

static void fillWithZero(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto vectorType = VectorType::get(type.getShape(), type.getElementType());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vectorType));
  vector::StoreOp::create(builder, loc, zero, buffer, zeroIndex(builder, loc));
}

/// Copies the part of a fragment that exists between its view and the fragment's buffer, row by row
/// in vectors of powers of two: LLVM 22 aborts on vectors of 25 bf16, which have no scalar type on
/// x86.
static void copyExisting(OpBuilder &builder, Location loc, Value view, Value fragment,
                         bool toFragment) {
  auto type = cast<MemRefType>(view.getType());
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto copy = [&](int64_t row, int64_t column, int64_t width) {
    SmallVector<Value> at{index(row), index(column)};
    auto vectorType = VectorType::get({width}, type.getElementType());
    auto [from, to] = toFragment ? std::pair(view, fragment) : std::pair(fragment, view);
    Value values = vector::LoadOp::create(builder, loc, vectorType, from, at);
    vector::StoreOp::create(builder, loc, values, to, at);
  };
  for (int64_t row = 0; row < type.getDimSize(0); ++row)
    for (int64_t column = 0, width = 0; column < type.getDimSize(1); column += width) {
      width = llvm::bit_floor(static_cast<uint64_t>(type.getDimSize(1) - column));
      copy(row, column, width);
    }
}

static bool isWhole(MemRefType view, Extent extent) {
  return view.getDimSize(0) == extent.rows && view.getDimSize(1) == extent.columns;
}

static void lowerLoad(OpBuilder &builder, LoadOp op, IntrinsicOp intrinsic) {
  Location loc = op.getLoc();
  Type fragment = op.getFragment().getType();
  Extent extent = extentOf(intrinsic, op.getRole(), fragment);
  Value view = op.getView();
  if (MemRefType type = op.getView().getType(); !isWhole(type, extent)) {
    FragmentBuffer buffer = allocateFragment(builder, op, extent, type.getElementType());
    fillWithZero(builder, loc, buffer.flat);
    copyExisting(builder, loc, view, buffer.view, /*toFragment=*/true);
    view = buffer.view;
  }
  Value zero = zeroIndex(builder, loc);
  Retyping types{intrinsic.getFragmentType(op.getRole()), fragment};
  Region &body = intrinsic.getLoad(op.getRole());
  op.getFragment().replaceAllUsesWith(
      cloneBody(builder, op, body, {view, zero, zero}, types).front());
}

static void lowerStore(OpBuilder &builder, StoreOp op, IntrinsicOp intrinsic) {
  Location loc = op.getLoc();
  Region &body = intrinsic.getStore();
  Extent extent = extentOf(intrinsic, Role::acc, op.getFragment().getType());
  Value zero = zeroIndex(builder, loc);
  MemRefType type = op.getView().getType();
  if (isWhole(type, extent)) {
    cloneBody(builder, op, body, {op.getFragment(), op.getView(), zero, zero});
    return;
  }
  FragmentBuffer buffer = allocateFragment(builder, op, extent, type.getElementType());
  cloneBody(builder, op, body, {op.getFragment(), buffer.view, zero, zero});
  copyExisting(builder, loc, op.getView(), buffer.view, /*toFragment=*/false);
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
