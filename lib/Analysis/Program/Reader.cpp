//===- Reader.cpp - The loops and statements of a kernel
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "GridReader.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

/// Scratch is what is allocated here; micro-kernels load lhs and rhs from it, or else sums.
LogicalResult ProgramReader::findBuffers() {
  if (failed(buffers.addOperands(kernel)))
    return failure();
  WalkResult scratch = kernel.walk([&](memref::AllocOp op) {
    return WalkResult(buffers.add(op, BufferRole::Accumulators, op));
  });
  if (scratch.wasInterrupted())
    return failure();
  kernel.walk([&](LoadOp op) {
    if (op.getMemref().getDefiningOp<memref::AllocOp>() && op.getRole() != Role::acc)
      // Known to be possible: it is one of those above.
      (void)buffers.add(op,
                        op.getRole() == Role::lhs ? BufferRole::PackedLhs : BufferRole::PackedRhs,
                        op.getMemref());
  });
  if (!buffers.has(BufferRole::Accumulators))
    program[BufferRole::Accumulators] = {};
  return success();
}

LogicalResult ProgramReader::readLoop(Operation *op, Value iv, Value from, Value to, Value step,
                                      LoopKind kind) {
  Loop loop{kind, 0, 0, current, std::nullopt};
  auto stepValue = getConstantIntValue(step), first = getConstantIntValue(from), end = bound(to);
  if (auto refined = loopOf.find(from); refined != loopOf.end()) {
    loop.refines = refined->second;
    first = 0;
  }
  if (!stepValue || *stepValue <= 0 || !first || !end)
    return op->emitError("a loop of a program needs constant bounds, or to begin where an "
                         "enclosing loop stands, and a positive step");
  loop.extent = *end - *first;
  loop.step = *stepValue;
  unsigned id = program.loops.size();
  program.loops.push_back(loop);
  loopOf[iv] = id;
  current = id;
  LogicalResult result = read(op->getRegion(0).front());
  current = loop.parent;
  return result;
}

LogicalResult ProgramReader::readGuard(scf::IfOp op) {
  std::optional<unsigned> refined = loopBehind(op.getCondition());
  if (!refined || op.elseBlock())
    return op.emitError("a condition in a program must be about an enclosing loop, without else");
  Loop loop{LoopKind::Guard, 1, 1, current, refined};
  current = program.loops.size();
  program.loops.push_back(loop);
  LogicalResult result = read(*op.thenBlock());
  current = loop.parent;
  return result;
}

LogicalResult ProgramReader::add(Operation *op, Statement::Kind kind, Access access,
                                 ValueRange indices) {
  if (indices.size() != 1)
    return op->emitError("accesses a buffer of a program that is not flat");
  std::optional<LinearForm> form = position(indices.front());
  if (!form)
    return op->emitError("accesses a position that is no affine function of the loops");
  access.strides = stridesIn(program, current, *form);
  Statement statement{kind, current, 1, {access}};
  if (kind == Statement::PackLhs || kind == Statement::PackRhs) {
    auto from = kind == Statement::PackLhs ? BufferRole::Lhs : BufferRole::Rhs;
    statement.accesses.insert(statement.accesses.begin(), Access{from, false, copied, {}});
    copied = 0;
  }
  append(std::move(statement));
  return success();
}

/// What follows the stores of a tile belongs to another one.
void ProgramReader::append(Statement statement) {
  bool isStore = statement.kind == Statement::Store;
  if (afterStore && !isStore)
    straightLine = program.statements.size();
  afterStore = isStore;
  addStatement(program, straightLine, std::move(statement));
}

