//===- Intrinsic.cpp - What the bodies of an intrinsic must be
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallVerifier.h"
#include "mlir/IR/BuiltinDialect.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Checks one intrinsic. Diagnostics point at the body's own line, and are plain errors rather
/// than op errors: those append the whole op, hundreds of lines.
struct BodyVerifier {
  IntrinsicOp op;

  InFlightDiagnostic fail(Region &body, StringRef name) {
    Location loc = body.front().empty() ? op.getLoc() : body.front().back().getLoc();
    return mlir::emitError(loc) << "intrinsic @" << op.getSymName() << ": '" << name << "' ";
  }
  static ValueRange yielded(Region &body) { return body.front().getTerminator()->getOperands(); }

  LogicalResult verifyTerminator(Region &body, StringRef name, unsigned results);
  LogicalResult verifyView(Region &body, StringRef name, unsigned first, Role role);
  LogicalResult verifyFragment(Region &body, StringRef name, Type type, Role role);
  LogicalResult verifySame(Region &body, StringRef name, Type type, Role role);
  LogicalResult verifyCalls();
  LogicalResult verifyPartialSums();
  LogicalResult verifyFewerRows();
  LogicalResult verify();
};
} // namespace

LogicalResult BodyVerifier::verifyTerminator(Region &body, StringRef name, unsigned results) {
  auto yield = body.front().empty() ? YieldOp() : dyn_cast<YieldOp>(body.front().back());
  if (!yield)
    return fail(body, name) << "must end in 'ucmoh.yield'";
  if (yield.getResults().size() != results)
    return fail(body, name) << "must yield " << results << " value(s), but yields "
                            << yield.getResults().size();
  return success();
}

/// The memory side of a load or store: a two-dimensional view and two coordinates.
LogicalResult BodyVerifier::verifyView(Region &body, StringRef name, unsigned first, Role role) {
  auto types = body.getArgumentTypes();
  auto view = types.size() == first + 3 ? dyn_cast<MemRefType>(types[first]) : MemRefType();
  if (!view || view.getRank() != 2 || !types[first + 1].isIndex() || !types[first + 2].isIndex())
    return fail(body, name) << "must take " << (first ? "the acc fragment, " : "")
                            << "a memref of two dimensions and two indices";
  if (view.getElementType() != op.getSignlessType(role))
    return fail(body, name) << "takes " << view << ", expected elements of "
                            << op.getSignlessType(role) << " because of 'types'";
  return success();
}

/// A fragment is a shaped value of the declared element type that, together with those of the
/// other lanes, holds the whole operand (or several copies of it: a broadcast).
LogicalResult BodyVerifier::verifyFragment(Region &body, StringRef name, Type type, Role role) {
  auto shaped = dyn_cast<ShapedType>(type);
  // What a dialect's own type holds is its own affair.
  if (!shaped && !isa<BuiltinDialect>(type.getDialect()))
    return success();
  Type element = op.getSignlessType(role);
  // Threads that share a fragment may hold several elements in a word.
  bool isPacked = shaped && op.getLanes() > 1 && shaped.getElementType().isInteger(32);
  if (!shaped || !shaped.hasStaticShape() || (shaped.getElementType() != element && !isPacked))
    return fail(body, name) << stringifyRole(role) << " fragment is " << type
                            << ", expected a vector or tile of " << element
                            << " elements because of 'types'";
  ArrayRef<int64_t> shape = op.getShape();
  int64_t extents[] = {shape[0] * shape[2], shape[2] * shape[1], shape[0] * shape[1]};
  StringRef dims[] = {"m*k", "k*n", "m*n"};
  unsigned index = static_cast<unsigned>(role);
  int64_t held = shaped.getNumElements() * op.getLanes() * shaped.getElementTypeBitWidth() /
                 element.getIntOrFloatBitWidth();
  if (held % extents[index] != 0)
    return fail(body, name) << stringifyRole(role) << " fragment " << type << " times "
                            << op.getLanes() << " lane(s) holds " << held
                            << " elements, expected a multiple of " << dims[index] << " = "
                            << extents[index] << " because of 'shape' [" << shape << "]";
  return success();
}

LogicalResult BodyVerifier::verifySame(Region &body, StringRef name, Type type, Role role) {
  if (type == op.getFragmentType(role))
    return success();
  return fail(body, name) << "has " << type << " as " << stringifyRole(role)
                          << " fragment, but 'compute' takes " << op.getFragmentType(role);
}

