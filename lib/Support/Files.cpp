//===- Files.cpp - Files that are written as a whole, and those that are installed
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Support/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace ucmoh;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Error cannotWrite(StringRef path, const llvm::Twine &reason) {
  return llvm::createStringError("cannot write '" + path + "': " + reason);
}

/// Errors are those of the stream, with the path, or of `write`.
static llvm::Error writeTo(llvm::raw_fd_ostream &stream, StringRef path, StreamWriter write) {
  llvm::Error error = write(stream);
  stream.flush();
  if (!error && stream.has_error())
    error = cannotWrite(path, stream.error().message());
  stream.clear_error();
  return error;
}

static llvm::Error writeTo(fs::TempFile &file, StringRef path, StreamWriter write) {
  llvm::raw_fd_ostream stream(file.FD, /*shouldClose=*/false);
  return writeTo(stream, path, write);
}

static bool isReplaceable(StringRef path) {
  fs::file_status status;
  bool isThere = !fs::status(path, status) && fs::exists(status);
  return path != "-" && (!isThere || fs::is_regular_file(status));
}

static llvm::Error writeInPlace(StringRef path, StreamWriter write) {
  llvm::outs().flush(); // other text stands in front on the same output
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  return code ? cannotWrite(path, code.message()) : writeTo(stream, path, write);
}

/// Not llvm::writeToOutput, which replaces devices by files, and a good file by the half of one
/// that fits on the disk.
llvm::Error ucmoh::writeAtomically(StringRef path, StreamWriter write) {
  if (!isReplaceable(path))
    return writeInPlace(path, write);
  unsigned permissions = fs::all_read | fs::all_write; // less what the umask forbids
  auto file = fs::TempFile::create(path + ".%%%%%%.new", permissions);
  if (!file)
    return cannotWrite(path, llvm::toString(file.takeError()) +
                                 "; check that its folder exists and that you may write to it");
  if (llvm::Error error = writeTo(*file, path, write))
    return llvm::joinErrors(std::move(error), file->discard());
  return file->keep(path);
}

llvm::Error ucmoh::writeAtomically(StringRef path, StringRef content) {
  return writeAtomically(path, [&](llvm::raw_ostream &stream) {
    stream << content;
    return llvm::Error::success();
  });
}

/// Mapped, the content outlives the file's name.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> map(StringRef path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  return std::move(*buffer);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> ucmoh::spill(StreamWriter write) {
  llvm::SmallString<128> model;
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, model);
  llvm::sys::path::append(model, "ucmoh.%%%%%%");
  auto file = fs::TempFile::create(model);
  if (!file)
    return file.takeError();
  llvm::Error error = writeTo(*file, file->TmpName, write);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> content =
      error ? std::move(error) : map(file->TmpName);
  if (llvm::Error discarded = file->discard())
    return llvm::joinErrors(content.takeError(), std::move(discarded));
  return content;
}

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
