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

int64_t WinogradShape::pixelTiles() const {
  int64_t slices = 1;
  for (const Outer &each : outer)
    slices *= each.image;
  return slices * tilesOfSlice();
}

int64_t WinogradShape::tiles() const {
  int64_t slices = 1;
  for (const Outer &each : outer)
    slices *= each.result;
  return slices * tilesOfSlice();
}

int64_t WinogradShape::depth() const {
  int64_t added = channels;
  for (const Outer &each : outer)
    added *= each.window;
  return added;
}

bool WinogradShape::hasVolumes() const {
  return llvm::any_of(outer, [](const Outer &each) { return each.window > 1; });
}

namespace {
/// The indices of one operand of a product, outermost first, and how many values each has.
struct Access {
  SmallVector<AffineExpr> indices;
  SmallVector<int64_t> extents;

  void add(AffineExpr index, int64_t extent) {
    indices.push_back(index);
    extents.push_back(extent);
  }
  Operand operand(const Workload &product, ElementType type) const;
};

/// The operands of a product, whose dims are numbered in the order of their roles.
struct ProductBuilder {
  const WinogradShape &shape;
  MLIRContext *context;
  Workload product = {};
  Access pixels = {}, weights = {}, results = {};

  AffineExpr addDim(int64_t extent, DimRole role) {
    product.dims.push_back({extent, role});
    return getAffineDimExpr(product.dims.size() - 1, context);
  }
  /// An index of two operands, or of all.
  void addIndex(AffineExpr index, int64_t extent, ArrayRef<Access *> accesses) {
    for (Access *access : accesses)
      access->add(index, extent);
  }
  void addSlice(const WinogradShape::Outer &outer, AffineExpr slice);
  Workload build();
};
} // namespace

Operand Access::operand(const Workload &product, ElementType type) const {
  Operand operand;
  operand.shape = extents;
  operand.map = AffineMap::get(product.dims.size(), 0, indices, indices.front().getContext());
  operand.type = type;
  return operand;
}

void ProductBuilder::addSlice(const WinogradShape::Outer &outer, AffineExpr slice) {
  results.add(slice, outer.result);
  if (outer.window == 1)
    return pixels.add(slice, outer.image);
  AffineExpr window = addDim(outer.window, DimRole::K);
  pixels.add(slice + window, outer.image);
  weights.add(window, outer.window);
}

Workload ProductBuilder::build() {
  AffineExpr number = addDim(productsPerTile, DimRole::Batch);
  AffineExpr group = addDim(shape.groups, DimRole::Batch);
  auto slices = llvm::map_to_vector(shape.outer,
                                    [&](auto &outer) { return addDim(outer.result, DimRole::M); });
  AffineExpr tile = addDim(shape.tilesOfSlice(), DimRole::M);
  AffineExpr filter = addDim(shape.filters, DimRole::N);
  addIndex(number, productsPerTile, {&pixels, &weights, &results});
  for (auto [outer, slice] : llvm::zip_equal(shape.outer, slices))
    addSlice(outer, slice);
  addIndex(tile, shape.tilesOfSlice(), {&pixels, &results});
  addIndex(group, shape.groups, {&pixels, &weights, &results});
  addIndex(addDim(shape.channels, DimRole::K), shape.channels, {&pixels, &weights});
  addIndex(filter, shape.filters, {&weights, &results});
  product.isConvolution = shape.hasVolumes();
  product.lhs = pixels.operand(product, shape.sums);
  product.rhs = weights.operand(product, shape.sums);
  product.rhs.isConstant = product.rhs.isWeight = true;
  product.acc = results.operand(product, shape.results);
  return product;
}

Workload ucmoh::winogradProduct(MLIRContext *context, const WinogradShape &shape) {
  return ProductBuilder{shape, context}.build();
}

/// The sums of pixels, and the products.
static int64_t bytesBetween(const WinogradShape &shape) {
  int64_t sums = shape.pixelTiles() * shape.channels * shape.sums.bits;
  int64_t products = shape.tiles() * shape.filters * shape.results.bits;
  return productsPerTile * shape.groups * (sums + products) / 8;
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
