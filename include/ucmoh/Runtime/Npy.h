//===- Npy.h - NumPy's file format
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_NPY_H
#define UCMOH_RUNTIME_NPY_H

#include "ucmoh/Runtime/Tensor.h"

namespace ucmoh {

/// Reads a little-endian, row-major .npy file of `elementType` (bf16 is kept as u2). Unsigned
/// elements are taken as the signless type of their width.
llvm::Expected<Tensor> readNpy(llvm::StringRef path, mlir::Type elementType);

/// Writes such a file.
llvm::Error writeNpy(llvm::StringRef path, const Tensor &tensor);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_NPY_H
