//===- CallFrame.h - Calls of compiled functions as words in memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_CALLFRAME_H
#define UCMOH_LIB_RUNTIME_CALLFRAME_H

#include "ucmoh/Runtime/Signature.h"

namespace ucmoh {

/// Arguments and results of a function as MLIR lays them out: one pointer per word of an argument
/// (a memref's descriptor has several) and a last one to a struct of all results.
struct CallFrame {
  CallFrame(const Signature &signature, std::vector<Tensor> arguments);
  CallFrame(const CallFrame &) = delete; // `pointers` point into it

  /// Words of a memref descriptor: allocated and aligned pointer, offset, sizes, strides.
  static int64_t descriptorWords(const Parameter &parameter) {
    return 3 + 2 * static_cast<int64_t>(parameter.shape.size());
  }

  const Signature signature;
  const std::vector<Tensor> arguments;
  std::vector<int64_t> words;         ///< the memref descriptors of the arguments
  std::vector<void *> pointers;       ///< to each word or scalar; last, to the results
  std::vector<int64_t> resultWords;   ///< the struct that the function returns
  std::vector<int64_t> resultOffsets; ///< in bytes, one per result

private:
  void layOutArguments();
  void layOutResults();
};

/// A call frame with all that it points to, as ForeignMain.c reads it. Words of 64 bits:
/// the function's number, bytes of the image, where in it the pointers and the results are, numbers
/// of results and of relocations; three words per result (offset in bytes, rank or -1, bytes per
/// element); the relocations; the image. Addresses in the image count from its beginning; a
/// relocation says where one is.
std::string writeCall(const CallFrame &frame, int64_t function);

/// Reads the answer of ForeignMain.c: per result its extents, then its elements.
llvm::Expected<std::vector<Tensor>> readResults(const Signature &signature, llvm::StringRef answer);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_CALLFRAME_H
