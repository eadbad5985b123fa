//===- OpenExtents.cpp - Which open extents of a function are the same
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/OpenExtents.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

static bool isOpen(Value value, int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.isDynamicDim(dim);
}

bool OpenExtents::unite(Value a, int64_t dimOfA, Value b, int64_t dimOfB) {
  Dim first = dimOf(a, dimOfA), second = dimOf(b, dimOfB);
  if (!isOpen(a, dimOfA) || !isOpen(b, dimOfB) || classes.isEquivalent(first, second))
    return false;
  classes.unionSets(first, second);
  return true;
}

//===----------------------------------------------------------------------===//
// What ops require
//===----------------------------------------------------------------------===//

using Unite = llvm::function_ref<void(Value, int64_t, Value, int64_t)>;

static void uniteAll(Value a, Value b, Unite unite) {
  if (auto type = dyn_cast<RankedTensorType>(a.getType()))
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      unite(a, dim, b, dim);
}

/// Dims that the same loop runs along.
static void uniteLoops(linalg::LinalgOp op, Unite unite) {
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    AffineExpr expr = getAffineDimExpr(loop, op.getContext());
    std::optional<std::pair<Value, int64_t>> first;
    for (OpOperand &operand : op->getOpOperands())
      for (auto [dim, result] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
        if (result != expr)
          continue;
        if (!first)
          first = {operand.get(), dim};
        unite(first->first, first->second, operand.get(), dim);
      }
  }
  for (auto [result, init] : llvm::zip(op->getResults(), op.getDpsInits()))
    uniteAll(result, init, unite);
}

/// A dim that a reshape only gives, or takes, dims of extent 1. Notes those with other extents.
void OpenExtents::uniteReshaped(Value collapsed, Value expanded,
                                ArrayRef<ReassociationIndices> reassociation) {
  auto type = cast<RankedTensorType>(expanded.getType());
  for (auto [dim, group] : llvm::enumerate(reassociation)) {
    Product product{collapsed, int64_t(dim), expanded, -1, 1};
    unsigned open = 0;
    for (int64_t each : group)
      if (type.isDynamicDim(each)) {
        product.dim = each;
        ++open;
      } else {
        product.factor *= type.getDimSize(each);
      }
    if (open == 1 && product.factor == 1)
      unite(collapsed, dim, expanded, product.dim);
    else if (open == 1)
      products.push_back(product);
  }
}

static void unitePadded(tensor::PadOp op, Unite unite) {
  for (int64_t dim = 0; dim < op.getResultType().getRank(); ++dim)
    if (isZeroInteger(op.getMixedLowPad()[dim]) && isZeroInteger(op.getMixedHighPad()[dim]))
      unite(op.getSource(), dim, op.getResult(), dim);
}

/// The dims along which tensors are not joined.
static void uniteAround(tensor::ConcatOp op, Unite unite) {
  for (int64_t dim = 0; dim < op.getResultType().getRank(); ++dim)
    for (Value input : op.getInputs())
      if (dim != int64_t(op.getDim()))
        unite(input, dim, op.getResult(), dim);
}

/// What a number is and another number adds to, without that: `x` and 3 of x + 3. None for other
/// arithmetic.
static std::optional<std::pair<Value, int64_t>> splitSum(Value number) {
  Operation *op = number.getDefiningOp();
  APInt constant;
  if (auto cast = dyn_cast_or_null<arith::IndexCastOp>(op))
    return {{cast.getIn(), 0}};
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return {{op->getOperand(0),
             isa<arith::AddIOp>(op) ? constant.getSExtValue() : -constant.getSExtValue()}};
  auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op);
  if (!apply || apply.getNumOperands() != 1)
    return std::nullopt;
  auto sum = dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
  auto added = sum ? dyn_cast<AffineConstantExpr>(sum.getRHS()) : AffineConstantExpr();
  if (!added || sum.getKind() != AffineExprKind::Add ||
      !isa<AffineDimExpr, AffineSymbolExpr>(sum.getLHS()))
    return std::nullopt;
  return {{apply.getOperand(0), added.getValue()}};
}

/// The extent that a number is: what is added to it is taken off again, as by a border and the
/// window that reads it.
static tensor::DimOp dimBehind(Value number) {
  int64_t plus = 0;
  while (auto split = splitSum(number)) {
    number = split->first;
    plus += split->second;
  }
  return plus == 0 ? number.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
}

/// Dims that are made as large as another one, or as large as each other.
void OpenExtents::uniteSized(ArrayRef<OpFoldResult> sizes, Value value) {
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    auto number = dyn_cast<Value>(size);
    if (!number)
      continue;
    tensor::DimOp source = dimBehind(number);
    std::optional<int64_t> sourceDim = source ? source.getConstantIndex() : std::nullopt;
    auto type = source ? dyn_cast<RankedTensorType>(source.getSource().getType()) : nullptr;
    if (sourceDim && type && *sourceDim >= 0 && *sourceDim < type.getRank())
      unite(source.getSource(), *sourceDim, value, dim);
    auto [first, firstDim] = sized.try_emplace(number, value, dim).first->second;
    unite(first, firstDim, value, dim);
  }
}

