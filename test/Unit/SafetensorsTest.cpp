//===- SafetensorsTest.cpp - Files of named tensors, whole and broken
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/Safetensors.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace ucmoh;

namespace {

class SafetensorsTest : public ::testing::Test {
protected:
  SafetensorsTest() {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tensors", "safetensors", path));
    std::vector<float> a = {1, 2, 3, 4, 5, 6};
    std::vector<int64_t> b = {7, -8};
    llvm::Error error = writeSafetensors(
        path, {{"a", TensorView::of<float>(a, {2, 3})}, {"b", TensorView::of<int64_t>(b, {2})}},
        {{"key", "a \"quoted\" value"}});
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    bytes = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  }
  ~SafetensorsTest() override { llvm::sys::fs::remove(path); }

  /// The error of parsing `text`; empty if there is none.
  static std::string errorOf(llvm::StringRef text) {
    auto file = SafetensorsFile::parse(llvm::MemoryBuffer::getMemBufferCopy(text, "x"));
    return file ? "" : llvm::toString(file.takeError());
  }
  static std::string withHeader(llvm::StringRef header, llvm::StringRef data = "") {
    uint64_t length = header.size();
    std::string text(reinterpret_cast<const char *>(&length), sizeof(length));
    return text + header.str() + data.str();
  }

  llvm::SmallString<64> path;
  std::string bytes;
};

TEST_F(SafetensorsTest, RoundTrip) {
  auto file = SafetensorsFile::read(path);
  ASSERT_TRUE(bool(file));
  auto a = file->get<float>("a", 2);
  ASSERT_TRUE(bool(a));
  EXPECT_EQ(*a, std::vector<float>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(*file->get<int64_t>("b", 1), std::vector<int64_t>({7, -8}));
  EXPECT_EQ(file->metadata("key"), "a \"quoted\" value");
  EXPECT_EQ(file->metadata("other"), "");
}

TEST_F(SafetensorsTest, WrongTypeRankOrName) {
  auto file = SafetensorsFile::read(path);
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(llvm::toString(file->get<double>("a", 2).takeError()),
            (path + ": tensor 'a' is of type F32 and rank 2, not F64 and 2").str());
  EXPECT_TRUE(llvm::StringRef(llvm::toString(file->get<float>("a", 1).takeError()))
                  .contains("rank 2, not F32 and 1"));
  EXPECT_TRUE(llvm::StringRef(llvm::toString(file->get<float>("c", 1).takeError()))
                  .contains("there is no tensor 'c'"));
}

TEST_F(SafetensorsTest, EveryTruncationIsRefused) {
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(errorOf(llvm::StringRef(bytes).take_front(size)), "") << size;
  EXPECT_NE(errorOf(bytes + "x"), "");
}

/// Whatever a byte is replaced by, reading ends with a file or an error.
TEST_F(SafetensorsTest, FlippedBytesDoNotCrash) {
  for (size_t at = 0; at < bytes.size(); ++at)
    for (char flip : {'\x01', '\x10', '\x7f', '\xff'}) {
      std::string changed = bytes;
      changed[at] ^= flip;
      auto file = SafetensorsFile::parse(llvm::MemoryBuffer::getMemBufferCopy(changed, "x"));
      if (!file)
        llvm::consumeError(file.takeError());
      else if (const TensorView *tensor = file->lookup("a"))
        EXPECT_LE(tensor->data.size(), bytes.size());
    }
}

TEST_F(SafetensorsTest, BadHeaders) {
  EXPECT_EQ(errorOf(""), "x: this is no safetensors file: it has 0 bytes");
  EXPECT_EQ(errorOf(withHeader("[]")), "x: bad header: no JSON object");
  EXPECT_EQ(errorOf(withHeader(R"({"a": {"dtype": "F32", "shape": [1]}})", "1234")),
            "x: tensor 'a' lacks dtype, shape or data_offsets");
  EXPECT_EQ(errorOf(withHeader(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}})",
                               "1234")),
            "x: the data of tensor 'a' does not have the size of its shape");
  EXPECT_EQ(errorOf(withHeader(R"({"a": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}})",
                               "1234")),
            "x: tensor 'a' is of type BF16; F32, F64, I32 and I64 are read");
  EXPECT_EQ(errorOf(withHeader(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})",
                               "12345678")),
            "x: its tensors overlap or leave holes");
  EXPECT_EQ(
      errorOf(withHeader(
          R"({"a": {"dtype": "F32", "shape": [9223372036854775807, 4], "data_offsets": [0, 4]}})",
          "1234")),
      "x: the data of tensor 'a' does not have the size of its shape");
}

} // namespace
