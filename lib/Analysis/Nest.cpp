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

/// `input` gives the value of a dim or symbol by its position. Asked for each candidate: replacing
/// dims in the expression would make, and keep, new ones.
template <typename Input>
static std::optional<int64_t> evaluateBy(AffineExpr expr, unsigned dims, const Input &input) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return input(dim.getPosition());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return input(dims + symbol.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = evaluateBy(binary.getLHS(), dims, input),
       rhs = evaluateBy(binary.getRHS(), dims, input);
  bool divides = expr.getKind() != AffineExprKind::Add && expr.getKind() != AffineExprKind::Mul;
  if (!lhs || !rhs || (divides && *rhs <= 0))
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return *lhs + *rhs;
  case AffineExprKind::Mul:
    return *lhs * *rhs;
  case AffineExprKind::Mod:
    return llvm::mod(*lhs, *rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*lhs, *rhs);
  default:
    llvm_unreachable("the others are no binary operations");
  }
}

std::optional<int64_t> ucmoh::evaluate(AffineExpr expr, ArrayRef<int64_t> inputs, unsigned dims) {
  return evaluateBy(expr, dims, [&](unsigned position) { return inputs[position]; });
}

/// Where all dims are zero, but `variable` (if any) is one.
static int64_t evaluateUnit(AffineExpr expr, std::optional<unsigned> variable) {
  return *evaluateBy(expr, /*dims=*/0,
                     [&](unsigned position) -> int64_t { return position == variable; });
}

int64_t ucmoh::coefficient(AffineExpr expr, unsigned variable) {
  if (isa<AffineConstantExpr>(expr))
    return 0;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == variable;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add)
    return coefficient(binary.getLHS(), variable) + coefficient(binary.getRHS(), variable);
  // Asked for each candidate: products by constants, most of them, need no more than this.
  if (binary && expr.getKind() == AffineExprKind::Mul)
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return coefficient(binary.getLHS(), variable) * factor.getValue();
  return evaluateUnit(expr, variable) - evaluateUnit(expr, std::nullopt);
}

bool ucmoh::isLinear(AffineExpr expr) {
  bool linear = true;
  expr.walk([&](AffineExpr part) {
    linear &= part.getKind() != AffineExprKind::Mod && part.getKind() != AffineExprKind::FloorDiv &&
              part.getKind() != AffineExprKind::CeilDiv;
  });
  return linear;
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
    // Rows of extent 1 are no distance apart, unlike steps and columns, which have to be
    // neighbours.
    bool isOneRow = role == DimRole::M && inner.extent == 1;
    return inner.dims.empty() || isOneRow || llvm::all_of(inPlace, [&](AffineExpr index) {
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
  SmallVector<unsigned> dims = workload.dimsOf(DimRole::N);
  return !dims.empty() && workload.dims[dims.back()].extent >= shortImageRow &&
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
  nest.leastRows = workload.leastRows;
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

/// Returns what `variable`, which runs over the whole group, adds to `index`. Dims that advance as
/// one need no division; the others are taken out of the variable.
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
  AffineExpr sum = getAffineConstantExpr(evaluateUnit(index, std::nullopt), index.getContext());
  for (auto [position, group] : llvm::enumerate(variables()))
    sum = sum +
          contribution(*group, getAffineDimExpr(position, index.getContext()), index, dimExtents);
  return sum;
}
