//===- ResultFile.cpp - Results that processes share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/ResultFile.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace ucmoh;

ResultFile::ResultFile() : descriptor(memfd_create("ucmoh-results", MFD_CLOEXEC)) {}

ResultFile::~ResultFile() { close(descriptor); }

static bool writeAll(int descriptor, const char *data, int64_t size) {
  while (size > 0) {
    ssize_t count = write(descriptor, data, size);
    if (count <= 0)
      return false;
    data += count;
    size -= count;
  }
  return true;
}

static bool readAll(int descriptor, char *data, int64_t size) {
  while (size > 0) {
    ssize_t count = read(descriptor, data, size);
    if (count <= 0)
      return false;
    data += count;
    size -= count;
  }
  return true;
}

llvm::Error ResultFile::write(ArrayRef<Tensor> results) const {
  bool good = ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0;
  for (const Tensor &tensor : results)
    good = good &&
           writeAll(descriptor, reinterpret_cast<const char *>(tensor.getShape().data()),
                    tensor.getShape().size() * sizeof(int64_t)) &&
           writeAll(descriptor, tensor.data(), tensor.bytes());
  return good ? llvm::Error::success() : llvm::createStringError("cannot keep the results");
}

llvm::Expected<std::vector<Tensor>> ResultFile::read(ArrayRef<Parameter> parameters) const {
  std::vector<Tensor> results;
  bool good = lseek(descriptor, 0, SEEK_SET) == 0;
  for (const Parameter &parameter : parameters) {
    SmallVector<int64_t> shape(parameter.shape.size());
    good = good && readAll(descriptor, reinterpret_cast<char *>(shape.data()),
                           shape.size() * sizeof(int64_t));
    if (!good)
      break;
    results.emplace_back(parameter.elementType, shape);
    good = readAll(descriptor, results.back().data(), results.back().bytes());
  }
  if (!good)
    return llvm::createStringError("cannot read the expected results");
  return results;
}
