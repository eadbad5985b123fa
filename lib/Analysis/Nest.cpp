//===- Nest.cpp - How the dimensions of a workload become loops -----------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Nest.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// The value of an expression where all dims are zero, but `variable` (if any) is one. Asked for
/// each candidate: replacing dims in the expression would make, and keep, new ones.
static int64_t evaluate(AffineExpr expr, std::optional<unsigned> variable) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == variable;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), variable), rhs = evaluate(binary.getRHS(), variable);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  default:
    llvm_unreachable("an index has no symbols");
  }
}

int64_t ucmoh::coefficient(AffineExpr expr, unsigned variable) {
  return evaluate(expr, variable) - evaluate(expr, std::nullopt);
}

/// Whether dims `outer` and `inner` advance through the operand like one dim.
static bool areNeighbours(AffineExpr index, const Workload &workload, unsigned outer,
                          unsigned inner) {
  return coefficient(index, outer) == coefficient(index, inner) * workload.dims[inner].extent;
}

/// Splits the dims of a role into the collapsed innermost group and the loops outside of it.
static Nest::Group split(const Workload &workload, DimRole role, ArrayRef<AffineExpr> inPlace,
                         SmallVector<Nest::Group> &outer) {
  Nest::Group inner;
  SmallVector<unsigned> dims = workload.dimsOf(role);
  auto canJoin = [&](unsigned dim) {
    return inner.dims.empty() || llvm::all_of(inPlace, [&](AffineExpr index) {
             return areNeighbours(index, workload, dim, inner.dims.front());
           });
  };
  for (; !dims.empty() && canJoin(dims.back()); dims.pop_back()) {
    inner.dims.insert(inner.dims.begin(), dims.back());
    inner.extent *= workload.dims[dims.back()].extent;
  }
  for (unsigned dim : dims)
    outer.push_back({{dim}, workload.dims[dim].extent});
  return inner;
}

/// A convolution's image rows that are copied at run time: collapsed into one run of columns they
/// would be copied element by element, so only short rows are, which would leave fragments empty.
static bool keepsColumnsApart(const Workload &workload) {
  constexpr int64_t shortRow = 12;
  SmallVector<unsigned> dims = workload.dimsOf(DimRole::N);
  return !dims.empty() && workload.dims[dims.back()].extent >= shortRow &&
         coefficient(workload.rhs.linearIndex(), dims.back()) == 1;
}

Nest ucmoh::buildNest(const Workload &workload, Packing packLhs, Packing packRhs) {
  SmallVector<AffineExpr> inPlace = {workload.acc.linearIndex()};
  if (packLhs == Packing::None)
    inPlace.push_back(workload.lhs.linearIndex());
  if (packRhs == Packing::None)
    inPlace.push_back(workload.rhs.linearIndex());
  Nest nest;
  for (unsigned dim : workload.dimsOf(DimRole::Batch))
    nest.batch.push_back({{dim}, workload.dims[dim].extent});
  nest.m = split(workload, DimRole::M, inPlace, nest.outerM);
  SmallVector<AffineExpr> readByColumns = inPlace;
  if (packRhs == Packing::Block && keepsColumnsApart(workload))
    readByColumns.push_back(workload.rhs.linearIndex());
  nest.n = split(workload, DimRole::N, readByColumns, nest.outerN);
  nest.k = split(workload, DimRole::K, inPlace, nest.outerK);
  nest.dimExtents = llvm::map_to_vector(workload.dims, [](const Dim &dim) { return dim.extent; });
  return nest;
}

SmallVector<const Nest::Group *> Nest::variables() const {
  SmallVector<const Group *> all;
  for (const SmallVector<Group> *list : {&batch, &outerM, &outerN})
    for (const Group &group : *list)
      all.push_back(&group);
  all.push_back(&m);
  all.push_back(&n);
  for (const Group &group : outerK)
    all.push_back(&group);
  all.push_back(&k);
  return all;
}

/// What `variable`, which runs over the whole group, adds to `index`. Dims that advance as one need
/// no division; the others are taken out of the variable.
static AffineExpr contribution(const Nest::Group &group, AffineExpr variable, AffineExpr index,
                               ArrayRef<int64_t> extents) {
  AffineExpr sum = getAffineConstantExpr(0, variable.getContext());
  int64_t below = 1; // product of the extents of the dims further inside
  for (unsigned last = group.dims.size(); last > 0;) {
    // [first, last) is the longest run of dims that advance as one.
    int64_t step = coefficient(index, group.dims[last - 1]);
    int64_t extent = extents[group.dims[last - 1]];
    unsigned first = last - 1;
    while (first > 0 && coefficient(index, group.dims[first - 1]) == step * extent)
      extent *= extents[group.dims[--first]];
    AffineExpr value = variable.floorDiv(below);
    if (first > 0)
      value = value % extent;
    sum = sum + value * step;
    below *= extent;
    last = first;
  }
  return sum;
}

AffineExpr Nest::linearIndex(const Operand &operand) const {
  AffineExpr index = operand.linearIndex();
  AffineExpr sum = getAffineConstantExpr(evaluate(index, std::nullopt), index.getContext());
  for (auto [position, group] : llvm::enumerate(variables()))
    sum = sum +
          contribution(*group, getAffineDimExpr(position, index.getContext()), index, dimExtents);
  return sum;
}
