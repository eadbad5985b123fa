//===- TensorFileTest.cpp - Tensors in files of NumPy
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/TensorFile.h"
#include "ErrorText.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

namespace {

class NpyTest : public ::testing::Test {
protected:
  NpyTest() {
    llvm::SmallString<128> name;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("ucmoh", "npy", name));
    path = name.str().str();
  }
  ~NpyTest() override { llvm::sys::fs::remove(path); }

  void store(llvm::StringRef contents) {
    std::error_code code;
    llvm::raw_fd_ostream stream(path, code);
    ASSERT_FALSE(code);
    stream << contents;
  }
  std::string load() { return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str(); }

  /// A file with this header; version 2 has a length of four bytes.
  static std::string file(llvm::StringRef header, llvm::StringRef elements, char version = 1) {
    std::string text = "\x93NUMPY";
    text += {version, '\0', static_cast<char>(header.size()), '\0'};
    if (version > 1)
      text += {'\0', '\0'};
    return text + header.str() + elements.str();
  }
  static std::string header(llvm::StringRef descr, llvm::StringRef order, llvm::StringRef shape) {
    return ("{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape +
            ", }\n")
        .str();
  }
  /// The message without the path that it begins with; empty when the file was read.
  std::string whyNot(Type type) {
    auto tensor = readNpy(path, type);
    if (tensor)
      return "";
    std::string message = llvm::toString(tensor.takeError());
    llvm::StringRef rest(message);
    EXPECT_TRUE(rest.consume_front(path + ": ")) << message;
    return rest.str();
  }

  MLIRContext context;
  Builder builder{&context};
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type(), f32 = builder.getF32Type();
  std::string path;
};

TEST_F(NpyTest, RoundTripOfAllTypes) {
  for (Type type : std::initializer_list<Type>{builder.getI1Type(), i8, builder.getIntegerType(16),
                                               i32, builder.getI64Type(), builder.getIndexType()})
    for (const std::vector<int64_t> &shape :
         std::vector<std::vector<int64_t>>{{2, 3}, {6}, {1, 6, 1}}) {
      Tensor tensor(type, shape);
      for (int64_t i = 0; i < 6; ++i)
        tensor.setInteger(i, type.isInteger(1) ? i % 2 : i - 3);
      ASSERT_EQ(errorOf(writeNpy(path, tensor)), "");
      auto again = readNpy(path, type);
      ASSERT_EQ(errorOf(again), "");
      EXPECT_TRUE(compare(*again, tensor, 0).equal);
    }
  for (Type type : std::initializer_list<Type>{builder.getF16Type(), builder.getBF16Type(), f32,
                                               builder.getF64Type()}) {
    Tensor tensor(type, {2, 2});
    for (int64_t i = 0; i < 4; ++i)
      tensor.setFloat(i, i == 3 ? NAN : i - 1.5);
    ASSERT_EQ(errorOf(writeNpy(path, tensor)), "");
    auto again = readNpy(path, type);
    ASSERT_EQ(errorOf(again), "");
    EXPECT_TRUE(compare(*again, tensor, 0).equal);
  }
}

TEST_F(NpyTest, RoundTripWithoutDimsOrElements) {
  for (const std::vector<int64_t> &shape : std::vector<std::vector<int64_t>>{{}, {0, 4}}) {
    ASSERT_EQ(errorOf(writeNpy(path, Tensor(f32, shape))), "");
    EXPECT_EQ(load().find('\n') % 64, 63u) << "elements start at a multiple of 64 bytes";
    auto again = readNpy(path, f32);
    ASSERT_EQ(errorOf(again), "");
    EXPECT_EQ(again->getShape(), llvm::ArrayRef(shape));
  }
}

TEST_F(NpyTest, VersionsAndUnsignedTwins) {
  store(file(header("|i1", "False", "(2,)"), "\x01\x80"));
  EXPECT_EQ(whyNot(i8), "");
  store(file(header("|i1", "False", "(2,)"), "\x01\x80", /*version=*/2));
  EXPECT_EQ(whyNot(i8), "");
  store(file(header("|u1", "False", "(2,)"), "\x01\x80"));
  auto tensor = readNpy(path, i8);
  ASSERT_EQ(errorOf(tensor), "");
  EXPECT_EQ(tensor->getInteger(1), -128);
}

TEST_F(NpyTest, NoSuchFile) {
  llvm::sys::fs::remove(path);
  EXPECT_EQ(whyNot(i8), "No such file or directory");
}

TEST_F(NpyTest, WrongMagic) {
  for (const char *contents : {"", "\x93NUM", "\x93NUMPY", "PK\x03\x04 and so on", "1 2 3\n"}) {
    store(contents);
    EXPECT_EQ(whyNot(i8), "is no .npy file");
  }
}

/// Cut anywhere, a file is refused; no length in it is trusted.
TEST_F(NpyTest, Truncated) {
  for (char version : {1, 2}) {
    std::string whole = file(header("<i4", "False", "(2, 3)"), std::string(24, 'x'), version);
    for (size_t size = 0; size < whole.size(); ++size) {
      store(llvm::StringRef(whole).take_front(size));
      EXPECT_NE(whyNot(i32), "") << size;
    }
    store(whole);
    EXPECT_EQ(whyNot(i32), "");
    store(llvm::StringRef(whole).drop_back());
    EXPECT_EQ(whyNot(i32), "has not as many elements as its shape says");
    store(whole + "x");
    EXPECT_EQ(whyNot(i32), "has not as many elements as its shape says");
    store(llvm::StringRef(whole).take_front(30));
    EXPECT_EQ(whyNot(i32), "is truncated");
  }
}

TEST_F(NpyTest, OtherOrderOrType) {
  store(file(header("<i4", "True", "(2, 1)"), "xxxxxxxx"));
  EXPECT_EQ(whyNot(i32), "holds <i4; give row-major <i4");
  store(file(header(">i4", "False", "(2, 1)"), "xxxxxxxx"));
  EXPECT_EQ(whyNot(i32), "holds >i4; give row-major <i4");
  store(file(header("<f4", "False", "(2, 1)"), "xxxxxxxx"));
  EXPECT_EQ(whyNot(i32), "holds <f4; give row-major <i4");
  store(file(header("<u4", "False", "(2, 1)"), "xxxxxxxx"));
  EXPECT_EQ(whyNot(f32), "holds <u4; give row-major <f4");
}

TEST_F(NpyTest, BrokenHeader) {
  for (const std::string &text :
       {std::string("{}\n"), header("|i1", "False", "(-2,)"), header("|i1", "False", "(two,)"),
        header("|i1", "Maybe", "(2,)"), header("|i1", "False", "2")}) {
    store(file(text, "xx"));
    EXPECT_EQ(whyNot(i8), "has a header that cannot be read") << text;
  }
}

TEST_F(NpyTest, FolderThatDoesNotExist) {
  EXPECT_NE(errorOf(writeNpy(path + ".none/a.npy", Tensor(i8, {2}))), "");
}

TEST_F(NpyTest, ADeviceThatIsFull) {
  EXPECT_EQ(errorOf(writeNpy("/dev/full", Tensor(i8, {2}))), "/dev/full: No space left on device");
}

} // namespace
