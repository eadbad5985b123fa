//===- TensorFile.cpp - Tensors in files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/TensorFile.h"
#include "ucmoh/Analysis/ElementType.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace ucmoh;

static constexpr StringLiteral magic("\x93NUMPY");

static std::string describe(Type type) {
  bool isBits = type.isBF16() || isFloat8(type); // NumPy lacks the type
  char kind = isBits ? 'u' : isa<FloatType>(type) ? 'f' : 'i';
  if (type.isInteger(1))
    return "|b1";
  int64_t bytes = Tensor::bytesOf(type);
  return llvm::formatv("{0}{1}{2}", bytes == 1 ? '|' : '<', kind, bytes);
}

static llvm::Error wrong(StringRef path, const Twine &what) {
  return llvm::createStringError(path + ": " + what);
}

/// The header's text, behind magic, version and length; moves `contents` to the elements.
static llvm::Expected<StringRef> takeHeader(StringRef path, StringRef &contents) {
  if (!contents.consume_front(magic) || contents.size() < 6)
    return wrong(path, "is no .npy file");
  bool isLong = contents[0] > 1;
  size_t prefix = isLong ? 6 : 4;
  size_t length = isLong ? llvm::support::endian::read32le(contents.data() + 2)
                         : llvm::support::endian::read16le(contents.data() + 2);
  if (contents.size() < prefix + length)
    return wrong(path, "is truncated");
  StringRef header = contents.substr(prefix, length);
  contents = contents.drop_front(prefix + length);
  return header;
}

static bool parseShape(StringRef text, SmallVectorImpl<int64_t> &shape) {
  for (StringRef part : llvm::split(text, ",")) {
    int64_t extent;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, extent) || extent < 0)
      return false;
    shape.push_back(extent);
  }
  return true;
}

llvm::Expected<Tensor> ucmoh::readNpy(StringRef path, Type elementType) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return wrong(path, file.getError().message());
  StringRef contents = (*file)->getBuffer();
  auto header = takeHeader(path, contents);
  if (!header)
    return header.takeError();
  SmallVector<StringRef> matches;
  SmallVector<int64_t> shape;
  llvm::Regex form("'descr': *'([^']*)'.*'fortran_order': *(True|False).*'shape': *\\(([^)]*)\\)");
  if (!form.match(*header, &matches) || !parseShape(matches[3], shape))
    return wrong(path, "has a header that cannot be read");
  std::string wanted = describe(elementType);
  bool unsignedTwin =
      wanted[1] == 'i' && matches[1] == (wanted.substr(0, 1) + "u" + wanted.substr(2));
  if (matches[2] == "True" || (matches[1] != wanted && !unsignedTwin))
    return wrong(path, "holds " + matches[1] + "; give row-major " + wanted);
  Tensor tensor(elementType, shape);
  if (static_cast<size_t>(tensor.bytes()) != contents.size())
    return wrong(path, "has not as many elements as its shape says");
  std::copy(contents.begin(), contents.end(), tensor.data());
  return tensor;
}

llvm::Error ucmoh::writeNpy(StringRef path, const Tensor &tensor) {
  std::string header = llvm::formatv(
      "{{'descr': '{0}', 'fortran_order': False, 'shape': ({1},), }",
      describe(tensor.getElementType()),
      llvm::join(
          llvm::map_range(tensor.getShape(), [](int64_t extent) { return std::to_string(extent); }),
          ", "));
  if (tensor.getShape().empty())
    header = llvm::formatv("{{'descr': '{0}', 'fortran_order': False, 'shape': (), }",
                           describe(tensor.getElementType()));
  header.append(63 - (magic.size() + 4 + header.size()) % 64, ' '); // elements start at 64 bytes
  header += '\n';
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return wrong(path, code.message());
  char length[2];
  llvm::support::endian::write16le(length, header.size());
  stream << magic << '\x01' << '\x00' << StringRef(length, 2) << header
         << StringRef(tensor.data(), tensor.bytes());
  stream.close();
  code = stream.error();
  stream.clear_error(); // else the stream ends the process
  return code ? wrong(path, code.message()) : llvm::Error::success();
}

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
