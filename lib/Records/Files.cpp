//===- Files.cpp - Files that appear complete, and their compression
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <memory>
#include <vector>
#include <zstd.h>

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

/// The highest level that does not ask readers for more memory than usual.
static constexpr int level = 19;

static llvm::Error failure(size_t status) {
  return llvm::createStringError("zstd: " + llvm::Twine(ZSTD_getErrorName(status)));
}

bool zstd::isCompressed(StringRef data) { return data.starts_with("\x28\xB5\x2F\xFD"); }

llvm::Error zstd::compress(llvm::ArrayRef<StringRef> pieces, llvm::raw_ostream &stream) {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::vector<char> buffer(ZSTD_CStreamOutSize());
  for (const StringRef &piece : pieces) {
    ZSTD_EndDirective mode = &piece == &pieces.back() ? ZSTD_e_end : ZSTD_e_continue;
    ZSTD_inBuffer input{piece.data(), piece.size(), 0};
    size_t remaining = 1;
    while (mode == ZSTD_e_end ? remaining != 0 : input.pos < input.size) {
      ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
      remaining = ZSTD_compressStream2(context.get(), &output, &input, mode);
      if (ZSTD_isError(remaining))
        return failure(remaining);
      stream.write(buffer.data(), output.pos);
    }
  }
  return llvm::Error::success();
}

llvm::Error zstd::decompress(StringRef data, llvm::raw_ostream &stream) {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  std::vector<char> buffer(ZSTD_DStreamOutSize());
  ZSTD_inBuffer input{data.data(), data.size(), 0};
  size_t expected = 0;
  // A full buffer may leave output of the last input behind.
  for (bool more = !data.empty(); more;) {
    ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
    expected = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(expected))
      return failure(expected);
    stream.write(buffer.data(), output.pos);
    more = input.pos < input.size || (expected != 0 && output.pos == output.size);
  }
  if (expected != 0)
    return llvm::createStringError("the compressed data ends early");
  return llvm::Error::success();
}
