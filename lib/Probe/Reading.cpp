//===- Reading.cpp - Programs that only read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reading.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ucmoh;

int64_t ucmoh::readGranuleBytes(int64_t registerBits) {
  return loadsPerIteration * registerBits / 8;
}

namespace {
/// Writes the loops.
struct ReadBuilder {
  Location loc;
  func::FuncOp function;
  VectorType vector;

  Value index(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  SmallVector<Value> iteration(OpBuilder &builder, Value position, ValueRange values);
  void build(OpBuilder &builder);
};
} // namespace

/// Each load is joined to a value of its own: all of them count and none waits for another.
SmallVector<Value> ReadBuilder::iteration(OpBuilder &builder, Value position, ValueRange values) {
  SmallVector<Value> results;
  for (auto [i, value] : llvm::enumerate(values)) {
    Value at =
        arith::AddIOp::create(builder, loc, position, index(builder, i * vector.getNumElements()));
    Value read = vector::LoadOp::create(builder, loc, vector, function.getArgument(0), at);
    results.push_back(arith::OrIOp::create(builder, loc, value, read));
  }
  return results;
}

void ReadBuilder::build(OpBuilder &builder) {
  Value zero = index(builder, 0), one = index(builder, 1);
  Value size = memref::DimOp::create(builder, loc, function.getArgument(0), zero);
  Value none = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
  Value step = index(builder, loadsPerIteration * vector.getNumElements());
  auto readRound = [&](OpBuilder &inner, Location, Value position, ValueRange values) {
    scf::YieldOp::create(inner, loc, iteration(inner, position, values));
  };
  auto readAll = [&](OpBuilder &inner, Location, Value, ValueRange values) {
    auto pass = scf::ForOp::create(inner, loc, zero, size, step, values, readRound);
    scf::YieldOp::create(inner, loc, pass.getResults());
  };
  auto passes = scf::ForOp::create(builder, loc, zero, function.getArgument(2), one,
                                   SmallVector<Value>(loadsPerIteration, none), readAll);
  for (auto [i, value] : llvm::enumerate(passes.getResults()))
    vector::StoreOp::create(builder, loc, value, function.getArgument(1),
                            ValueRange{index(builder, i * vector.getNumElements())});
  func::ReturnOp::create(builder, loc);
}

void ucmoh::addRead(ModuleOp module, StringRef name, int64_t registerBits) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  auto vector = VectorType::get({registerBits / 64}, builder.getI64Type());
  Type types[] = {
      MemRefType::get({ShapedType::kDynamic}, builder.getI64Type()),
      MemRefType::get({loadsPerIteration * vector.getNumElements()}, builder.getI64Type()),
      builder.getIndexType()};
  auto function = func::FuncOp::create(builder, loc, name, builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  ReadBuilder{loc, function, vector}.build(builder);
}
