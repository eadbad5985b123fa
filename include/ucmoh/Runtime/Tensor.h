//===- Tensor.h - A tensor in this process's memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_TENSOR_H
#define UCMOH_RUNTIME_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace ucmoh {

/// Elements in row-major order, each in whole bytes, the first at a multiple of 64 bytes. Copies
/// share the elements.
class Tensor {
public:
  Tensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape);
  /// In memory that is there already.
  Tensor(mlir::Type elementType, llvm::ArrayRef<int64_t> shape, std::shared_ptr<char> memory)
      : elementType(elementType), shape(shape), memory(std::move(memory)) {}

  /// Whether elements of the type can be held: f8E4M3FN, f8E5M2, f16, bf16, f32, f64, index, i1,
  /// i8, i16, i32, i64.
  static bool isSupported(mlir::Type elementType);
  static int64_t bytesOf(mlir::Type elementType);

  /// Type, shape, sizes and elements; `bytes` is of all elements.
  mlir::Type getElementType() const { return elementType; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t elements() const;
  int64_t bytes() const { return elements() * bytesOf(elementType); }
  char *data() const { return memory.get(); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(elementType); }

  /// One element as a number; integers are signed, except i1.
  double getFloat(int64_t position) const;
  int64_t getInteger(int64_t position) const;
  void setFloat(int64_t position, double value) const;
  void setInteger(int64_t position, int64_t value) const;

private:
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  std::shared_ptr<char> memory;
};

/// How far two results are apart.
struct Difference {
  bool equal = true;           ///< within the tolerance
  double maxAbsoluteError = 0; ///< over all elements
  std::string message;         ///< where the worst element is; empty when equal
};

/// Integers have to be equal; floats may differ by `tolerance` times the largest expected
/// magnitude, those of f8 by their last place at least unless `tolerance` is 0. NaN equals NaN
/// only.
Difference compare(const Tensor &result, const Tensor &expected, double tolerance);

/// The same for integers that sums of floats were rounded to. One may be the next integer, or
/// further away where the tolerance allows for more than one step. The share of those that differ
/// is bounded as well: a sum that is wrong by a part of a step rounds differently as often.
Difference compareRounded(const Tensor &result, const Tensor &expected, double tolerance);

/// How far results are from others as a whole.
struct Noise {
  double signal = 0, noise = 0; ///< sums of the squares: of what is expected, of the differences
  int64_t elements = 0, differing = 0; ///< how many there are, how many are not equal

  /// Signal to noise; infinite if there is no noise.
  double decibel() const;
  /// The share of the elements that differ.
  double share() const { return elements ? double(differing) / elements : 0; }
};

/// The noise of the result with the least signal-to-noise ratio.
Noise measureNoise(llvm::ArrayRef<Tensor> results, llvm::ArrayRef<Tensor> expected);

/// The worst of several results; the message says which one it is.
Difference compareAll(llvm::ArrayRef<Tensor> results, llvm::ArrayRef<Tensor> expected,
                      double tolerance);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_TENSOR_H
