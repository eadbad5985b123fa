//===- Statistics.cpp - What a launch executed ----------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace ucmoh::ptx;
namespace json = llvm::json;

static json::Array toJson(Extent extent) { return json::Array{extent.x, extent.y, extent.z}; }

void Statistics::append(llvm::StringRef kernel, Extent grid, Extent block,
                        uint64_t sharedBytes) const {
  const char *path = std::getenv("PTX_INTERPRETER_STATS");
  if (!path || !*path)
    return;
  json::Object line{{"kernel", kernel},
                    {"grid", toJson(grid)},
                    {"block", toJson(block)},
                    {"shared_bytes", sharedBytes},
                    {"instructions", instructions},
                    {"divergent_branches", divergentBranches},
                    {"barriers", barriers},
                    {"mma", mma},
                    {"wgmma", wgmma},
                    {"ldmatrix", ldmatrix},
                    {"ldmatrix_conflicts", ldmatrixConflicts},
                    {"shared_accesses", sharedAccesses},
                    {"shared_conflicts", sharedConflicts},
                    {"global_accesses", globalAccesses},
                    {"global_bytes", globalBytes},
                    {"cp_async_bytes", cpAsyncBytes},
                    {"bulk_bytes", bulkBytes}};
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error, llvm::sys::fs::OF_Append);
  if (error)
    llvm::errs() << "ptx interpreter: cannot write '" << path << "': " << error.message() << '\n';
  else
    stream << json::Value(std::move(line)) << '\n';
}
