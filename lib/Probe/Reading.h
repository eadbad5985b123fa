//===- Reading.h - Programs that only read
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_PROBE_READING_H
#define UCMOH_LIB_PROBE_READING_H

#include "mlir/IR/BuiltinOps.h"

namespace ucmoh {

/// Loads of one iteration of the inner loop.
constexpr int64_t loadsPerIteration = 8;

/// Bytes that one iteration of the inner loop of @NAME of addRead reads: buffers are multiples of
/// it.
int64_t readGranuleBytes(int64_t registerBits);

/// Adds @NAME(buffer of i64, results, passes): reads the buffer into registers `passes` times.
/// `results` are loadsPerIteration registers of i64, written at the end.
void addRead(mlir::ModuleOp module, llvm::StringRef name, int64_t registerBits);

} // namespace ucmoh

#endif // UCMOH_LIB_PROBE_READING_H
