//===- CallImage.h - A call as bytes, for another process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_CALLIMAGE_H
#define UCMOH_LIB_RUNTIME_CALLIMAGE_H

#include "CallFrame.h"

namespace ucmoh {

/// A call frame with all that it points to, as ForeignMain.c reads it. Words of 64 bits:
/// the function's number, bytes of the image, where in it the pointers and the results are, numbers
/// of results and of relocations; three words per result (offset in bytes, rank or -1, bytes per
/// element); the relocations; the image. Addresses in the image count from its beginning; a
/// relocation says where one is.
std::string writeCall(const CallFrame &frame, int64_t function);

/// What ForeignMain.c answers: per result its extents, then its elements.
llvm::Expected<std::vector<Tensor>> readResults(const Signature &signature, llvm::StringRef answer);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_CALLIMAGE_H