LogicalResult ProgramReader::readLoad(LoadOp op) {
  IntrinsicOp intrinsic = library.lookup(op.getIntrinsic());
  if (!intrinsic)
    return op.emitError("unknown intrinsic ") << op.getIntrinsic();
  std::optional<BufferRole> role = buffers.roleOf(op.getMemref());
  if (!role)
    return op.emitError("loads from a buffer that is neither an operand nor scratch");
  ArrayRef<int64_t> shape = intrinsic.getShape();
  bool isLhs = op.getRole() == Role::lhs;
  int64_t elements = (isLhs ? shape[0] : shape[1]) * shape[2];
  auto kind = !isLhs          ? Statement::LoadRhs
              : op.getValid() ? Statement::LoadLhsPartial
                              : Statement::LoadLhs;
  return add(op, kind, {*role, false, elements, {}}, op.getIndices());
}

/// Copies into packed buffers, partial sums, and results.
LogicalResult ProgramReader::readVector(Operation *op, Value buffer, ValueRange indices,
                                        VectorType type, Value mask, bool isWrite) {
  std::optional<BufferRole> role = buffers.roleOf(buffer);
  if (!role)
    return success(); // what a consumer reads or writes besides
  int64_t elements = type.getNumElements();
  auto valid = mask ? mask.getDefiningOp<vector::ConstantMaskOp>() : nullptr;
  switch (*role) {
  case BufferRole::Lhs:
  case BufferRole::Rhs:
    copied += elements;
    return success();
  case BufferRole::PackedLhs:
    return add(op, Statement::PackLhs, {*role, true, elements, {}}, indices);
  case BufferRole::PackedRhs:
    return add(op, Statement::PackRhs, {*role, true, elements, {}}, indices);
  case BufferRole::Accumulators:
  case BufferRole::Result:
    if (valid)
      elements = valid.getMaskDimSizes().front();
    return add(op, isWrite ? Statement::Store : Statement::LoadAcc, {*role, isWrite, elements, {}},
               indices);
  }
  llvm_unreachable("all roles are covered");
}

LogicalResult ProgramReader::read(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) {
        return readLoop(loop, loop.getInductionVar(), loop.getLowerBound(), loop.getUpperBound(),
                        loop.getStep(), LoopKind::Serial);
      })
      .Case([&](scf::ParallelOp loop) -> LogicalResult {
        if (loop.getNumLoops() != 1)
          return loop.emitError("a parallel loop of a program has one variable");
        return readLoop(loop, loop.getInductionVars().front(), loop.getLowerBound().front(),
                        loop.getUpperBound().front(), loop.getStep().front(), LoopKind::Parallel);
      })
      .Case([&](scf::IfOp guard) { return readGuard(guard); })
      .Case([&](LoadOp load) { return readLoad(load); })
      .Case([&](ComputeOp) {
        append({Statement::Compute, current, 1, {}});
        return success();
      })
      .Case<vector::LoadOp, vector::MaskedLoadOp>([&](auto load) {
        Value mask;
        if constexpr (std::is_same_v<decltype(load), vector::MaskedLoadOp>)
          mask = load.getMask();
        return readVector(load, load.getBase(), load.getIndices(), load.getVectorType(), mask,
                          /*isWrite=*/false);
      })
      .Case([&](vector::StoreOp store) {
        return readVector(store, store.getBase(), store.getIndices(), store.getVectorType(),
                          Value(), /*isWrite=*/true);
      })
      .Case([&](vector::MaskedStoreOp store) {
        return readVector(store, store.getBase(), store.getIndices(), store.getVectorType(),
                          store.getMask(), /*isWrite=*/true);
      })
      .Default([](Operation *) { return success(); });
}

LogicalResult ProgramReader::read(Block &block) {
  for (Operation &op : block)
    if (failed(read(&op)))
      return failure();
  return success();
}

FailureOr<Program> ProgramReader::run() {
  if (failed(findBuffers()) || failed(read(kernel.getBody().front())))
    return failure();
  return std::move(program);
}

FailureOr<Program> ucmoh::readProgram(KernelOp kernel, const TargetLibrary &library) {
  gpu::LaunchOp launch;
  kernel.walk([&](gpu::LaunchOp op) { launch = op; });
  if (launch)
    return GridReader(kernel, launch, library).run();
  return ProgramReader(kernel, library).run();
}
