//===- TileTransforms.cpp - What is added up of tiles and of windows
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileTransforms.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace ucmoh;

/// Returns the sum of the values, each times its coefficient: 1, -1, or 0 for no value.
static Value addUp(ArithBuilder &arith, ArrayRef<double> coefficients, ArrayRef<Value> values) {
  Value sum;
  for (auto [coefficient, value] : llvm::zip_equal(coefficients, values))
    if (coefficient > 0)
      sum = sum ? arith.add(sum, value) : value;
  for (auto [coefficient, value] : llvm::zip_equal(coefficients, values))
    if (coefficient < 0)
      sum = arith.sub(sum, value);
  return sum;
}

SmallVector<std::pair<int64_t, int64_t>> ucmoh::entriesOf(ArrayRef<double> rows,
                                                          ArrayRef<double> columns) {
  SmallVector<std::pair<int64_t, int64_t>> entries;
  for (int64_t a = 0; a < int64_t(rows.size()); ++a)
    for (int64_t c = 0; c < int64_t(columns.size()); ++c)
      if (rows[a] != 0 && columns[c] != 0)
        entries.push_back({a, c});
  return entries;
}

/// First along each column.
Value ucmoh::addUpMatrix(OpBuilder &b, Location loc, ArrayRef<double> rows,
                         ArrayRef<double> columns, ValueRange values) {
  ArithBuilder arith(b, loc);
  SmallVector<SmallVector<Value>> matrix(columns.size(), SmallVector<Value>(rows.size()));
  for (auto [entry, value] : llvm::zip_equal(entriesOf(rows, columns), values))
    matrix[entry.second][entry.first] = value;
  SmallVector<Value> sums(columns.size());
  for (auto [column, coefficient] : llvm::enumerate(columns))
    if (coefficient != 0)
      sums[column] = addUp(arith, rows, matrix[column]);
  return addUp(arith, columns, sums);
}

DenseElementsAttr ucmoh::weightFactors(OpBuilder &b, Type element) {
  SmallVector<Attribute> factors;
  auto asAttribute = [&](double factor) -> Attribute {
    if (isa<FloatType>(element))
      return b.getFloatAttr(element, factor);
    return b.getIntegerAttr(element, int64_t(factor * integerScale * integerScale));
  };
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t column = 0; column < 3; ++column)
      for (auto &rows : weightTransform)
        for (auto &columns : weightTransform)
          factors.push_back(asAttribute(rows[row] * columns[column]));
  auto type = RankedTensorType::get({3, 3, tilePixels * tilePixels}, element);
  return DenseElementsAttr::get(type, factors);
}
