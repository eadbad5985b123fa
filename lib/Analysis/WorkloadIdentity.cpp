//===- WorkloadIdentity.cpp - What makes two workloads the same
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/WorkloadIdentity.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Numbers as the same bytes on all platforms. Lists begin with their length, so that no two
/// workloads have the same bytes.
class Structure {
public:
  void add(int64_t number) {
    uint8_t bytes[sizeof(number)];
    llvm::support::endian::write64le(bytes, number);
    all.append(std::begin(bytes), std::end(bytes));
  }
  void add(ArrayRef<int64_t> numbers) {
    add(static_cast<int64_t>(numbers.size()));
    for (int64_t number : numbers)
      add(number);
  }
  void add(ElementType type) {
    add(type.kind);
    add(type.bits);
  }
  void add(AffineMap map);
  void add(const Operand &operand);
  uint64_t hash() const { return llvm::xxh3_64bits(all); }

private:
  SmallVector<uint8_t, 512> all;
};
} // namespace

/// Of a workload each result is linear: its coefficients, then its constant.
void Structure::add(AffineMap map) {
  add(static_cast<int64_t>(map.getNumResults()));
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> flat;
    bool isLinear = succeeded(getFlattenedAffineExpr(expr, map.getNumDims(), 0, &flat));
    assert(isLinear && "the analysis of a workload refuses others");
    (void)isLinear;
    add(flat);
  }
}

void Structure::add(const Operand &operand) {
  add(operand.shape);
  add(operand.map);
  add(operand.type);
  add(operand.isConstant);
  add(operand.zeroPoint != nullptr);
  add(operand.zeroOffset);
  add(operand.range.has_value());
  if (operand.range)
    add({operand.range->low, operand.range->high});
}

std::string ucmoh::identityOf(const Workload &workload) {
  Structure structure;
  structure.add(static_cast<int64_t>(workload.dims.size()));
  for (const Dim &dim : workload.dims) {
    structure.add(dim.extent);
    structure.add(static_cast<int64_t>(dim.role));
  }
  for (const Operand *operand : {&workload.lhs, &workload.rhs, &workload.acc})
    structure.add(*operand);
  return llvm::utohexstr(structure.hash(), /*LowerCase=*/true, /*Width=*/16);
}
