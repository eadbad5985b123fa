//===- Linker.cpp - Shared objects
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Linker.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Compile/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"

using namespace ucmoh;
using llvm::StringRef;

static constexpr char version[] = LLVM_VERSION_STRING;

/// The compiler of C that links, with what it needs to be told.
static llvm::Expected<std::vector<std::string>> findCompiler(StringRef triple) {
  std::string clang = "clang-" + StringRef(version).split('.').first.str();
  bool isNative = isHostArchitecture(triple);
  std::vector<std::string> names = {clang, "clang"};
  if (isNative)
    llvm::append_range(names, std::vector<std::string>{"cc", "gcc"});
  for (const std::string &name : names)
    if (auto path = llvm::sys::findProgramByName(name)) {
      std::vector<std::string> command = {*path};
      if (!isNative)
        llvm::append_range(command,
                           std::vector<std::string>{"--target=" + triple.str(), "-fuse-ld=lld"});
      return command;
    }
  return llvm::createStringError(llvm::formatv(
      "a shared object for {0} needs a compiler of C to link it, and none of {1} is in PATH "
      "(Debian: {2}); an object file (-o FILE.o) needs none",
      triple, llvm::join(names, ", "), clang));
}

llvm::Expected<std::string> ucmoh::linkShared(const Library &library) {
  auto command = findCompiler(library.triple);
  if (!command)
    return command.takeError();
  llvm::append_range(*command,
                     std::vector<std::string>{"-shared", "-static-libgcc", "-Wl,-z,defs"});
  if (library.threads > 1)
    command->push_back(UCMOH_OPENMP_RUNTIME);
  auto linked = link(*command, library.object);
  if (linked)
    return linked;
  return llvm::createStringError(
      llvm::formatv("cannot link a shared object for {0}; that needs a C library for it "
                    "(Debian: libc6-dev, or libc6-dev-ARCHITECTURE-cross and "
                    "libgcc-12-dev-ARCHITECTURE-cross). {1}",
                    library.triple, llvm::toString(linked.takeError())));
}