LogicalResult BodyVerifier::verifyCalls() {
  WalkResult result = op->walk([](LLVM::CallIntrinsicOp call) {
    return failed(verifyIntrinsicCall(call)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// They are integers of less bits than the accumulator, and bounds of them are easy to compute.
LogicalResult BodyVerifier::verifyPartialSums() {
  if (op.getPartialProducts().has_value() != op.getPartialType().has_value())
    return op.emitError("intrinsic @")
           << op.getSymName() << ": partial_sums needs a number of products and a type";
  if (!op.getPartialProducts())
    return success();
  auto widthOf = [](Type type) {
    return isa<IntegerType>(type) ? type.getIntOrFloatBitWidth() : 0;
  };
  auto isFactor = [&](Type type) { return widthOf(type) > 0 && widthOf(type) <= 16; };
  if (!isFactor(op.getLhsType()) || !isFactor(op.getRhsType()) ||
      widthOf(*op.getPartialType()) == 0 ||
      widthOf(*op.getPartialType()) >= widthOf(op.getAccType()))
    return op.emitError("intrinsic @")
           << op.getSymName() << ": partial_sums(" << *op.getPartialProducts() << " x "
           << *op.getPartialType() << ") needs operands of integers of at most 16 bits, and an "
           << "integer of less bits than the accumulator, " << op.getAccType();
  if (op.getShape()[2] % *op.getPartialProducts() != 0)
    return op.emitError("intrinsic @")
           << op.getSymName() << ": the " << *op.getPartialProducts()
           << " products of partial_sums must divide k = " << op.getShape()[2];
  return success();
}

/// Only types whose first dimension are the fragment's rows can have fewer of them.
LogicalResult BodyVerifier::verifyFewerRows() {
  if (!op.getFewerRows())
    return success();
  for (Role role : {Role::lhs, Role::acc}) {
    auto shaped = dyn_cast<ShapedType>(op.getFragmentType(role));
    if (!shaped || shaped.getRank() != 2 || shaped.getDimSize(0) != op.getShape()[0])
      return op.emitError("intrinsic @")
             << op.getSymName() << ": fewer_rows needs fragments of two dimensions, the first of "
             << op.getShape()[0] << " rows, but that of " << stringifyRole(role) << " is "
             << op.getFragmentType(role);
  }
  return success();
}

LogicalResult BodyVerifier::verify() {
  if (op.getShape()[2] % op.getRhsPack() != 0)
    return op.emitError("intrinsic @") << op.getSymName() << ": rhs_pack(" << op.getRhsPack()
                                       << ") must divide k = " << op.getShape()[2];
  if (failed(verifyPartialSums()))
    return failure();
  Region &compute = op.getCompute(), &zero = op.getZero(), &store = op.getStore();
  if (failed(verifyTerminator(compute, "compute", 1)))
    return failure();
  if (compute.getNumArguments() != 3)
    return fail(compute, "compute") << "must take the lhs, rhs and acc fragments";
  StringRef names[] = {"load_lhs", "load_rhs", "load_acc"};
  for (Role role : {Role::lhs, Role::rhs, Role::acc}) {
    Region &body = op.getLoad(role);
    StringRef name = names[static_cast<unsigned>(role)];
    if (failed(verifyTerminator(body, name, 1)) || failed(verifyView(body, name, 0, role)) ||
        failed(verifyFragment(body, name, yielded(body)[0].getType(), role)) ||
        failed(verifySame(body, name, yielded(body)[0].getType(), role)))
      return failure();
  }
  if (failed(verifySame(compute, "compute", yielded(compute)[0].getType(), Role::acc)) ||
      failed(verifyTerminator(zero, "zero", 1)) ||
      failed(verifySame(zero, "zero", yielded(zero)[0].getType(), Role::acc)))
    return failure();
  if (zero.getNumArguments() != 0)
    return fail(zero, "zero") << "must take nothing";
  if (failed(verifyTerminator(store, "store", 0)) ||
      failed(verifyView(store, "store", 1, Role::acc)) ||
      failed(verifySame(store, "store", store.getArgument(0).getType(), Role::acc)) ||
      failed(verifyFewerRows()))
    return failure();
  return verifyCalls();
}

Type IntrinsicOp::getSignlessType(Role role) {
  auto integer = dyn_cast<IntegerType>(getElementType(role));
  return integer ? IntegerType::get(getContext(), integer.getWidth()) : getElementType(role);
}

Type IntrinsicOp::getFragmentType(Role role, int64_t rows) {
  Type whole = getFragmentType(role);
  if (role == Role::rhs || rows == getShape()[0])
    return whole;
  auto shaped = cast<ShapedType>(whole);
  return shaped.clone({rows, shaped.getDimSize(1)});
}

std::array<int64_t, 2> IntrinsicOp::getViewShape(Role role) {
  int64_t m = getShape()[0], n = getShape()[1], k = getShape()[2], pack = getRhsPack();
  switch (role) {
  case Role::lhs:
    return {m, k};
  case Role::rhs:
    return {k / pack, n * pack};
  case Role::acc:
    return {m, n};
  }
  llvm_unreachable("all roles are covered");
}

/// Both or none, by the syntax; a cost of zero would be free.
static LogicalResult verifyCost(IntrinsicOp op) {
  for (std::optional<llvm::APFloat> cycles : {op.getLatencyCycles(), op.getThroughputCycles()})
    if (cycles && !(cycles->convertToDouble() > 0))
      return mlir::emitError(op.getLoc()) << "intrinsic @" << op.getSymName()
                                          << ": 'cost' must be two positive numbers of cycles";
  return success();
}

LogicalResult IntrinsicOp::verifyRegions() {
  return failed(verifyCost(*this)) ? failure() : BodyVerifier{*this}.verify();
}
