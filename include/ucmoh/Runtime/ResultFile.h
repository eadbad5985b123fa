//===- ResultFile.h - Results that processes share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_RESULTFILE_H
#define UCMOH_RUNTIME_RESULTFILE_H

#include "ucmoh/Runtime/Signature.h"

namespace ucmoh {

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

#endif // UCMOH_RUNTIME_RESULTFILE_H
