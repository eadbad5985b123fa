//===- Linker.cpp - A linker, called
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Linker.h"
#include "Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ucmoh;

/// The linker writes beside its output, so that has to be a real file for a moment.
llvm::Expected<std::string> ucmoh::link(llvm::ArrayRef<std::string> command, llvm::StringRef object,
                                        llvm::ArrayRef<std::string> libraries,
                                        llvm::StringRef source) {
  llvm::SmallString<128> directory;
  if (auto code = llvm::sys::fs::createUniqueDirectory("ucmoh", directory))
    return llvm::createStringError("cannot make a temporary directory: " + code.message());
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(directory); });
  std::string path = (directory + "/linked").str();
  MemoryFile sourceFile(source), objectFile(object), output;
  std::vector<std::string> words = command;
  llvm::append_range(words, std::vector<std::string>{"-o", path});
  if (!source.empty())
    llvm::append_range(words, std::vector<std::string>{"-xc", "-", "-xnone"});
  words.push_back(objectFile.path());
  llvm::append_range(words, libraries);
  if (auto error = runProgram(words, sourceFile, output))
    return std::move(error);
  auto linked = llvm::MemoryBuffer::getFile(path);
  if (!linked)
    return llvm::createStringError(path + ": " + linked.getError().message());
  return (*linked)->getBuffer().str();
}
