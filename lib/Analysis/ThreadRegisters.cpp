//===- ThreadRegisters.cpp - Registers that a thread needs under a candidate
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ThreadRegisters.h"
#include "ucmoh/Analysis/ScratchLayout.h"

using namespace mlir;
using namespace ucmoh;

int64_t ucmoh::fragmentRegisters(const Candidate &candidate) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  int64_t rows = candidate.tileM / intrinsic.m, columns = candidate.tileN / intrinsic.n;
  int64_t accumulator = intrinsic.registersFor(intrinsic.m * intrinsic.n, intrinsic.acc.bits);
  int64_t right = intrinsic.registersFor(intrinsic.n * intrinsic.k, intrinsic.rhs.bits);
  int64_t left = intrinsic.lanes == 1
                     ? 1
                     : intrinsic.registersFor(intrinsic.m * intrinsic.k, intrinsic.lhs.bits);
  return rows * columns * accumulator + columns * right + left;
}

/// Fitted to what ptxas of CUDA 13.0 used for 417 kernels of 11 intrinsics
/// (benchmarks/registers.py).
static constexpr double perFragmentRegister = 1.2, perChunkInRegisters = 3,
                        perAsynchronousChunk = 1.3, always = 18;
/// More copies of a thread than these are a loop.
static constexpr double mostChunks = 8;

ThreadRegisters ucmoh::estimateThreadRegisters(const Workload &workload, const Candidate &candidate,
                                               const Machine &machine) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  ScratchLayout scratch(workload, candidate);
  ElementType rhs = candidate.packRhs == Packing::Ahead ? intrinsic.rhs : workload.rhs.type;
  double threads = scratch.threads();
  auto copies = [&](double elements, int64_t chunk, ElementType have, ElementType want) {
    double count = std::min(elements / chunk / threads, mostChunks);
    return count *
           (scratch.findAsyncCopy(have, want, chunk) ? perAsynchronousChunk : perChunkInRegisters);
  };
  double left = double(candidate.cacheM) * candidate.cacheK;
  double right = double(candidate.cacheN) * candidate.cacheK;
  double needed = always + perFragmentRegister * fragmentRegisters(candidate) +
                  copies(left, scratch.lhsChunk(), workload.lhs.type, intrinsic.lhs) +
                  copies(right, scratch.rhsChunk(), rhs, intrinsic.rhs);
  double available = std::min<double>(intrinsic.registerCount, machine.coreRegisters / threads);
  return {std::min(needed, available),
          std::max(0.0, needed - available) * intrinsic.registerBits / 8};
}
