//===- ObjectCache.cpp - Compiled code kept between runs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/ObjectCache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/WithColor.h"
#include <mutex>

using namespace ucmoh;
using llvm::StringRef;

static constexpr uint64_t largestBytes = 512 << 20;
static constexpr size_t hashBytes = 20; // SHA-1 stands in front of each object

static std::string folderOfUser() {
  if (auto given = llvm::sys::Process::GetEnv("UCMOH_CACHE"))
    return *given;
  llvm::SmallString<128> folder;
  if (!llvm::sys::path::cache_directory(folder))
    return "";
  llvm::sys::path::append(folder, "ucmoh");
  return folder.str().str();
}

static void warn(const llvm::Twine &folder, const llvm::Twine &why) {
  llvm::WithColor::warning() << "compiled code is not kept in " << folder << ": " << why
                             << "; UCMOH_CACHE names another folder, or none if it is empty\n";
}

ObjectCache::ObjectCache(std::string path) : folder(std::move(path)) {
  if (folder.empty())
    return;
  std::error_code code = llvm::sys::fs::create_directories(folder);
  if (!code)
    code = llvm::sys::fs::access(folder, llvm::sys::fs::AccessMode::Write);
  if (!code)
    return;
  warn(folder, code.message());
  folder.clear();
}

ObjectCache &ObjectCache::ofUser() {
  static ObjectCache cache(folderOfUser());
  return cache;
}

/// The prefix is that of files which llvm::pruneCache may remove.
std::string ObjectCache::pathOf(StringRef key) const {
  return (folder + "/llvmcache-" + key).str();
}

static std::string hashOf(StringRef object) {
  auto hash = llvm::SHA1::hash(llvm::arrayRefFromStringRef(object));
  return llvm::toStringRef(hash).str();
}

std::unique_ptr<llvm::MemoryBuffer> ObjectCache::find(StringRef key) const {
  if (folder.empty())
    return nullptr;
  auto file = llvm::MemoryBuffer::getFile(pathOf(key));
  if (!file || (*file)->getBufferSize() <= hashBytes)
    return nullptr;
  StringRef bytes = (*file)->getBuffer(), object = bytes.drop_front(hashBytes);
  if (bytes.take_front(hashBytes) != hashOf(object))
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(object, key);
}

/// Closes the stream: what went wrong while writing to it, if anything did.
static std::error_code closeAndReport(llvm::raw_fd_ostream &stream) {
  stream.close();
  std::error_code code = stream.error();
  stream.clear_error();
  return code;
}

/// Written under another name, then renamed: nobody reads half of it. llvm::writeToOutput would
/// install handlers of signals, which are the program's own.
static std::error_code write(StringRef path, StringRef object) {
  int file;
  llvm::SmallString<128> unfinished;
  if (auto code = llvm::sys::fs::createUniqueFile(path + "-%%%%%%%%", file, unfinished))
    return code;
  llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << hashOf(object) << object;
  std::error_code code = closeAndReport(stream);
  if (!code)
    code = llvm::sys::fs::rename(unfinished, path);
  if (code)
    llvm::sys::fs::remove(unfinished);
  return code;
}

void ObjectCache::store(StringRef key, StringRef object) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (folder.empty())
    return;
  if (std::error_code code = write(pathOf(key), object)) {
    warn(folder, code.message());
    folder.clear();
  }
}

void ObjectCache::prune() const {
  if (folder.empty())
    return;
  llvm::CachePruningPolicy policy;
  policy.MaxSizeBytes = largestBytes;
  llvm::pruneCache(folder, policy);
}
