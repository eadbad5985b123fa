//===- ProgramReader.cpp - The program of a kernel in the IR
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearForm.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

namespace {

class Reader {
public:
  Reader(KernelOp kernel, const TargetLibrary &library) : kernel(kernel), library(library) {}
  FailureOr<Program> run();

private:
  LogicalResult read(Block &block);
  LogicalResult read(Operation *op);
  LogicalResult readLoop(Operation *op, Value iv, Value from, Value to, Value step, LoopKind kind);
  LogicalResult readGuard(scf::IfOp op);
  LogicalResult readLoad(LoadOp op);
  LogicalResult readVector(Operation *op, Value buffer, ValueRange indices, VectorType type,
                           Value mask, bool isWrite);
  void findBuffers();
  void setBuffer(BufferRole role, Value buffer);

  std::optional<LinearForm> position(Value value) const;
  std::optional<LinearForm> position(AffineExpr expr, unsigned dims, ValueRange operands) const;
  /// The largest value, where it is known.
  std::optional<int64_t> bound(Value value) const;
  /// The innermost loop whose induction variable `value` is computed from.
  std::optional<unsigned> loopBehind(Value value) const;
  void append(Statement statement);
  LogicalResult add(Operation *op, Statement::Kind kind, Access access, Value index);

  KernelOp kernel;
  const TargetLibrary &library;
  Program program;
  DenseMap<Value, BufferRole> roles;
  DenseMap<Value, unsigned> loopOf; ///< by induction variable
  std::optional<unsigned> current;
  size_t straightLine = 0; ///< see addStatement
  bool afterStore = false;
  int64_t copied = 0; ///< elements that were read from an operand, but not written yet
};

} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

void Reader::setBuffer(BufferRole role, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  roles[buffer] = role;
  program[role] = {type.getNumElements(), type.getElementTypeBitWidth()};
}

