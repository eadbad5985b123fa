//===- Intrinsic.cpp - What the bodies of an intrinsic must be
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallVerifier.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Begins a message about a body.
using Fail = llvm::function_ref<InFlightDiagnostic()>;

/// Where a body's mistakes show: its end.
static Location endOf(Region &body, Location otherwise) {
  return body.empty() || body.front().empty() ? otherwise : body.front().back().getLoc();
}

static ValueRange yielded(Region &body) { return body.front().getTerminator()->getOperands(); }

static LogicalResult verifyTerminator(Region &body, unsigned results, Fail fail) {
  auto yield = body.front().empty() ? YieldOp() : dyn_cast<YieldOp>(body.front().back());
  if (!yield)
    return fail() << "must end in 'ucmoh.yield'";
  if (yield.getResults().size() != results)
    return fail() << "must yield " << results << " value(s), but yields "
                  << yield.getResults().size();
  return success();
}

/// The memory side of a load or store behind `first` arguments; null if it is not a view of two
/// dimensions and two coordinates.
static MemRefType viewOf(Region &body, unsigned first) {
  auto types = body.getArgumentTypes();
  auto view = types.size() == first + 3 ? dyn_cast<MemRefType>(types[first]) : MemRefType();
  bool isView =
      view && view.getRank() == 2 && types[first + 1].isIndex() && types[first + 2].isIndex();
  return isView ? view : MemRefType();
}

static LogicalResult verifyView(Region &body, unsigned first, Fail fail) {
  if (viewOf(body, first))
    return success();
  return fail() << "must take " << (first ? "the acc fragment, " : "")
                << "a memref of two dimensions and two indices";
}

