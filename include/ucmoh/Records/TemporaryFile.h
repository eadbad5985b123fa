//===- TemporaryFile.h - A file that is kept only when it is complete
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RECORDS_TEMPORARYFILE_H
#define UCMOH_RECORDS_TEMPORARYFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace ucmoh {

/// Writes something.
using StreamWriter = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

/// Writes a file beside `path` that takes its place once it is complete.
llvm::Error writeAtomically(llvm::StringRef path, StreamWriter write);

/// What `write` writes, in a file without a name: it may be larger than the memory.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> spill(StreamWriter write);

} // namespace ucmoh

#endif // UCMOH_RECORDS_TEMPORARYFILE_H