/// The sizes of the slice's own dims.
static SmallVector<OpFoldResult> sizesOf(tensor::ExtractSliceOp op) {
  SmallVector<OpFoldResult> sizes;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(dim))
      sizes.push_back(size);
  return sizes;
}

/// Tensors that a loop carries, whose body was visited. Each step may make another extent of one;
/// those that the body leaves as they are are the first one's.
void OpenExtents::uniteCarried(scf::ForOp loop) {
  for (auto [init, argument, yielded, result] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(),
                       loop.getResults())) {
    Value carried = argument;
    uniteAll(carried, yielded,
             [&, init = init, result = result](Value, int64_t dim, Value other, int64_t) {
               if (!isOpen(carried, dim) ||
                   !classes.isEquivalent(dimOf(carried, dim), dimOf(other, dim)))
                 return;
               unite(carried, dim, init, dim);
               unite(carried, dim, result, dim);
             });
  }
}

void OpenExtents::visit(Operation *op) {
  auto add = [&](Value a, int64_t dimOfA, Value b, int64_t dimOfB) { unite(a, dimOfA, b, dimOfB); };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](linalg::LinalgOp each) {
        if (each.hasPureTensorSemantics())
          uniteLoops(each, add);
      })
      .Case([&](linalg::SoftmaxOp each) {
        uniteAll(each.getInput(), each.getOutput(), add);
        if (each->getNumResults() == 1)
          uniteAll(each.getOutput(), each->getResult(0), add);
      })
      .Case([&](tensor::ExpandShapeOp each) {
        uniteReshaped(each.getSrc(), each.getResult(), each.getReassociationIndices());
        uniteSized(each.getMixedOutputShape(), each.getResult());
      })
      .Case([&](tensor::CollapseShapeOp each) {
        uniteReshaped(each.getResult(), each.getSrc(), each.getReassociationIndices());
      })
      .Case([&](tensor::CastOp each) { uniteAll(each.getSource(), each.getDest(), add); })
      .Case([&](tensor::ConcatOp each) {
        uniteAround(each, add);
        joins.push_back(each);
      })
      .Case([&](tensor::PadOp each) { unitePadded(each, add); })
      .Case([&](tensor::EmptyOp each) { uniteSized(each.getMixedSizes(), each); })
      .Case([&](tensor::ExtractSliceOp each) { uniteSized(sizesOf(each), each); })
      .Case([&](tensor::InsertOp each) { uniteAll(each.getDest(), each.getResult(), add); })
      .Case([&](tensor::InsertSliceOp each) { uniteAll(each.getDest(), each.getResult(), add); })
      .Case([&](scf::ForOp each) { uniteCarried(each); });
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

SmallVector<int64_t> OpenExtents::numbersOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> found(type ? type.getRank() : 0, -1);
  for (auto [dim, number] : llvm::enumerate(found)) {
    if (!isOpen(value, dim))
      continue;
    Dim leader = classes.getOrInsertLeaderValue(dimOf(value, dim));
    number = numbers.try_emplace(leader, numbers.size()).first->second;
  }
  return found;
}

/// The only open one of the tensors that are joined, and what the others add; none if several are.
static std::optional<std::pair<Value, int64_t>> onlyOpen(tensor::ConcatOp op) {
  std::pair<Value, int64_t> found{Value(), 0};
  for (Value input : op.getInputs()) {
    if (!isOpen(input, op.getDim()))
      found.second += cast<RankedTensorType>(input.getType()).getDimSize(op.getDim());
    else if (std::exchange(found.first, input))
      return std::nullopt;
  }
  return found.first ? std::optional(found) : std::nullopt;
}

/// Where two results are equal and the same is added to one open extent each, these are equal.
void OpenExtents::uniteJoined() {
  DenseMap<std::pair<Dim, int64_t>, std::pair<Value, int64_t>> first;
  for (tensor::ConcatOp op : joins) {
    auto open = onlyOpen(op);
    if (!open)
      continue;
    int64_t axis = op.getDim();
    Dim leader = classes.getOrInsertLeaderValue(dimOf(op.getResult(), axis));
    auto [known, isNew] = first.try_emplace({leader, open->second}, open->first, axis);
    if (!isNew)
      unite(known->second.first, known->second.second, open->first, axis);
  }
}

/// Products of the same number and open extents that are equal are equal, and the other way around.
bool OpenExtents::uniteProducts() {
  bool changed = false;
  DenseMap<std::pair<Dim, int64_t>, const Product *> byProduct, byFactor;
  for (const Product &product : products) {
    Dim whole = classes.getOrInsertLeaderValue(dimOf(product.collapsed, product.dimOfCollapsed));
    const Product *known = byProduct.try_emplace({whole, product.factor}, &product).first->second;
    changed |= unite(known->expanded, known->dim, product.expanded, product.dim);
    Dim open = classes.getOrInsertLeaderValue(dimOf(product.expanded, product.dim));
    known = byFactor.try_emplace({open, product.factor}, &product).first->second;
    changed |=
        unite(known->collapsed, known->dimOfCollapsed, product.collapsed, product.dimOfCollapsed);
  }
  return changed;
}

