//===- CallFrame.cpp - Calls of compiled functions as words in memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallFrame.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

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

static constexpr int64_t wordBytes = sizeof(int64_t), alignmentBytes = 64;

namespace {
/// Pieces of memory one behind the other, and the places that hold addresses of some of them.
struct Image {
  int64_t add(const void *begin, int64_t size) {
    int64_t at = bytes.size();
    bytes.append(static_cast<const char *>(begin), size);
    bytes.resize(llvm::alignTo(bytes.size(), alignmentBytes));
    return at;
  }
  void setAddress(int64_t at, int64_t target) {
    std::memcpy(&bytes[at], &target, wordBytes);
    relocations.push_back(at);
  }
  std::string bytes;
  std::vector<int64_t> relocations;
};
} // namespace

static std::string toBytes(ArrayRef<int64_t> words) {
  return std::string(reinterpret_cast<const char *>(words.data()), words.size() * wordBytes);
}

/// Adds the arguments' elements and lets pointers and descriptors refer to them.
static void addArguments(Image &image, const CallFrame &frame, int64_t pointersAt,
                         int64_t wordsAt) {
  int64_t pointer = pointersAt, word = wordsAt;
  for (auto [parameter, tensor] : llvm::zip_equal(frame.signature.parameters, frame.arguments)) {
    int64_t elementsAt = image.add(tensor.data(), tensor.bytes());
    if (parameter.isScalar) {
      image.setAddress(pointer, elementsAt);
      pointer += wordBytes;
      continue;
    }
    image.setAddress(word, elementsAt); // allocated
    image.setAddress(word + wordBytes, elementsAt);
    for (int64_t i = 0; i < CallFrame::descriptorWords(parameter); ++i, pointer += wordBytes)
      image.setAddress(pointer, std::exchange(word, word + wordBytes));
  }
}

std::string ucmoh::writeCall(const CallFrame &frame, int64_t function) {
  Image image;
  int64_t pointersAt = image.add(frame.pointers.data(), frame.pointers.size() * wordBytes);
  int64_t wordsAt = image.add(frame.words.data(), frame.words.size() * wordBytes);
  int64_t resultsAt = image.add(frame.resultWords.data(), frame.resultWords.size() * wordBytes);
  addArguments(image, frame, pointersAt, wordsAt);
  image.setAddress(pointersAt + (frame.pointers.size() - 1) * wordBytes, resultsAt);
  std::vector<int64_t> header = {function,
                                 static_cast<int64_t>(image.bytes.size()),
                                 pointersAt,
                                 resultsAt,
                                 static_cast<int64_t>(frame.signature.results.size()),
                                 static_cast<int64_t>(image.relocations.size())};
  for (auto [result, offset] : llvm::zip_equal(frame.signature.results, frame.resultOffsets)) {
    int64_t rank = result.isScalar ? -1 : static_cast<int64_t>(result.shape.size());
    header.insert(header.end(), {offset, rank, Tensor::bytesOf(result.elementType)});
  }
  return toBytes(header) + toBytes(image.relocations) + image.bytes;
}

llvm::Expected<std::vector<Tensor>> ucmoh::readResults(const Signature &signature,
                                                       StringRef answer) {
  std::vector<Tensor> tensors;
  for (const Parameter &result : signature.results) {
    SmallVector<int64_t> extents(result.shape.size());
    size_t extentBytes = extents.size() * wordBytes;
    if (answer.size() < extentBytes)
      return llvm::createStringError("the results end early");
    std::memcpy(extents.data(), answer.data(), extentBytes);
    answer = answer.drop_front(extentBytes);
    Tensor tensor(result.elementType, extents);
    if (answer.size() < static_cast<size_t>(tensor.bytes()))
      return llvm::createStringError("the results end early");
    std::memcpy(tensor.data(), answer.data(), tensor.bytes());
    answer = answer.drop_front(tensor.bytes());
    tensors.push_back(tensor);
  }
  return tensors;
}
