//===- Fragment.h - Which element of a matrix a lane holds ------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_FRAGMENT_H
#define UCMOH_PTXINTERPRETER_FRAGMENT_H

#include "Warp.h"

namespace ucmoh::ptx {

/// A matrix of at most 16x64 or 64x16 values on its way through a tensor instruction.
template <typename T> struct Matrix {
  unsigned columns;
  std::vector<T> values;

  Matrix(unsigned rows, unsigned columns) : columns(columns), values(rows * columns) {}
  T &at(unsigned row, unsigned column) { return values[row * columns + column]; }
};

/// Calls `action(register, element of the register, lane, row, column)` for each element of a
/// fragment of mma.sync, as the PTX ISA lays them out: with g = lane / 4 and t = lane % 4 a lane
/// holds of A, row-major, rows g and g + 8, columns t E …; of B, column-major, the same with rows
/// and columns exchanged; E elements of `bits` fill a register, and E is 1 for wider ones.
template <typename Action>
void forEachOfA(unsigned rows, unsigned columns, unsigned bits, Action action) {
  unsigned perRegister = bits < 32 ? 32 / bits : 1, span = 4 * perRegister;
  unsigned rowGroups = rows / 8, registers = rowGroups * (columns / span);
  for (unsigned reg = 0; reg < registers; ++reg)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned element = 0; element < perRegister; ++element)
        action(reg, element, lane, lane / 4 + 8 * (reg % rowGroups),
               reg / rowGroups * span + lane % 4 * perRegister + element);
}
template <typename Action>
void forEachOfB(unsigned rows, unsigned columns, unsigned bits, Action action) {
  forEachOfA(columns, rows, bits,
             [&](unsigned reg, unsigned element, unsigned lane, unsigned column, unsigned row) {
               action(reg, element, lane, row, column);
             });
}
/// A lane holds columns 2 t and 2 t + 1 of C and D; two 16-bit values share a register.
template <typename Action>
void forEachOfC(unsigned rows, unsigned columns, unsigned bits, Action action) {
  unsigned perRegister = bits == 16 ? 2 : 1;
  for (unsigned rowGroup = 0; rowGroup < rows / 8; ++rowGroup)
    for (unsigned columnGroup = 0; columnGroup < columns / 8; ++columnGroup)
      for (unsigned lane = 0; lane < warpSize; ++lane)
        for (unsigned half = 0; half < 2; ++half) {
          unsigned index = 2 * (columnGroup * (rows / 8) + rowGroup) + half;
          action(index / perRegister, index % perRegister, lane, lane / 4 + 8 * rowGroup,
                 8 * columnGroup + lane % 4 * 2 + half);
        }
}

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_FRAGMENT_H
