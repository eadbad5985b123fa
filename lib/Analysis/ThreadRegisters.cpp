//===- ThreadRegisters.cpp - Registers that a thread needs under a candidate
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/ThreadRegisters.h"

using namespace mlir;
using namespace ucmoh;

int64_t ucmoh::fragmentRegisters(const Intrinsic &intrinsic, int64_t rows, int64_t columns) {
  int64_t accumulator = intrinsic.registersFor(intrinsic.m * intrinsic.n, intrinsic.acc.bits);
  int64_t right = intrinsic.registersFor(intrinsic.n * intrinsic.k, intrinsic.rhs.bits);
  int64_t left = intrinsic.subgroupSize == 1
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

/// Registers of the fragments of the widest tile of the program.
static int64_t tileRegisters(const Program &program, const Intrinsic &intrinsic) {
  int64_t most = 0, rightLoads = 1, leftLoads = 1;
  for (const Statement &statement : program.statements)
    if (statement.kind == Statement::LoadRhs)
      rightLoads = statement.count;
    else if (statement.kind == Statement::LoadLhs)
      leftLoads = statement.count;
    else if (statement.kind == Statement::Compute)
      most = std::max(most, ucmoh::fragmentRegisters(intrinsic, statement.count / rightLoads,
                                                     statement.count / leftLoads));
  return most;
}

/// Registers that the copies of one stage take, each thread its share.
static double copyRegisters(const Program &program, Statement::Kind kind, double threads) {
  double most = 0;
  for (const Statement &statement : program.statements)
    if (statement.kind == kind)
      most = std::max(most,
                      std::min(statement.count / threads, mostChunks) *
                          (statement.isAsynchronous ? perAsynchronousChunk : perChunkInRegisters));
  return most;
}

ThreadRegisters ucmoh::estimateThreadRegisters(const Program &program, const Intrinsic &intrinsic,
                                               const Machine &machine) {
  double threads = intrinsic.subgroupSize;
  for (const Loop &loop : program.loops)
    if (loop.kind == LoopKind::Warp)
      threads = double(loop.trips()) * intrinsic.subgroupSize;
  double needed = always + perFragmentRegister * tileRegisters(program, intrinsic) +
                  copyRegisters(program, Statement::PackLhs, threads) +
                  copyRegisters(program, Statement::PackRhs, threads);
  double available = std::min<double>(intrinsic.registerCount, machine.coreRegisters / threads);
  return {std::min(needed, available),
          std::max(0.0, needed - available) * intrinsic.registerBits / 8};
}
