//===- OutputFile.h - Files that are there as a whole or not at all
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_OUTPUTFILE_H
#define UCMOH_RUNTIME_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace ucmoh {

/// Replaces the file by what `write` writes, unless there is an error: then the old one stays, even
/// if the disk is full. Standard output ("-"), devices and pipes are written to as they are. Errors
/// name the file.
llvm::Error replaceFile(llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_OUTPUTFILE_H
