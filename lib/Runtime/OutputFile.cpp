//===- OutputFile.cpp - Files that are there as a whole or not at all
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/OutputFile.h"
#include "llvm/Support/FileSystem.h"

namespace fs = llvm::sys::fs;

/// Not llvm::writeToOutput, which replaces devices by files, and a good file by the half of one
/// that fits on the disk.
llvm::Error ucmoh::replaceFile(llvm::StringRef path,
                               llvm::function_ref<void(llvm::raw_ostream &)> write) {
  auto fail = [&](std::error_code error) {
    return llvm::createStringError(error, "cannot write '" + path + "': " + error.message());
  };
  auto writeTo = [&](llvm::raw_fd_ostream &stream) {
    write(stream);
    stream.flush();
    std::error_code error = stream.error();
    stream.clear_error();
    return error;
  };
  fs::file_status status;
  bool isThere = !fs::status(path, status) && fs::exists(status);
  if (path == "-" || (isThere && !fs::is_regular_file(status))) {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    if (!error)
      error = writeTo(stream);
    return error ? fail(error) : llvm::Error::success();
  }
  auto file = fs::TempFile::create(path + ".%%%%%%.new");
  if (!file)
    return fail(llvm::errorToErrorCode(file.takeError()));
  std::error_code error;
  {
    llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
    error = writeTo(stream);
  }
  if (!error)
    return file->keep(path);
  llvm::consumeError(file->discard()); // the error that counts is the first one
  return fail(error);
}
