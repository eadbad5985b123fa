//===- Winograd.cpp - Whether a convolution is computed with fewer products
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Winograd.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// The products of a tile.
static constexpr int64_t productsPerTile = 16;

/// The least share of the time that has to be saved. docs/results/winograd.md has how far off
/// predictions were.
static constexpr double leastGain = 0.1;

/// Less is not worth what each such convolution costs to compile, a third of a second.
static constexpr double leastSavedSeconds = 100e-6;

/// Blocks of fewer tiles leave register tiles empty, and read all weights for each.
static constexpr int64_t fewestTiles = 32;

/// How often a core could load an element from L1 while it computes one of the sums, or adds it to
/// results: 16 streams are read and written side by side. Measured, in L2 and L3 alike:
/// docs/results/winograd.md.
static constexpr double loadsPerElement = 12;

/// Blocks that fit L2 may be predicted to take so much longer: L3 is shared with other cores.
static constexpr double worthOfCache = 1.05;

/// An operand with these dims of the product.
static Operand operandOf(MLIRContext *context, const Workload &product, ArrayRef<unsigned> dims,
                         ElementType type) {
  Operand operand;
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims) {
    operand.shape.push_back(product.dims[dim].extent);
    exprs.push_back(getAffineDimExpr(dim, context));
  }
  operand.map = AffineMap::get(product.dims.size(), 0, exprs, context);
  operand.type = type;
  return operand;
}

Workload ucmoh::winogradProduct(MLIRContext *context, const WinogradShape &shape) {
  Workload product;
  product.dims = {{productsPerTile, DimRole::Batch},
                  {shape.tiles(), DimRole::M},
                  {shape.filters, DimRole::N},
                  {shape.channels, DimRole::K}};
  product.lhs = operandOf(context, product, {0, 1, 3}, shape.sums);
  product.rhs = operandOf(context, product, {0, 3, 2}, shape.sums);
  product.rhs.isConstant = product.rhs.isWeight = true;
  product.acc = operandOf(context, product, {0, 1, 2}, shape.results);
  return product;
}

/// The sums of pixels, and the products.
static int64_t bytesBetween(const WinogradShape &shape) {
  int64_t bits = shape.channels * shape.sums.bits + shape.filters * shape.results.bits;
  return productsPerTile * shape.tiles() * bits / 8;
}

/// The seconds of the sums in front of products and behind.
static double predictSums(const Machine &machine, const WinogradShape &shape) {
  int64_t bytes = bytesBetween(shape);
  double inCore = loadsPerElement * bytes / (machine.l1BytesPerCycle * machine.clockGHz * 1e9);
  return std::max(inCore, movingSeconds(machine, bytes, bytes));
}

/// The seconds of blocks of this shape that make up the whole.
static double predictBlocks(BestKernels &kernels, MLIRContext *context, const WinogradShape &block,
                            int64_t blocks) {
  return blocks * (kernels.seconds(winogradProduct(context, block)) +
                   predictSums(kernels.getMachine(), block));
}

/// The part of a convolution with so many rows of tiles.
static WinogradShape blockOf(const WinogradShape &whole, int64_t tileRows) {
  WinogradShape block = whole;
  block.rows = 2 * tileRows;
  return block;
}

WinogradPlan ucmoh::planWinograd(BestKernels &kernels, const Workload &direct,
                                 const WinogradShape &shape) {
  MLIRContext *context = direct.lhs.map.getContext();
  int64_t cache = kernels.getMachine().l2Bytes, allRows = shape.tileRows();
  WinogradPlan plan{kernels.seconds(direct), predictBlocks(kernels, context, shape, 1), allRows};
  bool isInCache = bytesBetween(shape) <= cache;
  for (int64_t wanted = 2; wanted <= allRows; wanted *= 2) {
    WinogradShape block = blockOf(shape, llvm::divideCeil(allRows, wanted));
    if (block.tiles() < fewestTiles)
      break;
    double seconds =
        predictBlocks(kernels, context, block, llvm::divideCeil(shape.rows, block.rows));
    bool fits = bytesBetween(block) <= cache;
    double worth = fits && !isInCache ? worthOfCache : 1;
    if (seconds >= plan.transformed * worth)
      continue;
    plan.transformed = seconds;
    plan.tileRows = block.tileRows();
    isInCache = fits;
  }
  return plan;
}

bool WinogradPlan::isWorthIt() const {
  return direct - transformed > std::max(direct * leastGain, leastSavedSeconds);
}
