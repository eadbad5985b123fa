//===- InstalledFile.cpp - Files beside installed tools
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Support/InstalledFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace ucmoh;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The file that this code was loaded from: the tool, or the plugin in a tool of somebody else.
static std::string ownFile() {
  Dl_info info;
  bool isFound = dladdr(reinterpret_cast<void *>(&ownFile), &info);
  if (isFound && llvm::StringRef(info.dli_fname).ends_with(".so"))
    return info.dli_fname;
  return fs::getMainExecutable(nullptr, nullptr);
}

std::string ucmoh::findInstalledFile(llvm::StringRef file) {
  if (fs::exists(file) || path::is_absolute(file))
    return file.str();
  llvm::SmallString<128> installed = path::parent_path(path::parent_path(ownFile()));
  path::append(installed, "share", "ucmoh", file);
  return fs::exists(installed) ? installed.str().str() : file.str();
}
