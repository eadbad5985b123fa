//===- Safetensors.h - Files of named tensors: weights and training data
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The safetensors format: the length of the header (8 bytes, little endian), the header in JSON
/// ({"name": {"dtype", "shape", "data_offsets"}, …, "__metadata__": {…}}), the data without holes.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_SAFETENSORS_H
#define UCMOH_COSTMODEL_SAFETENSORS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace ucmoh {

/// The element types that are read and written.
enum class TensorType { F32, F64, I32, I64 };

/// The format's name of a C++ type.
template <class T> constexpr TensorType tensorTypeOf();
template <> constexpr TensorType tensorTypeOf<float>() { return TensorType::F32; }
template <> constexpr TensorType tensorTypeOf<double>() { return TensorType::F64; }
template <> constexpr TensorType tensorTypeOf<int32_t>() { return TensorType::I32; }
template <> constexpr TensorType tensorTypeOf<int64_t>() { return TensorType::I64; }

/// A row-major tensor. `data` belongs to someone else and may lie at any address.
struct TensorView {
  TensorType type = TensorType::F32;   ///< the type of its elements
  llvm::SmallVector<int64_t, 2> shape; ///< outermost first
  llvm::StringRef data;                ///< the elements' bytes

  /// A view of `values`, whose number is the product of `shape`.
  template <class T> static TensorView of(llvm::ArrayRef<T> values, llvm::ArrayRef<int64_t> shape) {
    return {tensorTypeOf<T>(),
            llvm::SmallVector<int64_t, 2>(shape),
            {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)}};
  }
  /// The product of the shape.
  int64_t elements() const { return llvm::product_of(shape); }
};

/// A file that was read; tensors point into it.
class SafetensorsFile {
public:
  /// Checks the header, that the data has no holes and no overlaps, and that sizes fit shapes.
  /// Errors begin with the file's name.
  static llvm::Expected<SafetensorsFile> read(llvm::StringRef path);
  static llvm::Expected<SafetensorsFile> parse(std::unique_ptr<llvm::MemoryBuffer> buffer);

  /// The elements of the tensor `name`. Errors: there is none, or of another type or rank.
  template <class T> llvm::Expected<std::vector<T>> get(llvm::StringRef name, unsigned rank) const {
    llvm::Expected<const TensorView *> view = find(name, tensorTypeOf<T>(), rank);
    if (!view)
      return view.takeError();
    std::vector<T> values((*view)->elements());
    if (!values.empty())
      std::memcpy(values.data(), (*view)->data.data(), (*view)->data.size());
    return values;
  }
  /// Null if there is none.
  const TensorView *lookup(llvm::StringRef name) const;
  /// Empty if there is none.
  llvm::StringRef metadata(llvm::StringRef name) const;
  llvm::StringRef getName() const { return buffer->getBufferIdentifier(); }

private:
  llvm::Expected<const TensorView *> find(llvm::StringRef name, TensorType type,
                                          unsigned rank) const;
  llvm::Error readHeader();

  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::map<std::string, TensorView> tensors;
  std::map<std::string, std::string> strings;
};

/// Tensors by name, in the order of the file.
using NamedTensors = std::vector<std::pair<std::string, TensorView>>;

/// The texts of a file's metadata by name.
using TensorMetadata = std::map<std::string, std::string>;

/// Writes the file as a whole or not at all. The tensors keep their order.
llvm::Error writeSafetensors(llvm::StringRef path, const NamedTensors &tensors,
                             const TensorMetadata &metadata);

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_SAFETENSORS_H
