//===- Type.h - Scalar types of PTX -----------------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_TYPE_H
#define UCMOH_PTXINTERPRETER_TYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace ucmoh::ptx {

/// A type suffix of an instruction or a declaration.
enum class Type : uint8_t {
  None,
  Pred,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  F16x2,
  BF16x2,
  F32,
  F64,
  TF32,
  E4M3,
  E5M2,
  E4M3x2,
  E5M2x2,
  B128
};

/// The type that `suffix` ("b32", without its dot) names. Untyped bits are unsigned integers.
std::optional<Type> parseType(llvm::StringRef suffix);

/// Bits of one value; a predicate has one.
unsigned bitsOf(Type type);
inline unsigned bytesOf(Type type) { return (bitsOf(type) + 7) / 8; }

inline bool isSigned(Type type) { return type >= Type::S8 && type <= Type::S64; }
inline bool isInteger(Type type) { return type >= Type::U8 && type <= Type::S64; }
inline bool isFloat(Type type) { return type >= Type::F16 && type <= Type::E5M2x2; }

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_TYPE_H
