//===- Linker.cpp - Shared objects
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Linker.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Compile/Library.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include <dlfcn.h>

using namespace ucmoh;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {
/// How to link: what stands before and behind the object file.
struct LinkCommand {
  std::vector<std::string> before, libraries;
};
} // namespace

static std::optional<std::string> findFirst(ArrayRef<std::string> names) {
  for (const std::string &name : names)
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return std::nullopt;
}

/// The file that the symbol of this process comes from.
static std::string libraryOf(const char *symbol) {
  Dl_info info;
  bool isFound = dladdr(dlsym(RTLD_DEFAULT, symbol), &info);
  return isFound ? info.dli_fname : "";
}

/// Without a compiler there may be no C library to develop with either: then those are linked that
/// this process has.
static std::optional<LinkCommand> useLinker(const std::string &version) {
  auto linker = findFirst({"ld.lld-" + version, "ld.lld", "ld"});
  if (!linker)
    return std::nullopt;
  return LinkCommand{{*linker, "-shared", "-z", "defs"},
                     {"--as-needed", libraryOf("expf"), libraryOf("gnu_get_libc_version"),
                      libraryOf("__tls_get_addr")}};
}

static llvm::Expected<LinkCommand> findCommand(StringRef triple) {
  std::string version = std::to_string(LLVM_VERSION_MAJOR), clang = "clang-" + version;
  bool isNative = isHostArchitecture(triple);
  std::vector<std::string> names = {clang, "clang"};
  if (isNative)
    names.insert(names.end(), {"cc", "gcc"});
  if (auto compiler = findFirst(names)) {
    LinkCommand command = {{*compiler, "-shared", "-static-libgcc", "-Wl,-z,defs"}, {"-lm"}};
    if (!isNative)
      command.before.insert(command.before.end(), {"--target=" + triple.str(), "-fuse-ld=lld"});
    return command;
  }
  if (auto command = isNative ? useLinker(version) : std::nullopt)
    return *command;
  return llvm::createStringError(llvm::formatv(
      "a shared object for {0} needs a compiler of C to link it, and none of {1} is in PATH "
      "(Debian: {2}); an object file (-o FILE.o) needs none",
      triple, llvm::join(names, ", "), clang));
}

llvm::Expected<std::string> ucmoh::linkShared(const Library &library) {
  auto command = findCommand(library.triple);
  if (!command)
    return command.takeError();
  auto linked = link(command->before, library.object, command->libraries);
  if (linked)
    return linked;
  return llvm::createStringError(
      llvm::formatv("cannot link a shared object for {0}; that needs a C library for it "
                    "(Debian: libc6-dev, or libc6-dev-ARCHITECTURE-cross and "
                    "libgcc-12-dev-ARCHITECTURE-cross). {1}",
                    library.triple, llvm::toString(linked.takeError())));
}
