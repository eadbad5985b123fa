//===- Float8.h - Floats of 8 bits -----------------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_FLOAT8_H
#define UCMOH_ANALYSIS_FLOAT8_H

#include "ucmoh/Analysis/ElementType.h"

namespace ucmoh {

/// f8E4M3FN or f8E5M2, for which LLVM has no type.
inline bool isFloat8(mlir::Type type) {
  return mlir::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(type);
}

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_FLOAT8_H
