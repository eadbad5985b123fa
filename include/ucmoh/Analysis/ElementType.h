//===- ElementType.h - Kind, width and sign of a scalar
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_ELEMENTTYPE_H
#define UCMOH_ANALYSIS_ELEMENTTYPE_H

#include "mlir/IR/BuiltinTypes.h"
#include <string>

namespace ucmoh {

/// A scalar type with its meaning: MLIR's own integer types in programs are
/// signless, so the sign has to be carried beside them.
struct ElementType {
  /// Among floats as wide, `BFloat` has the longer exponent: bf16, not f16; f8E5M2, not f8E4M3FN.
  enum Kind { SignedInt, UnsignedInt, Float, BFloat } kind = SignedInt;
  unsigned bits = 0; ///< the width

  /// Whether the type is an integer of either sign.
  bool isInteger() const { return kind == SignedInt || kind == UnsignedInt; }
  bool operator==(const ElementType &o) const { return kind == o.kind && bits == o.bits; }
  bool operator!=(const ElementType &o) const { return !(*this == o); }
  /// "s8", "u8", "s32", "f32", "bf16"; "f8" is f8E4M3FN, "bf8" f8E5M2.
  std::string name() const;
  /// The signless MLIR type.
  mlir::Type getType(mlir::MLIRContext *context) const;
  /// From a type with declared sign (`si8`, `ui8`, `bf16`); a signless integer counts as signed.
  static ElementType get(mlir::Type type);
};

/// Whether `ElementType` tells the type from others of its width, and vectors of it lie in memory
/// as buffers do: floats that it does not know must not be taken for those that it does, and an i1
/// or i4 has a byte of its own in a buffer, but not in a vector.
bool isKnownElement(mlir::Type type);

/// Whether buffers of the type can be loaded and stored by vectors: known elements, and i1, whose
/// bytes ucmoh-lower-flags reads and writes.
bool hasVectorAccess(mlir::Type type);

/// bf16 or f16: CPUs compute with f32 instead, and round.
inline bool isFloat16(mlir::Type type) { return type.isBF16() || type.isF16(); }

/// f8E4M3FN or f8E5M2, for which LLVM has no type.
inline bool isFloat8(mlir::Type type) {
  return mlir::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(type);
}

/// Returns how much different orders of addition may change the result of a chain of operations on
/// the type, relative to the largest magnitude of a result; 0 for integers.
double defaultTolerance(mlir::Type elementType);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_ELEMENTTYPE_H
