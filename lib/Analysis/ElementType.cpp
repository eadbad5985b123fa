//===- ElementType.cpp - Kind, width and sign of a scalar
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ElementType.h"

using namespace mlir;
using namespace ucmoh;

std::string ElementType::name() const {
  StringRef prefix[] = {"s", "u", "f", "bf"};
  return prefix[kind].str() + std::to_string(bits);
}

Type ElementType::getType(MLIRContext *context) const {
  if (isInteger())
    return IntegerType::get(context, bits);
  if (kind == BFloat)
    return bits == 8 ? Type(Float8E5M2Type::get(context)) : BFloat16Type::get(context);
  switch (bits) {
  case 8:
    return Float8E4M3FNType::get(context);
  case 16:
    return Float16Type::get(context);
  case 64:
    return Float64Type::get(context);
  default:
    return Float32Type::get(context);
  }
}

ElementType ElementType::get(Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<BFloat16Type, Float8E5M2Type>(type))
    return {BFloat, bits};
  if (isa<FloatType>(type))
    return {Float, bits};
  return {type.isUnsignedInteger() ? UnsignedInt : SignedInt, bits};
}

bool ucmoh::isKnownElement(Type type) {
  if (isa<FloatType>(type))
    return ElementType::get(type).getType(type.getContext()) == type;
  if (!type.isInteger())
    return false;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

bool ucmoh::hasVectorAccess(Type type) { return isKnownElement(type) || type.isInteger(1); }

double ucmoh::defaultTolerance(Type type) {
  if (type.isBF16())
    return 5e-2;
  if (type.isF16() || isFloat8(type)) // units that multiply f8 add with less bits than f32 has
    return 1e-2;
  return isa<FloatType>(type) ? 1e-3 : 0;
}
