//===- TensorFile.h - Tensors in files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_TENSORFILE_H
#define UCMOH_RUNTIME_TENSORFILE_H

#include "ucmoh/Runtime/Signature.h"
#include "ucmoh/Runtime/Tensor.h"

namespace ucmoh {

/// Reads a little-endian, row-major .npy file of `elementType` (bf16 is kept as u2). Unsigned
/// elements are taken as the signless type of their width.
llvm::Expected<Tensor> readNpy(llvm::StringRef path, mlir::Type elementType);

/// Writes such a file.
llvm::Error writeNpy(llvm::StringRef path, const Tensor &tensor);

/// An unnamed file in memory. One child writes the expected results, others read them.
class ResultFile {
public:
  ResultFile();
  ~ResultFile();
  ResultFile(const ResultFile &) = delete;
  ResultFile &operator=(const ResultFile &) = delete;

  /// Replaces what the file holds.
  llvm::Error write(llvm::ArrayRef<Tensor> results) const;
  /// `parameters` says the types and ranks of the results in the file.
  llvm::Expected<std::vector<Tensor>> read(llvm::ArrayRef<Parameter> parameters) const;

private:
  int descriptor;
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_TENSORFILE_H
