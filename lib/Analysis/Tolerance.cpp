//===- Tolerance.cpp - How far results may be from what is expected
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Tolerance.h"
#include "ucmoh/Analysis/Float8.h"

using namespace mlir;
using namespace ucmoh;

double ucmoh::defaultTolerance(Type type) {
  if (type.isBF16())
    return 5e-2;
  if (type.isF16() || isFloat8(type)) // units that multiply f8 add with less bits than f32 has
    return 1e-2;
  return isa<FloatType>(type) ? 1e-3 : 0;
}

double ucmoh::toleranceOf(const Intrinsic &intrinsic) {
  IntrinsicOp op = intrinsic.op;
  return defaultTolerance(intrinsic.lhs.getType(op.getContext()));
}
