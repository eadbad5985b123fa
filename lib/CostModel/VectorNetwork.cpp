//===- VectorNetwork.cpp - The network for the instruction sets of a CPU
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/VectorNetwork.h"
#include "ucmoh/CostModel/Network.h"
#include "ucmoh/CostModel/NetworkParameters.h"

using namespace ucmoh;

namespace ucmoh {
float runNetworkGeneric(const float *, int, int, const float *, float *);
float runNetworkAvx2(const float *, int, int, const float *, float *);
float runNetworkAvx512(const float *, int, int, const float *, float *);
} // namespace ucmoh

static llvm::SmallVector<VectorNetwork, 3> findNetworks() {
  llvm::SmallVector<VectorNetwork, 3> found;
#ifdef __x86_64__
  bool hasFma = __builtin_cpu_supports("fma");
  if (hasFma && __builtin_cpu_supports("avx512f"))
    found.push_back({"avx512", runNetworkAvx512});
  if (hasFma && __builtin_cpu_supports("avx2"))
    found.push_back({"avx2", runNetworkAvx2});
#endif
  found.push_back({"generic", runNetworkGeneric});
  return found;
}

llvm::ArrayRef<VectorNetwork> ucmoh::vectorNetworks() {
  static const llvm::SmallVector<VectorNetwork, 3> networks = findNetworks();
  return networks;
}

size_t ucmoh::scratchFloats(int rows) {
  // Per statement: the logarithms, 8 matrices of `hidden` columns and the parts of attention; the
  // last layers have one row. Each is rounded up to whole vectors.
  size_t perRow = networkInputCount + 16 + 14 * network::hidden;
  return (rows + 2 * 16) * perRow;
}
