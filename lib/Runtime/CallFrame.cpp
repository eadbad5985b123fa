//===- CallFrame.cpp - The memory of one call
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallFrame.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

CallFrame::CallFrame(const Signature &signature, std::vector<Tensor> arguments)
    : signature(signature), arguments(std::move(arguments)) {
  layOutArguments();
  layOutResults();
  pointers.push_back(resultWords.data());
}

static void appendDescriptor(std::vector<int64_t> &words, const Tensor &tensor) {
  auto address = reinterpret_cast<int64_t>(tensor.data());
  words.insert(words.end(), {address, address, 0});
  words.insert(words.end(), tensor.getShape().begin(), tensor.getShape().end());
  int64_t stride = tensor.elements();
  for (int64_t extent : tensor.getShape())
    words.push_back(stride = extent ? stride / extent : 0);
}

void CallFrame::layOutArguments() {
  for (auto [parameter, tensor] : llvm::zip_equal(signature.parameters, arguments))
    if (!parameter.isScalar)
      appendDescriptor(words, tensor);
  int64_t *next = words.data();
  for (auto [parameter, tensor] : llvm::zip_equal(signature.parameters, arguments)) {
    if (parameter.isScalar)
      pointers.push_back(tensor.data());
    for (int64_t i = 0; !parameter.isScalar && i < descriptorWords(parameter); ++i)
      pointers.push_back(next++);
  }
}

void CallFrame::layOutResults() {
  int64_t bytes = 0;
  for (const Parameter &result : signature.results) {
    int64_t size = result.isScalar ? Tensor::bytesOf(result.elementType) : sizeof(int64_t);
    bytes = llvm::alignTo(bytes, size);
    resultOffsets.push_back(bytes);
    bytes += result.isScalar ? size : size * descriptorWords(result);
  }
  resultWords.resize(llvm::divideCeil(bytes, sizeof(int64_t)));
}
