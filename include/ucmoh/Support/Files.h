//===- Files.h - Files that are written as a whole, and those that are installed
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_SUPPORT_FILES_H
#define UCMOH_SUPPORT_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace ucmoh {

/// Writes something.
using StreamWriter = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

/// Replaces the file by what `write` writes, unless there is an error: then the old one stays, even
/// if the disk is full. Standard output ("-"), devices and pipes are written to as they are. Errors
/// name the file.
llvm::Error writeAtomically(llvm::StringRef path, StreamWriter write);

/// The same for `content`.
llvm::Error writeAtomically(llvm::StringRef path, llvm::StringRef content);

/// Keeps what `write` writes in a file without a name, because it may be larger than the memory.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> spill(StreamWriter write);

/// The path itself if there is such a file; else, if there is one, the file of that path below
/// share/ucmoh/ of the prefix that this tool, or this plugin, is installed to
/// ("models/default.safetensors"). Otherwise the path: whoever opens it says what is wrong.
std::string findInstalledFile(llvm::StringRef path);

} // namespace ucmoh

#endif // UCMOH_SUPPORT_FILES_H
