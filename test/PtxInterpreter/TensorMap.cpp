//===- TensorMap.cpp - cuTensorMapEncodeTiled -----------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMap.h"
#include "Driver.h"
#include <cstring>

using namespace ucmoh::ptx;

/// Bytes of a CUtensorMapDataType, 0 if unknown.
static unsigned bytesOfDataType(int type) {
  static constexpr uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return unsigned(type) < sizeof(bytes) ? bytes[type] : 0;
}

static const char *whatIsWrong(const TensorMap &map) {
  if (map.address % 16)
    return "the tensor must be aligned to 16 bytes";
  for (unsigned i = 0; i + 1 < map.rank; ++i)
    if (map.strides[i] % 16)
      return "strides must be multiples of 16 bytes";
  for (unsigned i = 0; i < map.rank; ++i)
    if (map.box[i] == 0 || map.box[i] > 256)
      return "a box has 1 to 256 elements in each dimension";
  unsigned inner = map.box[0] * map.elementBytes;
  if (inner % 16)
    return "the innermost dimension of the box must be a multiple of 16 bytes";
  if (map.swizzle && inner > (16u << map.swizzle))
    return "the innermost dimension of the box is larger than the swizzle";
  return nullptr;
}

PTX_EXPORT CUresult cuTensorMapEncodeTiled(void *result, int type, unsigned rank, void *address,
                                           const uint64_t *extents, const uint64_t *strides,
                                           const uint32_t *box, const uint32_t *elementStrides,
                                           int interleave, int swizzle, int, int fill) {
  unsigned bytes = bytesOfDataType(type);
  if (!result || rank < 1 || rank > 5 || !bytes || unsigned(swizzle) > 3)
    return CUDA_ERROR_INVALID_VALUE;
  if (interleave != 0 || fill != 0)
    return report(CUDA_ERROR_NOT_SUPPORTED, "tensor map: interleaving and NaN as fill");
  TensorMap map = {};
  map.magic = TensorMap::signature;
  map.rank = rank;
  map.elementBytes = bytes;
  map.swizzle = swizzle;
  map.address = reinterpret_cast<uint64_t>(address);
  for (unsigned i = 0; i < rank; ++i) {
    if (elementStrides && elementStrides[i] != 1)
      return report(CUDA_ERROR_NOT_SUPPORTED, "tensor map: element strides");
    map.extents[i] = extents[i];
    map.box[i] = std::min<uint32_t>(box[i], UINT16_MAX);
    if (i + 1 < rank)
      map.strides[i] = strides[i];
  }
  if (const char *what = whatIsWrong(map))
    return report(CUDA_ERROR_INVALID_VALUE, llvm::Twine("tensor map: ") + what);
  std::memset(result, 0, 128);
  std::memcpy(result, &map, sizeof map);
  return CUDA_SUCCESS;
}
