//===- Support.h - What compiled programs bring with them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COMPILE_SUPPORT_H
#define UCMOH_LIB_COMPILE_SUPPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"
#include <array>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace ucmoh {

/// A system call: its number and two arguments.
using SystemCall = std::array<int64_t, 3>;

/// Those of the features whose presence a program for that architecture checks; an error for an
/// architecture for which there is no check.
llvm::Expected<std::vector<std::string>> checkedFeatures(const llvm::Triple &triple,
                                                         llvm::ArrayRef<std::string> features);

/// LLVM's name of the CPU whose instructions all of that architecture have; for one that
/// checkedFeatures knows.
llvm::StringRef oldestCpu(const llvm::Triple &triple);

/// Who calls what Support/ defines: two programs in one process have each its own.
enum class SupportFor { Module, SharedObject };

/// Links the files of Support/ into the optimized module: the check of the CPU, for `features`,
/// calls that end where memory is short, and threads if the module declares ucmoh_use_threads.
/// `permissions` are asked of the operating system.
llvm::Error linkSupport(llvm::Module &module, llvm::ArrayRef<std::string> features,
                        llvm::ArrayRef<SystemCall> permissions, SupportFor callers);

/// Makes an optimized module call what Support/ defines in place of the C library's functions.
void callSupport(llvm::Module &module);

} // namespace ucmoh

#endif // UCMOH_LIB_COMPILE_SUPPORT_H