/// Scratch is what is allocated here; micro-kernels load lhs and rhs from it, or else sums.
void Reader::findBuffers() {
  Block &body = kernel.getBody().front();
  setBuffer(BufferRole::Lhs, body.getArgument(0));
  setBuffer(BufferRole::Rhs, body.getArgument(1));
  setBuffer(BufferRole::Result, body.getArgument(kernel.getInputs().size()));
  kernel.walk([&](memref::AllocOp op) { setBuffer(BufferRole::Accumulators, op); });
  kernel.walk([&](LoadOp op) {
    if (op.getMemref().getDefiningOp<memref::AllocOp>() && op.getRole() != Role::acc)
      setBuffer(op.getRole() == Role::lhs ? BufferRole::PackedLhs : BufferRole::PackedRhs,
                op.getMemref());
  });
  if (llvm::none_of(roles, [](auto &role) { return role.second == BufferRole::Accumulators; }))
    program[BufferRole::Accumulators] = {};
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

std::optional<LinearForm> Reader::position(AffineExpr expr, unsigned dims,
                                           ValueRange operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearForm::ofConstant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return position(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return position(operands[dims + symbol.getPosition()]);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  auto left = binary ? position(binary.getLHS(), dims, operands) : std::nullopt;
  auto right = binary ? position(binary.getRHS(), dims, operands) : std::nullopt;
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (!llvm::all_of(right->perIteration, [](int64_t step) { return step == 0; }))
    return std::nullopt;
  int64_t factor = right->constant;
  if (expr.getKind() == AffineExprKind::Mul)
    return *left * factor;
  if (expr.getKind() != AffineExprKind::FloorDiv ||
      !llvm::all_of(left->perIteration, [&](int64_t step) { return step % factor == 0; }))
    return std::nullopt;
  for (int64_t &step : left->perIteration)
    step /= factor;
  left->constant = llvm::divideFloorSigned(left->constant, factor);
  return left;
}

std::optional<LinearForm> Reader::position(Value value) const {
  if (auto constant = getConstantIntValue(value))
    return LinearForm::ofConstant(*constant);
  if (auto loop = loopOf.find(value); loop != loopOf.end()) {
    LinearForm form;
    for (std::optional<unsigned> id = loop->second; id; id = program.loops[*id].refines)
      form += LinearForm::ofLoop(*id, program.loops[*id].step);
    return form;
  }
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op); apply)
    return position(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(),
                    apply.getOperands());
  if (!isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto left = position(op->getOperand(0)), right = position(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *left + *right;
  if (llvm::any_of(right->perIteration, [](int64_t step) { return step != 0; }))
    return std::nullopt;
  return *left * right->constant;
}

std::optional<int64_t> Reader::bound(Value value) const {
  if (auto constant = getConstantIntValue(value))
    return constant;
  auto min = value.getDefiningOp<affine::AffineMinOp>();
  if (!min)
    return std::nullopt;
  std::optional<int64_t> least;
  for (AffineExpr expr : min.getMap().getResults()) {
    std::optional<int64_t> known;
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      known = constant.getValue();
    else if (auto dim = dyn_cast<AffineDimExpr>(expr))
      known = bound(min.getOperands()[dim.getPosition()]);
    if (known)
      least = std::min(*known, least.value_or(*known));
  }
  return least;
}

std::optional<unsigned> Reader::loopBehind(Value value) const {
  if (auto loop = loopOf.find(value); loop != loopOf.end())
    return loop->second;
  std::optional<unsigned> innermost;
  if (Operation *op = value.getDefiningOp())
    for (Value operand : op->getOperands())
      if (auto loop = loopBehind(operand))
        innermost = std::max(*loop, innermost.value_or(0));
  return innermost;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult Reader::readLoop(Operation *op, Value iv, Value from, Value to, Value step,
                               LoopKind kind) {
  Loop loop{kind, 0, 0, current, std::nullopt};
  auto stepValue = getConstantIntValue(step), first = getConstantIntValue(from), end = bound(to);
  if (auto refined = loopOf.find(from); refined != loopOf.end()) {
    loop.refines = refined->second;
    first = 0;
  }
  if (!stepValue || !first || !end)
    return op->emitError("a loop of a program needs constant bounds, or to begin where an "
                         "enclosing loop stands");
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

LogicalResult Reader::readGuard(scf::IfOp op) {
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

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult Reader::add(Operation *op, Statement::Kind kind, Access access, Value index) {
  std::optional<LinearForm> form = position(index);
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
void Reader::append(Statement statement) {
  bool isStore = statement.kind == Statement::Store;
  if (afterStore && !isStore)
    straightLine = program.statements.size();
  afterStore = isStore;
  addStatement(program, straightLine, std::move(statement));
}

LogicalResult Reader::readLoad(LoadOp op) {
  IntrinsicOp intrinsic = library.lookup(op.getIntrinsic());
  if (!intrinsic)
    return op.emitError("unknown intrinsic ") << op.getIntrinsic();
  auto role = roles.find(op.getMemref());
  if (role == roles.end() || op.getIndices().size() != 1)
    return op.emitError("loads from a buffer that is neither an operand nor scratch, or not flat");
  ArrayRef<int64_t> shape = intrinsic.getShape();
  bool isLhs = op.getRole() == Role::lhs;
  int64_t elements = (isLhs ? shape[0] : shape[1]) * shape[2];
  auto kind = !isLhs          ? Statement::LoadRhs
              : op.getValid() ? Statement::LoadLhsPartial
                              : Statement::LoadLhs;
  return add(op, kind, {role->second, false, elements, {}}, op.getIndices().front());
}

/// Copies into packed buffers, partial sums, and results.
LogicalResult Reader::readVector(Operation *op, Value buffer, ValueRange indices, VectorType type,
                                 Value mask, bool isWrite) {
  auto found = roles.find(buffer);
  if (found == roles.end())
    return success(); // what a consumer reads or writes besides
  BufferRole role = found->second;
  int64_t elements = type.getNumElements();
  auto valid = mask ? mask.getDefiningOp<vector::ConstantMaskOp>() : nullptr;
  switch (role) {
  case BufferRole::Lhs:
  case BufferRole::Rhs:
    copied += elements;
    return success();
  case BufferRole::PackedLhs:
    return add(op, Statement::PackLhs, {role, true, elements, {}}, indices.front());
  case BufferRole::PackedRhs:
    return add(op, Statement::PackRhs, {role, true, elements, {}}, indices.front());
  case BufferRole::Accumulators:
  case BufferRole::Result:
    if (valid)
      elements = valid.getMaskDimSizes().front();
    return add(op, isWrite ? Statement::Store : Statement::LoadAcc, {role, isWrite, elements, {}},
               indices.front());
  }
  llvm_unreachable("all roles are covered");
}

LogicalResult Reader::read(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) {
        return readLoop(loop, loop.getInductionVar(), loop.getLowerBound(), loop.getUpperBound(),
                        loop.getStep(), LoopKind::Serial);
      })
      .Case([&](scf::ParallelOp loop) {
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

LogicalResult Reader::read(Block &block) {
  for (Operation &op : block)
    if (failed(read(&op)))
      return failure();
  return success();
}

FailureOr<Program> Reader::run() {
  findBuffers();
  if (failed(read(kernel.getBody().front())))
    return failure();
  return std::move(program);
}

FailureOr<Program> ucmoh::readProgram(KernelOp kernel, const TargetLibrary &library) {
  return Reader(kernel, library).run();
}
