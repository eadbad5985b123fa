//===- TemporaryFile.cpp - A file that is kept only when it is complete
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Records/TemporaryFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ucmoh;
using llvm::StringRef;
using llvm::sys::fs::TempFile;

/// `write` into `file`, which is discarded unless `finish` keeps it.
static llvm::Error fill(TempFile &file, StreamWriter write,
                        llvm::function_ref<llvm::Error()> finish) {
  llvm::raw_fd_ostream stream(file.FD, /*shouldClose=*/false);
  llvm::Error error = write(stream);
  stream.flush();
  if (!error && stream.has_error())
    error = llvm::createStringError(file.TmpName + ": " + stream.error().message());
  stream.clear_error();
  if (!error)
    error = finish();
  return error;
}

llvm::Error ucmoh::writeAtomically(StringRef path, StreamWriter write) {
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return llvm::createStringError(path + ": no regular file; '-' is standard output");
  unsigned permissions = llvm::sys::fs::all_read | llvm::sys::fs::all_write;
  auto file = TempFile::create(path + ".%%%%%%.tmp", permissions);
  if (!file)
    return llvm::createStringError(path + ": " + llvm::toString(file.takeError()) +
                                   "; check that its folder exists and that you may write to it");
  bool kept = false;
  llvm::Error error = fill(*file, write, [&] {
    kept = true;
    return file->keep(path);
  });
  return kept ? std::move(error) : llvm::joinErrors(std::move(error), file->discard());
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> ucmoh::spill(StreamWriter write) {
  llvm::SmallString<128> model;
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, model);
  llvm::sys::path::append(model, "ucmoh-records.%%%%%%");
  auto file = TempFile::create(model);
  if (!file)
    return file.takeError();
  std::unique_ptr<llvm::MemoryBuffer> content;
  llvm::Error error = fill(*file, write, [&]() -> llvm::Error {
    // Mapped, it outlives its name.
    auto buffer = llvm::MemoryBuffer::getFile(file->TmpName, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return llvm::createStringError(file->TmpName + ": " + buffer.getError().message());
    content = std::move(*buffer);
    return llvm::Error::success();
  });
  if ((error = llvm::joinErrors(std::move(error), file->discard())))
    return error;
  return content;
}
