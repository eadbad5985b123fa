//===- ObjectCache.h - Compiled code kept between runs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_OBJECTCACHE_H
#define UCMOH_RUNTIME_OBJECTCACHE_H

#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace ucmoh {

/// A folder of object files, each under the hash of what it was compiled from. Several processes
/// and threads may use it at a time. The oldest files are removed when there are too many bytes.
class ObjectCache {
public:
  /// The folder of $UCMOH_CACHE, else `ucmoh` among the user's caches ($XDG_CACHE_HOME). A folder
  /// that cannot be made or written is not used, after one warning, in this process and those that
  /// are forked from it. An empty $UCMOH_CACHE switches the cache off.
  static ObjectCache &ofUser();

  /// Finds what was stored under `key`, if it is there and whole; null otherwise.
  std::unique_ptr<llvm::MemoryBuffer> find(llvm::StringRef key) const;
  /// Stores `object`. A failure, such as a full disk, ends the use of the cache after a warning.
  void store(llvm::StringRef key, llvm::StringRef object);
  /// Removes the oldest files where there are too many; looks every 20 minutes.
  void prune() const;

private:
  explicit ObjectCache(std::string folder);
  std::string pathOf(llvm::StringRef key) const;

  std::string folder; ///< empty: none
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_OBJECTCACHE_H
