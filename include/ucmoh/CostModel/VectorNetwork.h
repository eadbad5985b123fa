//===- VectorNetwork.h - The network for the instruction sets of a CPU
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_VECTORNETWORK_H
#define UCMOH_COSTMODEL_VECTORNETWORK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ucmoh {

/// The network's output for one program: `rows` statements (at least one) of `width` inputs,
/// weights in the order of networkParameters(). `scratch` has scratchFloats(rows).
struct VectorNetwork {
  llvm::StringRef name; ///< of the instruction set
  /// Returns the network's output.
  float (*run)(const float *inputs, int rows, int width, const float *weights, float *scratch);
};

/// What this CPU can execute, fastest first. All of them compute the same bits.
llvm::ArrayRef<VectorNetwork> vectorNetworks();

/// Floats of working memory that a program of so many rows needs.
size_t scratchFloats(int rows);

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_VECTORNETWORK_H
