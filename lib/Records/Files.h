//===- Files.h - Files that appear complete, and their compression
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RECORDS_FILES_H
#define UCMOH_LIB_RECORDS_FILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace ucmoh {

using StreamWriter = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

/// Writes a file beside `path` that takes its place once it is complete.
llvm::Error writeAtomically(llvm::StringRef path, StreamWriter write);

/// What `write` writes, in a file without a name: it may be larger than the memory.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> spill(StreamWriter write);

} // namespace ucmoh

namespace ucmoh::zstd {

/// Whether `data` starts as compressed data does.
bool isCompressed(llvm::StringRef data);

/// Writes `pieces`, one behind the other, as one frame.
llvm::Error compress(llvm::ArrayRef<llvm::StringRef> pieces, llvm::raw_ostream &stream);

llvm::Error decompress(llvm::StringRef data, llvm::raw_ostream &stream);

} // namespace ucmoh::zstd

#endif // UCMOH_LIB_RECORDS_FILES_H
