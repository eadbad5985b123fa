//===- Registration.h - What a context has to know
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DIALECT_REGISTRATION_H
#define UCMOH_DIALECT_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ucmoh {

/// Upstream's dialects with their extensions, and ours: what users' files may be written in.
void registerInputDialects(mlir::DialectRegistry &registry);

/// The same with the translations to LLVM IR, for programs that are compiled in this process.
void registerExecutableDialects(mlir::DialectRegistry &registry);

} // namespace ucmoh

#endif // UCMOH_DIALECT_REGISTRATION_H
