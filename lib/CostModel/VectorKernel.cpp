//===- VectorKernel.cpp - The network for one instruction set
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CMake compiles this file for each instruction set, and says how the function is called
/// (UCMOH_RUN_NETWORK) and how many rows fit into registers at a time (UCMOH_ROWS_AT_ONCE).
///
//===----------------------------------------------------------------------===//

#include "VectorBackend.h"

namespace ucmoh {
float UCMOH_RUN_NETWORK(const float *inputs, int rows, int width, const float *weights,
                        float *scratch) {
  VectorBackend backend{weights, scratch};
  Matrix x{rows, width, width, const_cast<float *>(inputs)}; // only read
  return network::forward(backend, x, width).data[0];
}
} // namespace ucmoh
