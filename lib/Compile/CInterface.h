//===- CInterface.h - A function as C programs see it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COMPILE_CINTERFACE_H
#define UCMOH_LIB_COMPILE_CINTERFACE_H

#include "ucmoh/Runtime/LoweredProgram.h"

namespace ucmoh {

/// The weights of a function in one block of memory: what @NAME.pack makes of them, then those
/// that @NAME takes as they are. Everything is aligned to cache lines.
struct PackedBlock {
  llvm::SmallVector<int64_t> packed; ///< offsets, in bytes, of the results of @NAME.pack
  llvm::SmallVector<std::optional<int64_t>> raw; ///< offsets of weights, by the parameter of @NAME
  int64_t bytes = 0;                             ///< the size of the whole block
};

/// A function as C programs see it.
struct CInterface {
  /// An error if the shape of a weight is open, or a name is none in C.
  static llvm::Expected<CInterface> create(const LoweredFunction &function);

  /// Where the argument at that position of the function as written is in its list.
  int64_t indexInList(int64_t position) const;
  /// Open extents that differ: @NAME_run takes the number of each.
  llvm::ArrayRef<ExtentRange> extents() const { return function->original.extents; }
  /// The position among the arguments as written of a parameter of @NAME or @NAME.pack.
  static int64_t positionOf(const Signature &signature, size_t parameter) {
    return signature.parameters[parameter].argument.value_or(parameter);
  }

  const LoweredFunction *function; ///< outlives this
  std::string name;                ///< in C
  /// The parameters of the function as written, in order; `argument` is the position there.
  std::vector<Parameter> inputs, weights;
  std::vector<Parameter> outputs; ///< `inPlace` is a position in `inputs`
  PackedBlock block;              ///< where the weights lie
};

/// Bytes of a parameter; 0 where an extent is open.
int64_t bytesOf(const Parameter &parameter);

/// Holds what all functions of a library have in common.
struct LibraryTarget {
  std::string name, machine;         ///< as asked for; as resolved
  std::vector<std::string> features; ///< that the CPU is checked for
  int64_t threads;                   ///< that one kernel may use
};

/// JSON: function, target, machine, features, threads, types and shapes, bytes of packed weights,
/// and the choice of each op.
std::string describe(const CInterface &interface, const LibraryTarget &target);

} // namespace ucmoh

#endif // UCMOH_LIB_COMPILE_CINTERFACE_H
