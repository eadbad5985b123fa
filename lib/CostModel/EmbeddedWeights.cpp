//===- EmbeddedWeights.cpp - The weights that are part of the library
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/NetworkModel.h"

using namespace ucmoh;

/// models/default.safetensors, or nothing.
alignas(64) static const unsigned char bytes[] = {
#include "EmbeddedWeights.inc"
};

llvm::Expected<SafetensorsFile> ucmoh::embeddedWeights() {
  llvm::StringRef text(reinterpret_cast<const char *>(bytes), sizeof(bytes) - 1);
  if (text.empty())
    return llvm::createStringError(
        "this build has no embedded weights; use model=analytic or FILE.safetensors");
  return SafetensorsFile::parse(
      llvm::MemoryBuffer::getMemBuffer(text, "embedded weights", /*RequiresNullTerminator=*/false));
}
