//===- Streams.cpp - Executions of an intrinsic in a loop
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streams.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Runtime/Inputs.h"
#include "ucmoh/Transforms/Pipeline.h"

using namespace mlir;
using namespace ucmoh;

/// More accumulators hide no latency that is known, but make the loop longer.
static constexpr int64_t mostExecutions = 24;
/// Registers for what a body computes on its way.
static constexpr int64_t sparedRegisters = 2;
/// The stream loads so many steps of each row of lhs. They are a power of two, and few so that all
/// rows stay in L1.
static constexpr int64_t loadedSteps = 64;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Whether the body computes something of lhs and rhs alone, which a compiler would do once for a
/// pair of fragments: such as the products that another instruction then adds.
static bool worksAhead(IntrinsicOp op) {
  Region &body = op.getCompute();
  llvm::SmallPtrSet<Operation *, 8> ofAcc;
  for (Operation &inner : body.front().without_terminator()) {
    bool usesAcc = llvm::any_of(inner.getOperands(), [&](Value value) {
      return value == body.getArgument(2) || ofAcc.contains(value.getDefiningOp());
    });
    if (usesAcc)
      ofAcc.insert(&inner);
    else if (inner.getNumOperands())
      return true;
  }
  return false;
}

static int64_t elementsOf(const Intrinsic &in, Role role) {
  return role == Role::lhs ? in.m * in.k : role == Role::rhs ? in.n * in.k : in.m * in.n;
}

static int64_t registersOf(const Intrinsic &in, Role role) {
  IntrinsicOp op = in.op;
  auto vector = dyn_cast<VectorType>(op.getFragmentType(role));
  int64_t elements = vector ? vector.getNumElements() : elementsOf(in, role);
  return in.registersFor(elements, op.getSignlessType(role).getIntOrFloatBitWidth());
}

/// Where something is computed ahead, the loop's own work (the exchange) is shared by several
/// executions: it would else take longer than an addition. Each has a pair of its own, since those
/// on the same pair would share what is computed ahead.
StreamShape ucmoh::chainOf(const Intrinsic &intrinsic) {
  if (worksAhead(intrinsic.op))
    return {4, 1, 2, 2, /*exchangesLhs=*/true};
  return {1, 1, 1, 1, /*exchangesLhs=*/false};
}

StreamShape ucmoh::streamOf(const Intrinsic &intrinsic) {
  StreamShape shape = chainOf(intrinsic);
  int64_t left =
      intrinsic.registerCount - sparedRegisters - shape.lhs * registersOf(intrinsic, Role::lhs);
  int64_t rhs = registersOf(intrinsic, Role::rhs), acc = registersOf(intrinsic, Role::acc);
  if (shape.exchangesLhs) // takes one more register
    shape.rhs = std::clamp<int64_t>((left - 1) / (rhs + 2 * acc), 1, mostExecutions / 2);
  shape.executions = shape.exchangesLhs
                         ? 2 * shape.rhs
                         : std::clamp<int64_t>((left - rhs) / acc, 1, mostExecutions);
  shape.accumulators = shape.executions;
  return shape;
}

StreamShape ucmoh::loadingStreamOf(const Intrinsic &intrinsic) {
  StreamShape shape = streamOf(intrinsic);
  shape.exchangesLhs = false;
  shape.lhs = 0;
  shape.rhs = 1;
  shape.lhsSteps = loadedSteps;
  return shape;
}

