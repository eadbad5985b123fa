//===- Copies.cpp - Conversions, sums and packing
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"
#include "ucmoh/Analysis/ScratchLayout.h"

using namespace mlir;
using namespace ucmoh;

double Extractor::run(const Operand &operand, const Nest::Group &group) const {
  int64_t expected = 1;
  for (unsigned dim : llvm::reverse(group.dims)) {
    if (coefficient(operand.linearIndex(), dim) != expected)
      break;
    expected *= workload.dims[dim].extent;
  }
  return expected;
}

FeatureRow &Extractor::addCopy(ProgramFeatures &rows, F kind, double elements, double run,
                               unsigned bits) {
  FeatureRow &row = rows.emplace_back(shared);
  row[kind] = 1;
  row[F::elements] = elements;
  row[F::runElements] = std::min(run, 512.0 / bits); // at most 64 bytes at a time
  return row;
}

/// Type conversion and sums of operands that are not constant.
void Extractor::addConversions(ProgramFeatures &rows) {
  const Operand *operands[] = {&workload.lhs, &workload.rhs};
  const ElementType wanted[] = {intrinsic.lhs, intrinsic.rhs};
  const Packing packings[] = {candidate.packLhs, candidate.packRhs};
  for (unsigned i = 0; i < 2; ++i) {
    const Operand &operand = *operands[i], &other = *operands[1 - i];
    bool isShifted = operand.hasZeroPoint();
    if (operand.type != wanted[i]) {
      // 8 bits to 8 bits can only be a shift of the sign, which has to be compensated unless a zero
      // point cancels it.
      if (operand.type.bits == wanted[i].bits) {
        int64_t shift = wanted[i].kind == ElementType::UnsignedInt ? 128 : -128;
        isShifted = operand.zeroPoint || operand.zeroOffset + shift != 0;
      }
      // Packing by blocks converts on the way.
      if (!operand.isConstant && packings[i] != Packing::Block)
        addCopy(rows, F::isConvert, operand.elements(), 512, wanted[i].bits);
    }
    if (isShifted && !other.isConstant)
      addCopy(rows, F::isSum, double(other.elements()), 8, other.type.bits);
  }
}

/// Elements of scratch that are written.
double Extractor::packedElements(Statement::Kind kind) const {
  double elements = 0;
  for (const Statement &statement : program.statements)
    if (statement.kind == kind)
      elements += double(program.executions(statement.loop)) * statement.accesses.back().elements;
  return elements;
}

/// What the threads of a block copy to scratch.
void Extractor::addStagedPacking(ProgramFeatures &rows) {
  ScratchLayout scratch(workload, candidate);
  int64_t lhsChunk = scratch.lhsChunk(), rhsChunk = scratch.rhsChunk();
  ElementType rhs = candidate.packRhs == Packing::Ahead ? intrinsic.rhs : workload.rhs.type;
  FeatureRow &left =
      addCopy(rows, F::isPackLhs, packedElements(Statement::PackLhs), lhsChunk, intrinsic.lhs.bits);
  left[F::isAsynchronous] = bool(scratch.findAsyncCopy(workload.lhs.type, intrinsic.lhs, lhsChunk));
  FeatureRow &right =
      addCopy(rows, F::isPackRhs, packedElements(Statement::PackRhs), rhsChunk, intrinsic.rhs.bits);
  right[F::isAsynchronous] = bool(scratch.findAsyncCopy(rhs, intrinsic.rhs, rhsChunk));
}

void Extractor::addPacking(ProgramFeatures &rows) {
  if (intrinsic.isStaged)
    return addStagedPacking(rows);
  if (candidate.packLhs == Packing::Block)
    addCopy(rows, F::isPackLhs, packedElements(Statement::PackLhs), run(workload.lhs, nest.k),
            intrinsic.lhs.bits);
  if (candidate.packRhs != Packing::Block)
    return;
  // Interleaving where columns are neighbours; else group by group of the reduction.
  bool columns = run(workload.rhs, nest.n) == nest.n.extent;
  // Riffling a group of rows takes about three cycles a row; finding the row in a reduction over
  // several dims costs divisions on top.
  double perRow = nest.k.dims.size() > 1 ? 10 : 3;
  double runElements = columns                         ? intrinsic.n * intrinsic.rhsPack / perRow
                       : run(workload.rhs, nest.k) > 1 ? double(intrinsic.rhsPack) / 2
                                                       : 0.5;
  addCopy(rows, F::isPackRhs, packedElements(Statement::PackRhs), runElements, intrinsic.rhs.bits);
}