/// Adds an extent to the sum if it follows from those of arguments, which have the first numbers.
bool OpenExtents::addTo(ExtentSum &sum, Value value, int64_t dim) {
  if (!isOpen(value, dim)) {
    sum.plus += cast<RankedTensorType>(value.getType()).getDimSize(dim);
    return true;
  }
  Dim leader = classes.getOrInsertLeaderValue(dimOf(value, dim));
  auto number = numbers.find(leader);
  bool isOfArgument =
      number != numbers.end() && llvm::any_of(arguments, [&](ArrayRef<int64_t> dims) {
        return llvm::is_contained(dims, number->second);
      });
  if (isOfArgument) {
    sum.terms.push_back(number->second);
    return true;
  }
  for (tensor::ConcatOp op : joins) {
    int64_t axis = op.getDim();
    if (isOpen(op.getResult(), axis) &&
        classes.getOrInsertLeaderValue(dimOf(op.getResult(), axis)) == leader)
      return llvm::all_of(op.getInputs(), [&](Value input) { return addTo(sum, input, axis); });
  }
  return false;
}

/// The sums that results have as extents.
void OpenExtents::sumUp() {
  joined.resize(numbers.size());
  for (tensor::ConcatOp op : joins) {
    int64_t axis = op.getDim();
    auto number = numbers.find(classes.getOrInsertLeaderValue(dimOf(op.getResult(), axis)));
    ExtentSum sum;
    if (isOpen(op.getResult(), axis) && number != numbers.end() && addTo(sum, op.getResult(), axis))
      joined[number->second] = sum;
  }
}

/// Returns whether all that is done with an open dim of an argument is to put more behind it, or in
/// front.
static bool isOnlyJoined(BlockArgument argument, int64_t dim) {
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    auto join = dyn_cast<tensor::ConcatOp>(user);
    return isa<tensor::DimOp>(user) || (join && int64_t(join.getDim()) == dim);
  });
}

/// Whether no other value has the extent but arguments that are only joined.
bool OpenExtents::isOnlyJoined(Dim leader) const {
  return llvm::all_of(classes.members(leader), [](Dim dim) {
    auto argument = dyn_cast<BlockArgument>(Value::getFromOpaquePointer(dim.first));
    return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
           ::isOnlyJoined(argument, dim.second);
  });
}

/// A cache of words that were read before may have none, since there are words behind.
void OpenExtents::allowNothing() {
  llvm::SmallDenseSet<Dim> found;
  for (auto [leader, number] : numbers)
    if (isOnlyJoined(leader))
      found.insert(leader);
  for (tensor::ConcatOp join : joins) {
    auto isFound = [&](Value input) {
      return isOpen(input, join.getDim()) &&
             found.contains(classes.getOrInsertLeaderValue(dimOf(input, join.getDim())));
    };
    if (llvm::all_of(join.getInputs(), isFound)) // nothing would be left
      for (Value input : join.getInputs())
        found.erase(classes.getOrInsertLeaderValue(dimOf(input, join.getDim())));
  }
  for (Dim leader : found)
    promised[numbers.lookup(leader)].least = 0;
}

OpenExtents::OpenExtents(func::FuncOp function) {
  if (function.isExternal())
    return;
  function.walk([&](Operation *op) { visit(op); });
  while (uniteProducts())
    continue;
  uniteJoined();
  for (BlockArgument argument : function.getArguments())
    arguments.push_back(numbersOf(argument));
  for (Value result : function.getBody().back().getTerminator()->getOperands())
    results.push_back(numbersOf(result));
  promised.resize(numbers.size());
  sumUp();
  allowNothing();
  promise(function);
}

void OpenExtents::promise(func::FuncOp function) {
  for (auto [position, dims] : llvm::enumerate(arguments)) {
    auto bounds = function.getArgAttrOfType<DenseI64ArrayAttr>(position, "ucmoh.assume");
    size_t next = 0;
    for (int64_t number : dims) {
      if (!bounds || number < 0)
        continue;
      ExtentRange &range = promised[number];
      range.least = std::max(range.least, bounds[next]);
      range.most = std::min(range.most, bounds[next + 1]);
      next = bounds.size() == 2 ? 0 : next + 2;
    }
  }
}

ExtentRange OpenExtents::rangeOf(Value value, int64_t dim) const {
  auto leader = classes.findLeader(dimOf(value, dim));
  if (leader == classes.member_end())
    return {};
  auto number = numbers.find(*leader);
  return number == numbers.end() ? ExtentRange() : promised[number->second];
}
