//===- Linker.h - A linker, called
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_LINKER_H
#define UCMOH_RUNTIME_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ucmoh {

/// Runs `command`, a linker with its options, or a compiler of C that calls one, on an object file
/// and on `libraries`, as options behind it. The compiler takes a source file as well, unless that
/// is empty. Returns what was linked; an error has the messages.
llvm::Expected<std::string> link(llvm::ArrayRef<std::string> command, llvm::StringRef object,
                                 llvm::ArrayRef<std::string> libraries,
                                 llvm::StringRef source = "");

} // namespace ucmoh

#endif // UCMOH_RUNTIME_LINKER_H
