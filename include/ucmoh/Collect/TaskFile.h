//===- TaskFile.h - What to collect measurements of
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COLLECT_TASKFILE_H
#define UCMOH_COLLECT_TASKFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace ucmoh {

/// A contraction or convolution as a module of its own.
struct CollectTask {
  std::string name;        ///< for people
  std::string ir;          ///< a module with one public function, which holds one such op
  llvm::json::Object tags; ///< kept with the records: networks, split, ...
};

/// Reads JSON lines {"name", "ir", "tags"}. Errors name the line.
llvm::Expected<std::vector<CollectTask>> readTaskFile(llvm::StringRef path);

} // namespace ucmoh

#endif // UCMOH_COLLECT_TASKFILE_H