bool ucmoh::isBroadcast(const Intrinsic &intrinsic) {
  IntrinsicOp op = intrinsic.op;
  auto type = dyn_cast<VectorType>(op.getFragmentType(Role::lhs));
  if (!type || intrinsic.m != 1 || intrinsic.isStaged)
    return false;
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  return bits == intrinsic.registerBits && type.getNumElements() > intrinsic.k;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {
/// Writes one function.
struct StreamBuilder {
  OpBuilder builder;
  Location loc;
  const Intrinsic &intrinsic;
  const StreamShape &shape;
  func::FuncOp function;

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value argument(Role role) { return function.getArgument(static_cast<unsigned>(role)); }
  Value fragmentAt(Role role, Value position);
  Value load(Role role, Value position);
  SmallVector<Value> load(Role role, int64_t count);
  Value lhsAt(int64_t execution, Value step);
  Value number(int64_t position) {
    return memref::LoadOp::create(builder, loc, function.getArgument(3), index(position));
  }
  SmallVector<Value> iteration(Value number, ValueRange carried, ValueRange rhs,
                               ValueRange numbers);
  void build();
};
} // namespace

/// The view of one fragment, which lies in its buffer row by row.
Value StreamBuilder::fragmentAt(Role role, Value position) {
  IntrinsicOp op = intrinsic.op;
  auto [rows, columns] = op.getViewShape(role);
  int64_t shape[] = {rows, columns}, strides[] = {columns, 1};
  MLIRContext *context = builder.getContext();
  auto type = MemRefType::get(shape, op.getSignlessType(role),
                              StridedLayoutAttr::get(context, ShapedType::kDynamic, strides));
  return memref::ReinterpretCastOp::create(
      builder, loc, type, argument(role), OpFoldResult(position),
      getAsIndexOpFoldResult(context, shape), getAsIndexOpFoldResult(context, strides));
}

Value StreamBuilder::load(Role role, Value position) {
  IntrinsicOp op = intrinsic.op;
  return LoadOp::create(builder, loc, op.getFragmentType(role), intrinsic.getSymbol(), role,
                        fragmentAt(role, position));
}

SmallVector<Value> StreamBuilder::load(Role role, int64_t count) {
  SmallVector<Value> fragments;
  for (int64_t i = 0; i < count; ++i)
    fragments.push_back(load(role, index(i * elementsOf(intrinsic, role))));
  return fragments;
}

/// The fragment of `step` in the execution's own row.
Value StreamBuilder::lhsAt(int64_t execution, Value step) {
  int64_t elements = elementsOf(intrinsic, Role::lhs);
  Value column = arith::MulIOp::create(builder, loc, step, index(elements));
  Value row = index(execution * shape.lhsSteps * elements);
  return load(Role::lhs, arith::AddIOp::create(builder, loc, row, column));
}

/// Carried from iteration to iteration: accumulators, fragments of lhs, and the number that is
/// added to. Additions and exclusive ors alternate: no compiler shortens such a chain.
SmallVector<Value> StreamBuilder::iteration(Value number, ValueRange carried, ValueRange rhs,
                                            ValueRange numbers) {
  SmallVector<Value> results(carried.take_front(shape.accumulators));
  ValueRange lhs = carried.drop_front(shape.accumulators).take_front(shape.lhs);
  Value sum = carried.back(), step;
  if (shape.lhsSteps)
    step = arith::AndIOp::create(builder, loc, number, index(shape.lhsSteps - 1));
  for (int64_t i = 0; i < shape.executions; ++i) {
    Value &acc = results[i % shape.accumulators];
    Value fragment = shape.lhsSteps ? lhsAt(i, step) : lhs[i % shape.lhs];
    acc = ComputeOp::create(builder, loc, acc.getType(), intrinsic.getSymbol(), fragment,
                            rhs[i / std::max<int64_t>(shape.lhs, 1) % shape.rhs], acc);
    int64_t end = shape.additions * (i + 1) / shape.executions;
    for (int64_t at = shape.additions * i / shape.executions; at < end; ++at)
      sum = at % 2 ? Value(arith::XOrIOp::create(builder, loc, sum, numbers[1]))
                   : Value(arith::AddIOp::create(builder, loc, sum, numbers[0]));
  }
  for (int64_t i = 0; i < shape.lhs; ++i)
    results.push_back(lhs[shape.exchangesLhs ? shape.lhs - 1 - i : i]);
  results.push_back(sum);
  return results;
}

void StreamBuilder::build() {
  SmallVector<Value> carried = load(Role::acc, shape.accumulators);
  carried.append(load(Role::lhs, shape.lhs));
  SmallVector<Value> rhs = load(Role::rhs, shape.rhs), numbers = {number(0), number(1)};
  carried.push_back(number(2));
  auto loop = scf::ForOp::create(
      builder, loc, index(0), function.getArgument(4), index(1), carried,
      [&](OpBuilder &inner, Location, Value number, ValueRange values) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
        scf::YieldOp::create(builder, loc, iteration(number, values, rhs, numbers));
      });
  for (int64_t i = 0; i < shape.accumulators; ++i)
    StoreOp::create(builder, loc, intrinsic.getSymbol(), loop.getResult(i),
                    fragmentAt(Role::acc, index(i * elementsOf(intrinsic, Role::acc))));
  memref::StoreOp::create(builder, loc, loop.getResults().back(), function.getArgument(3),
                          index(2));
  func::ReturnOp::create(builder, loc);
}

static constexpr int64_t numberCount = 3;

/// Lists the buffers that the function takes, but for the last: elements and how many of them.
static SmallVector<std::pair<Type, int64_t>> buffersOf(const Intrinsic &in,
                                                       const StreamShape &shape) {
  IntrinsicOp op = in.op;
  int64_t lhsCount = shape.lhsSteps ? shape.executions * shape.lhsSteps : shape.lhs;
  return {{op.getSignlessType(Role::lhs), lhsCount * elementsOf(in, Role::lhs)},
          {op.getSignlessType(Role::rhs), shape.rhs * elementsOf(in, Role::rhs)},
          {op.getSignlessType(Role::acc), shape.accumulators * elementsOf(in, Role::acc)},
          {IntegerType::get(op.getContext(), 64), numberCount}};
}

void ucmoh::addStream(ModuleOp module, StringRef name, const Intrinsic &intrinsic,
                      const StreamShape &shape) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types;
  for (auto [element, count] : buffersOf(intrinsic, shape))
    types.push_back(MemRefType::get({count}, element));
  types.push_back(builder.getIndexType());
  Location loc = builder.getUnknownLoc();
  auto function = func::FuncOp::create(builder, loc, name, builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  StreamBuilder{builder, loc, intrinsic, shape, function}.build();
}

CodeTarget ucmoh::codeTargetOf(const Intrinsic &intrinsic, const Target &target) {
  TargetOp own = intrinsic.getTarget();
  std::string features = (own.getFeatures() + "," + own.getTuning().value_or("")).str();
  return {target.triple, "", features, /*isEmulated=*/false, /*isExact=*/true};
}

llvm::Error ucmoh::lowerPrograms(ModuleOp module, StringRef targetName) {
  ToLLVMPipelineOptions options;
  options.target = targetName.str();
  PassManager passes(module.getContext());
  buildToLLVMPipeline(passes, options);
  if (failed(passes.run(module)))
    return llvm::createStringError("the programs that measure do not compile");
  return llvm::Error::success();
}

std::vector<Tensor> ucmoh::makeStreamArguments(const Intrinsic &intrinsic,
                                               const StreamShape &shape) {
  std::vector<Tensor> arguments;
  for (auto [element, count] : buffersOf(intrinsic, shape)) {
    Parameter parameter;
    parameter.elementType = element;
    parameter.shape = {count};
    arguments.push_back(makeInput(parameter, arguments.size(), {}));
  }
  return arguments;
}
