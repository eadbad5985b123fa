//===- Zstd.cpp - Compressed files, piece by piece
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Zstd.h"
#include <memory>
#include <vector>
#include <zstd.h>

using namespace ucmoh;
using llvm::StringRef;

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
