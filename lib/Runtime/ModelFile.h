//===- ModelFile.h - What tools read as a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_MODELFILE_H
#define UCMOH_LIB_RUNTIME_MODELFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ucmoh {

/// The text of a program in MLIR. A file whose name ends in .onnx goes through the importer of the
/// Python package, by the Python that UCMOH_PYTHON names, or python3.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openModel(llvm::StringRef path);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_MODELFILE_H
