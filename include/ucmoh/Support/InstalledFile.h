//===- InstalledFile.h - Files beside installed tools
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_SUPPORT_INSTALLEDFILE_H
#define UCMOH_SUPPORT_INSTALLEDFILE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ucmoh {

/// The path itself if there is such a file; else, if there is one, the file of that path below
/// share/ucmoh/ of the prefix that this tool, or this plugin, is installed to
/// ("models/default.safetensors"). Otherwise the path: whoever opens it says what is wrong.
std::string findInstalledFile(llvm::StringRef path);

} // namespace ucmoh

#endif // UCMOH_SUPPORT_INSTALLEDFILE_H
