//===- Zstd.h - Compressed files, piece by piece
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RECORDS_ZSTD_H
#define UCMOH_LIB_RECORDS_ZSTD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace ucmoh::zstd {

/// Whether `data` starts as compressed data does.
bool isCompressed(llvm::StringRef data);

/// Writes `pieces`, one behind the other, as one frame.
llvm::Error compress(llvm::ArrayRef<llvm::StringRef> pieces, llvm::raw_ostream &stream);

llvm::Error decompress(llvm::StringRef data, llvm::raw_ostream &stream);

} // namespace ucmoh::zstd

#endif // UCMOH_LIB_RECORDS_ZSTD_H