static LogicalResult verifyCalls(Operation *op) {
  WalkResult result = op->walk([](LLVM::CallIntrinsicOp call) {
    return failed(verifyIntrinsicCall(call)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult RegistersOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                            ValueRange operands, DictionaryAttr, OpaqueProperties,
                                            RegionRange, SmallVectorImpl<Type> &types) {
  Type fragment = operands.front().getType();
  if (auto vector = dyn_cast<VectorType>(fragment))
    types.append(vector.getNumElements(), vector.getElementType());
  else if (auto fields = dyn_cast<LLVM::LLVMStructType>(fragment))
    llvm::append_range(types, fields.getBody());
  else
    return emitOptionalError(loc, "takes a vector or a struct apart, not ", fragment);
  return success();
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

LogicalResult FragmentOp::verifyRegions() {
  auto fail = [&](Region &body, StringRef name) {
    return [this, &body, name] {
      return mlir::emitError(endOf(body, getLoc()))
             << "fragment @" << getSymName() << ": '" << name << "' ";
    };
  };
  auto verifyType = [&](Region &body, StringRef name, Type type) -> LogicalResult {
    if (type == getType())
      return success();
    return fail(body, name)() << "has " << type << ", but the fragment is " << getType();
  };
  Region &load = getLoad(), &zero = getZero(), &store = getStore();
  if (failed(verifyTerminator(load, 1, fail(load, "load"))) ||
      failed(verifyView(load, 0, fail(load, "load"))) ||
      failed(verifyType(load, "load", yielded(load)[0].getType())))
    return failure();
  if (!zero.empty() && (failed(verifyTerminator(zero, 1, fail(zero, "zero"))) ||
                        failed(verifyType(zero, "zero", yielded(zero)[0].getType()))))
    return failure();
  if (!zero.empty() && zero.getNumArguments() != 0)
    return fail(zero, "zero")() << "must take nothing";
  if (!store.empty() && (failed(verifyTerminator(store, 0, fail(store, "store"))) ||
                         failed(verifyView(store, 1, fail(store, "store"))) ||
                         failed(verifyType(store, "store", store.getArgument(0).getType()))))
    return failure();
  return verifyCalls(*this);
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

namespace {
/// Checks one intrinsic. Diagnostics point at the body's own line, or at the intrinsic that uses a
/// fragment; they are plain errors rather than op errors: those append the whole op, hundreds of
/// lines.
struct BodyVerifier {
  IntrinsicOp op;

  /// Whose body `name` is. Bodies of fragments are checked in their own right, so what is wrong of
  /// them here is wrong of their use.
  InFlightDiagnostic fail(Region &body, StringRef name, SymbolRefAttr fragment) {
    if (!fragment)
      return mlir::emitError(endOf(body, op.getLoc()))
             << "intrinsic @" << op.getSymName() << ": '" << name << "' ";
    auto diagnostic = mlir::emitError(op.getLoc());
    diagnostic.attachNote(endOf(body, op.getLoc())) << "the body of " << fragment;
    diagnostic << "intrinsic @" << op.getSymName() << ": '" << name << "' of fragment " << fragment
               << " ";
    return diagnostic;
  }

  LogicalResult verifyElements(MemRefType view, Role role, Fail fail);
  LogicalResult verifyFragment(Type type, Role role, Fail fail);
  LogicalResult verifySame(Type type, Role role, Fail fail);
  LogicalResult verifyLoad(Region &body, Role role);
  LogicalResult verifyZero(Region &body);
  LogicalResult verifyStore(Region &body);
  LogicalResult verifyOperand(Role role);
  LogicalResult verifyUse(Role role, FragmentOp fragment);
  LogicalResult verifyPartialSums();
  LogicalResult verifyVariableM();
  LogicalResult verify();
};
} // namespace

LogicalResult BodyVerifier::verifyElements(MemRefType view, Role role, Fail fail) {
  if (view.getElementType() == op.getSignlessType(role))
    return success();
  return fail() << "takes " << view << ", expected elements of " << op.getSignlessType(role)
                << " because of 'types'";
}

/// A fragment is a shaped value of the declared element type that, together with those of the
/// other threads of the subgroup, holds the whole operand (or several copies of it: a broadcast).
LogicalResult BodyVerifier::verifyFragment(Type type, Role role, Fail fail) {
  auto shaped = dyn_cast<ShapedType>(type);
  // A dialect's own type may hold what it likes.
  if (!shaped && !isa<BuiltinDialect>(type.getDialect()))
    return success();
  Type element = op.getSignlessType(role);
  // Threads that share a fragment may hold several elements in a word.
  bool isPacked = shaped && op.getSubgroupSize() > 1 && shaped.getElementType().isInteger(32);
  if (!shaped || !shaped.hasStaticShape() || (shaped.getElementType() != element && !isPacked))
    return fail() << stringifyRole(role) << " fragment is " << type
                  << ", expected a vector or tile of " << element << " elements because of 'types'";
  ArrayRef<int64_t> shape = op.getShape();
  int64_t extents[] = {shape[0] * shape[2], shape[2] * shape[1], shape[0] * shape[1]};
  StringRef dims[] = {"m*k", "k*n", "m*n"};
  unsigned index = static_cast<unsigned>(role);
  int64_t held = shaped.getNumElements() * op.getSubgroupSize() * shaped.getElementTypeBitWidth() /
                 element.getIntOrFloatBitWidth();
  if (held % extents[index] != 0)
    return fail() << stringifyRole(role) << " fragment " << type << " times 'subgroup_size' "
                  << op.getSubgroupSize() << " holds " << held
                  << " elements, expected a multiple of " << dims[index] << " = " << extents[index]
                  << " because of 'shape' [" << shape << "]";
  return success();
}

LogicalResult BodyVerifier::verifySame(Type type, Role role, Fail fail) {
  if (type == op.getFragmentType(role))
    return success();
  return fail() << "has " << type << " as " << stringifyRole(role)
                << " fragment, but 'compute' takes " << op.getFragmentType(role);
}

LogicalResult BodyVerifier::verifyLoad(Region &body, Role role) {
  StringRef names[] = {"load_lhs", "load_rhs", "load_acc"};
  auto fail = [&] {
    return this->fail(body, names[static_cast<unsigned>(role)], op.getFragment(role));
  };
  if (failed(verifyTerminator(body, 1, fail)) || failed(verifyView(body, 0, fail)))
    return failure();
  Type type = yielded(body)[0].getType();
  return failure(failed(verifyElements(viewOf(body, 0), role, fail)) ||
                 failed(verifyFragment(type, role, fail)) || failed(verifySame(type, role, fail)));
}

LogicalResult BodyVerifier::verifyZero(Region &body) {
  auto fail = [&] { return this->fail(body, "zero", op.getAccFragmentAttr()); };
  if (failed(verifyTerminator(body, 1, fail)) ||
      failed(verifySame(yielded(body)[0].getType(), Role::acc, fail)))
    return failure();
  if (body.getNumArguments() != 0)
    return fail() << "must take nothing";
  return success();
}

LogicalResult BodyVerifier::verifyStore(Region &body) {
  auto fail = [&] { return this->fail(body, "store", op.getAccFragmentAttr()); };
  if (failed(verifyTerminator(body, 0, fail)) || failed(verifyView(body, 1, fail)))
    return failure();
  return failure(failed(verifyElements(viewOf(body, 1), Role::acc, fail)) ||
                 failed(verifySame(body.getArgument(0).getType(), Role::acc, fail)));
}

/// The bodies that stand in the intrinsic, be it that they were filled in from a fragment. They may
/// be missing only where a fragment is named.
LogicalResult BodyVerifier::verifyOperand(Role role) {
  bool isComplete = !op.getLoad(role).empty() &&
                    (role != Role::acc || (!op.getZero().empty() && !op.getStore().empty()));
  if (!isComplete && op.getFragment(role))
    return success();
  if (!isComplete)
    return mlir::emitError(op.getLoc())
           << "intrinsic @" << op.getSymName() << " needs 'load_" << stringifyRole(role) << "'"
           << (role == Role::acc ? ", 'zero' and 'store'" : "") << ", or '" << stringifyRole(role)
           << " @FRAGMENT'";
  if (failed(verifyLoad(op.getLoad(role), role)))
    return failure();
  return role != Role::acc
             ? success()
             : failure(failed(verifyZero(op.getZero())) || failed(verifyStore(op.getStore())));
}

/// The fragment as this operand.
LogicalResult BodyVerifier::verifyUse(Role role, FragmentOp fragment) {
  if (failed(verifyLoad(fragment.getLoad(), role)))
    return failure();
  if (role != Role::acc)
    return success();
  if (fragment.getZero().empty() || fragment.getStore().empty()) {
    auto diagnostic = mlir::emitError(op.getLoc())
                      << "intrinsic @" << op.getSymName() << ": acc fragment "
                      << op.getAccFragmentAttr() << " lacks 'zero' or 'store'";
    diagnostic.attachNote(fragment.getLoc()) << "the fragment";
    return diagnostic;
  }
  return failure(failed(verifyZero(fragment.getZero())) ||
                 failed(verifyStore(fragment.getStore())));
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
LogicalResult BodyVerifier::verifyVariableM() {
  if (!op.getVariableM())
    return success();
  for (Role role : {Role::lhs, Role::acc}) {
    auto shaped = dyn_cast<ShapedType>(op.getFragmentType(role));
    if (!shaped || shaped.getRank() != 2 || shaped.getDimSize(0) != op.getShape()[0])
      return op.emitError("intrinsic @")
             << op.getSymName() << ": variable_m needs fragments of two dimensions, the first of "
             << op.getShape()[0] << " rows, but that of " << stringifyRole(role) << " is "
             << op.getFragmentType(role);
  }
  return success();
}

LogicalResult BodyVerifier::verify() {
  if (op.getShape()[2] % op.getKInterleave() != 0)
    return op.emitError("intrinsic @")
           << op.getSymName() << ": k_interleave(" << op.getKInterleave()
           << ") must divide k = " << op.getShape()[2];
  if (failed(verifyPartialSums()))
    return failure();
  Region &compute = op.getCompute();
  auto fail = [&] { return this->fail(compute, "compute", {}); };
  if (failed(verifyTerminator(compute, 1, fail)))
    return failure();
  if (compute.getNumArguments() != 3)
    return fail() << "must take the lhs, rhs and acc fragments";
  for (Role role : {Role::lhs, Role::rhs, Role::acc})
    if (failed(verifyOperand(role)))
      return failure();
  if (failed(verifySame(yielded(compute)[0].getType(), Role::acc, fail)) ||
      failed(verifyVariableM()))
    return failure();
  return verifyCalls(op);
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
  int64_t m = getShape()[0], n = getShape()[1], k = getShape()[2], pack = getKInterleave();
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

LogicalResult IntrinsicOp::verifyFragment(Role role, Operation *symbol) {
  if (auto fragment = dyn_cast_or_null<FragmentOp>(symbol))
    return BodyVerifier{*this}.verifyUse(role, fragment);
  return mlir::emitError(getLoc())
         << "intrinsic @" << getSymName() << ": " << stringifyRole(role) << " " << getFragment(role)
         << " is " << (symbol ? "no 'ucmoh.fragment'" : "not defined");
}

/// Only fragments of the same target: those of others are perhaps not verified yet, and the library
/// of targets checks them.
LogicalResult IntrinsicOp::verifySymbolUses(SymbolTableCollection &tables) {
  for (Role role : {Role::lhs, Role::rhs, Role::acc}) {
    auto name = dyn_cast_or_null<FlatSymbolRefAttr>(getFragment(role));
    if (name && getLoad(role).empty() &&
        failed(verifyFragment(role, tables.lookupNearestSymbolFrom(*this, name))))
      return failure();
  }
  return success();
}
