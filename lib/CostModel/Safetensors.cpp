//===- Safetensors.cpp - Files of named tensors: weights and training data
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/Safetensors.h"
#include "ucmoh/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

using namespace ucmoh;
namespace json = llvm::json;

static constexpr llvm::StringLiteral typeNames[] = {"F32", "F64", "I32", "I64"};
static constexpr int64_t typeBytes[] = {4, 8, 4, 8};
static constexpr size_t lengthBytes = 8;

static llvm::StringRef nameOf(TensorType type) { return typeNames[static_cast<unsigned>(type)]; }

static llvm::Error fail(const llvm::Twine &why) { return llvm::createStringError(why); }

/// A list of sizes: integers that are not negative.
static bool readSizes(const json::Array *array, llvm::SmallVectorImpl<int64_t> &sizes) {
  if (!array)
    return false;
  for (const json::Value &value : *array) {
    std::optional<int64_t> size = value.getAsInteger();
    if (!size || *size < 0)
      return false;
    sizes.push_back(*size);
  }
  return true;
}

/// The bytes of a tensor of this type and shape; none if that is no number of 64 bits.
static std::optional<int64_t> bytesOf(const TensorView &tensor) {
  std::optional<int64_t> bytes = typeBytes[static_cast<unsigned>(tensor.type)];
  for (int64_t extent : tensor.shape)
    bytes = bytes ? llvm::checkedMul(*bytes, extent) : std::nullopt;
  return bytes;
}

static llvm::Expected<TensorView> readTensor(llvm::StringRef name, const json::Value &value,
                                             llvm::StringRef data) {
  const json::Object *entry = value.getAsObject();
  auto dtype = entry ? entry->getString("dtype") : std::nullopt;
  llvm::SmallVector<int64_t, 2> offsets;
  TensorView tensor;
  if (!dtype || !readSizes(entry->getArray("shape"), tensor.shape) ||
      !readSizes(entry->getArray("data_offsets"), offsets) || offsets.size() != 2)
    return fail("tensor '" + name + "' lacks dtype, shape or data_offsets");
  const llvm::StringLiteral *type = llvm::find(typeNames, *dtype);
  if (type == std::end(typeNames))
    return fail("tensor '" + name + "' is of type " + *dtype + "; F32, F64, I32 and I64 are read");
  tensor.type = static_cast<TensorType>(type - typeNames);
  if (offsets[0] > offsets[1] || offsets[1] > static_cast<int64_t>(data.size()))
    return fail("tensor '" + name + "' ends behind the file: it is truncated");
  if (bytesOf(tensor) != offsets[1] - offsets[0])
    return fail("the data of tensor '" + name + "' does not have the size of its shape");
  tensor.data = data.slice(offsets[0], offsets[1]);
  return tensor;
}

/// Every byte must belong to exactly one tensor.
static bool coversOnce(const std::map<std::string, TensorView> &tensors, llvm::StringRef data) {
  std::vector<llvm::StringRef> parts;
  for (auto &entry : tensors)
    if (!entry.second.data.empty())
      parts.push_back(entry.second.data);
  llvm::sort(parts, [](auto a, auto b) { return a.data() < b.data(); });
  const char *at = data.data();
  for (llvm::StringRef part : parts) {
    if (part.data() != at)
      return false;
    at = part.end();
  }
  return at == data.end();
}

llvm::Error SafetensorsFile::readHeader() {
  llvm::StringRef bytes = buffer->getBuffer();
  if (bytes.size() < lengthBytes)
    return fail("this is no safetensors file: it has " + llvm::Twine(bytes.size()) + " bytes");
  uint64_t length = llvm::support::endian::read64le(bytes.data());
  bytes = bytes.drop_front(lengthBytes);
  if (length > bytes.size())
    return fail("this is no safetensors file, or it is truncated: its header ends behind it");
  llvm::StringRef data = bytes.drop_front(length);
  llvm::Expected<json::Value> header = json::parse(bytes.take_front(length));
  if (!header)
    return fail("bad header: " + llvm::toString(header.takeError()));
  if (!header->getAsObject())
    return fail("bad header: no JSON object");
  for (auto &[key, value] : *header->getAsObject()) {
    if (key == "__metadata__") {
      if (const json::Object *entries = value.getAsObject())
        for (auto &[name, text] : *entries)
          strings[name.str()] = text.getAsString().value_or("").str();
      continue;
    }
    llvm::Expected<TensorView> tensor = readTensor(key, value, data);
    if (!tensor)
      return tensor.takeError();
    tensors[key.str()] = *tensor;
  }
  return coversOnce(tensors, data) ? llvm::Error::success()
                                   : fail("its tensors overlap or leave holes");
}

llvm::Expected<SafetensorsFile> SafetensorsFile::parse(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  SafetensorsFile file;
  file.buffer = std::move(buffer);
  if (llvm::Error error = file.readHeader())
    return fail(file.getName() + ": " + llvm::toString(std::move(error)));
  return file;
}

llvm::Expected<SafetensorsFile> SafetensorsFile::read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail("cannot read '" + path + "': " + buffer.getError().message());
  return parse(std::move(*buffer));
}

const TensorView *SafetensorsFile::lookup(llvm::StringRef name) const {
  auto found = tensors.find(name.str());
  return found == tensors.end() ? nullptr : &found->second;
}

llvm::StringRef SafetensorsFile::metadata(llvm::StringRef name) const {
  auto found = strings.find(name.str());
  return found == strings.end() ? llvm::StringRef() : llvm::StringRef(found->second);
}

llvm::Expected<const TensorView *> SafetensorsFile::find(llvm::StringRef name, TensorType type,
                                                         unsigned rank) const {
  const TensorView *tensor = lookup(name);
  if (!tensor)
    return fail(getName() + ": there is no tensor '" + name + "'");
  if (tensor->type != type || tensor->shape.size() != rank)
    return fail(getName() + ": tensor '" + name + "' is of type " + nameOf(tensor->type) +
                " and rank " + llvm::Twine(tensor->shape.size()) + ", not " + nameOf(type) +
                " and " + llvm::Twine(rank));
  return tensor;
}

/// Padded with spaces, so that the data begins at a multiple of 64.
static std::string headerText(const NamedTensors &tensors, const TensorMetadata &metadata) {
  json::Object header, strings;
  for (auto &[name, text] : metadata)
    strings[name] = text;
  header["__metadata__"] = std::move(strings);
  int64_t at = 0;
  for (auto &[name, tensor] : tensors) {
    int64_t end = at + tensor.data.size();
    header[name] = json::Object{{"dtype", nameOf(tensor.type)},
                                {"shape", json::Array(tensor.shape)},
                                {"data_offsets", json::Array{at, end}}};
    at = end;
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(header));
  text.resize(llvm::alignTo(text.size() + lengthBytes, 64) - lengthBytes, ' ');
  return text;
}

llvm::Error ucmoh::writeSafetensors(llvm::StringRef path, const NamedTensors &tensors,
                                    const TensorMetadata &metadata) {
  std::string header = headerText(tensors, metadata);
  return writeAtomically(path, [&](llvm::raw_ostream &os) {
    char length[lengthBytes];
    llvm::support::endian::write64le(length, header.size());
    os << llvm::StringRef(length, lengthBytes) << header;
    for (auto &entry : tensors)
      os << entry.second.data;
    return llvm::Error::success();
  });
}
