//===- Linker.h - A compiler of C, called to link
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

/// Runs `command`, a compiler of C with its options, on an object file and, unless it is empty, a
/// source file. Returns what it has linked; an error has its messages.
llvm::Expected<std::string> link(llvm::ArrayRef<std::string> command, llvm::StringRef object,
                                 llvm::StringRef source = "");

} // namespace ucmoh

#endif // UCMOH_RUNTIME_LINKER_H
