//===- KernelChecks.cpp - Kernels of a running program compared with plain loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/KernelChecks.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "ucmoh/Analysis/ElementType.h"
#include <cstring>

using namespace mlir;
using namespace ucmoh;

static std::vector<CheckInfo> known;
static std::vector<CheckResult> found;
static std::optional<double> givenTolerance;

void KernelChecks::reset(ArrayRef<CheckInfo> checks, std::optional<double> tolerance) {
  known.assign(checks.begin(), checks.end());
  givenTolerance = tolerance;
  found.assign(known.size(), CheckResult());
  for (auto [result, info] : llvm::zip_equal(found, known))
    result.op = info.op;
}

const std::vector<CheckResult> &KernelChecks::getResults() { return found; }

/// A copy, in order, of a buffer whose rows may lie apart.
static Tensor copyOf(Type type, ::UnrankedMemRefType<char> &buffer) {
  ::DynamicMemRefType<char> memref(buffer); // strides count elements, not bytes
  ArrayRef<int64_t> sizes(memref.sizes, memref.rank), strides(memref.strides, memref.rank);
  Tensor copy(type, sizes);
  int64_t bytes = Tensor::bytesOf(type);
  SmallVector<int64_t> index(memref.rank, 0);
  for (int64_t i = 0, e = copy.elements(); i < e; ++i) {
    int64_t at = memref.offset;
    for (auto [position, stride] : llvm::zip_equal(index, strides))
      at += position * stride;
    std::memcpy(copy.data() + i * bytes, memref.data + at * bytes, bytes);
    for (int64_t dim = memref.rank - 1; dim >= 0 && ++index[dim] == sizes[dim]; --dim)
      index[dim] = 0;
  }
  return copy;
}

static double toleranceOf(const CheckInfo &info) {
  if (givenTolerance)
    return *givenTolerance;
  double widest = defaultTolerance(info.type);
  for (Type type : info.types)
    widest = std::max(widest, defaultTolerance(type));
  return widest;
}

void KernelChecks::compare(int64_t check, void *actual, void *expected) {
  const CheckInfo &info = known[check];
  Tensor result = copyOf(info.type, *static_cast<::UnrankedMemRefType<char> *>(actual));
  Tensor right = copyOf(info.type, *static_cast<::UnrankedMemRefType<char> *>(expected));
  Difference difference = info.rounds ? compareRounded(result, right, toleranceOf(info))
                                      : ucmoh::compare(result, right, toleranceOf(info));
  CheckResult &worst = found[check];
  bool isWorse = !worst.executed || (worst.difference.equal && !difference.equal);
  double largest = std::max(worst.difference.maxAbsoluteError, difference.maxAbsoluteError);
  worst.executed = true;
  if (isWorse)
    worst.difference = difference;
  worst.difference.maxAbsoluteError = largest;
}
