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

/// A load at an element of a buffer.
using Load = llvm::function_ref<Value(OpBuilder &, Value buffer, Value position)>;

int64_t ucmoh::readGranuleBytes(int64_t registerBits) { return loadsPerRound * registerBits / 8; }

bool ucmoh::isBroadcast(const Intrinsic &intrinsic) {
  IntrinsicOp op = intrinsic.op;
  auto type = dyn_cast<VectorType>(op.getFragmentType(Role::lhs));
  if (!type || type.getRank() != 1 || intrinsic.m != 1 || intrinsic.isStaged)
    return false;
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  return bits == intrinsic.registerBits && type.getNumElements() > intrinsic.k;
}

/// The bits of a vector as 64-bit integers.
static Value asIntegers(OpBuilder &builder, Value value) {
  auto type = cast<VectorType>(value.getType());
  int64_t words = type.getNumElements() * type.getElementTypeBitWidth() / 64;
  return vector::BitCastOp::create(builder, value.getLoc(),
                                   VectorType::get({words}, builder.getI64Type()), value);
}

/// The body: each load is joined to a value of its own, so that all of them count and none waits.
static void buildLoops(OpBuilder &builder, func::FuncOp function, int64_t step, int64_t words,
                       Load load) {
  Location loc = function.getLoc();
  auto index = [&](OpBuilder &at, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(at, loc, value);
  };
  Value buffer = function.getArgument(0), zero = index(builder, 0), one = index(builder, 1);
  Value size = memref::DimOp::create(builder, loc, buffer, zero);
  auto vector = VectorType::get({words}, builder.getI64Type());
  Value none = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
  SmallVector<Value> joined(loadsPerRound, none);
  auto readAll = [&](OpBuilder &inner, Location, Value position, ValueRange values) {
    SmallVector<Value> results;
    for (auto [i, value] : llvm::enumerate(values)) {
      Value at =
          arith::AddIOp::create(inner, loc, position, index(inner, i * step / loadsPerRound));
      Value read = asIntegers(inner, load(inner, buffer, at));
      results.push_back(arith::OrIOp::create(inner, loc, value, read));
    }
    scf::YieldOp::create(inner, loc, results);
  };
  auto passes = scf::ForOp::create(
      builder, loc, zero, function.getArgument(2), one, joined,
      [&](OpBuilder &outer, Location, Value, ValueRange values) {
        auto pass = scf::ForOp::create(outer, loc, zero, size, index(outer, step), values, readAll);
        scf::YieldOp::create(outer, loc, pass.getResults());
      });
  for (auto [i, value] : llvm::enumerate(passes.getResults()))
    vector::StoreOp::create(builder, loc, value, function.getArgument(1),
                            ValueRange{index(builder, i * words)});
}

/// A function (buffer, results, passes) that steps over the buffer.
static void addReader(ModuleOp module, StringRef name, Type element, int64_t step, int64_t words,
                      Load load) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Type types[] = {MemRefType::get({ShapedType::kDynamic}, element),
                  MemRefType::get({loadsPerRound * words}, builder.getI64Type()),
                  builder.getIndexType()};
  Location loc = builder.getUnknownLoc();
  auto function = func::FuncOp::create(builder, loc, name, builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  buildLoops(builder, function, step, words, load);
  func::ReturnOp::create(builder, loc);
}

void ucmoh::addRead(ModuleOp module, StringRef name, int64_t registerBits) {
  Type element = IntegerType::get(module.getContext(), 64);
  int64_t words = registerBits / 64;
  auto load = [&](OpBuilder &builder, Value buffer, Value position) -> Value {
    return vector::LoadOp::create(builder, position.getLoc(), VectorType::get({words}, element),
                                  buffer, position);
  };
  addReader(module, name, element, loadsPerRound * words, words, load);
}

void ucmoh::addBroadcasts(ModuleOp module, StringRef name, const Intrinsic &intrinsic) {
  IntrinsicOp op = intrinsic.op;
  auto load = [&](OpBuilder &builder, Value buffer, Value position) -> Value {
    return LoadOp::create(builder, position.getLoc(), op.getFragmentType(Role::lhs),
                          intrinsic.getSymbol(), Role::lhs, buffer, position,
                          builder.getI64IntegerAttr(intrinsic.k), /*valid=*/nullptr);
  };
  addReader(module, name, op.getSignlessType(Role::lhs), loadsPerRound * intrinsic.k,
            intrinsic.registerBits / 64, load);
}
