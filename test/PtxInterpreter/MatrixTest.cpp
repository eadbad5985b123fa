//===- MatrixTest.cpp - ldmatrix, wmma and copies against plain loops -----===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "FloatFormat.h"

using namespace ucmoh::ptx;

namespace {

class MatrixTest : public PtxTest {
protected:
  /// Stages 32 rows of 16 bytes from p1 in shared memory, %r9 = the address of the lane's row.
  const std::string stage = "mul.wide.u32 %rd20, %r0, 16;\nadd.s64 %rd21, %rd20, %rd1;\n"
                            "ld.global.v4.b32 {%r1,%r2,%r3,%r4}, [%rd21];\nmov.u32 %r8, tile;\n"
                            "shl.b32 %r9, %r0, 4;\nadd.u32 %r9, %r8, %r9;\n"
                            "st.shared.v4.b32 [%r9], {%r1,%r2,%r3,%r4};\nbar.warp.sync -1;\n";
  const std::string tile = ".shared .align 16 .b8 tile[512];";
  std::vector<uint16_t> rows() {
    std::vector<uint16_t> values(32 * 8);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = i;
    return values;
  }
};

TEST_F(MatrixTest, LoadsMatrices) {
  for (unsigned count : {1u, 2u, 4u})
    for (bool transposes : {false, true}) {
      std::string list = count == 1   ? "{%r10}"
                         : count == 2 ? "{%r10,%r11}"
                                      : "{%r10,%r11,%r12,%r13}";
      std::string body = stage + "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                         (transposes ? ".trans" : "") + ".shared.b16 " + list + ", [%r9];\n" +
                         "add.s64 %rd22, %rd20, %rd2;\n";
      for (unsigned i = 0; i < count; ++i)
        body +=
            "st.global.b32 [%rd22+" + std::to_string(4 * i) + "], %r1" + std::to_string(i) + ";\n";
      uint32_t *out = zeros<uint32_t>(32 * 4);
      ASSERT_EQ(run(kernel(2, body, tile), {upload(rows()), out}), CUDA_SUCCESS) << message;
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < count; ++i)
          for (unsigned j = 0; j < 2; ++j) {
            unsigned row = lane / 4, column = lane % 4 * 2 + j;
            if (transposes)
              std::swap(row, column);
            EXPECT_EQ(out[4 * lane + i] >> (16 * j) & 0xffff, (8 * i + row) * 8 + column);
          }
    }
}

TEST_F(MatrixTest, StoresMatrices) {
  // What ldmatrix.trans took apart, stmatrix.trans puts together: element by element the same.
  std::string body = stage + "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                             "{%r10,%r11,%r12,%r13}, [%r9];\nbar.warp.sync -1;\n"
                             "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r9], "
                             "{%r10,%r11,%r12,%r13};\nbar.warp.sync -1;\n"
                             "ld.shared.v4.b32 {%r1,%r2,%r3,%r4}, [%r9];\n"
                             "add.s64 %rd22, %rd20, %rd2;\n"
                             "st.global.v4.b32 [%rd22], {%r1,%r2,%r3,%r4};\n";
  uint16_t *out = zeros<uint16_t>(32 * 8);
  ASSERT_EQ(run(kernel(2, body, tile), {upload(rows()), out}), CUDA_SUCCESS) << message;
  for (unsigned row = 0; row < 32; ++row)
    for (unsigned column = 0; column < 8; ++column)
      EXPECT_EQ(out[row * 8 + column], (row / 8 * 8 + column) * 8 + row % 8);
}

/// A tile of wmma: shape, types, and as what each matrix is stored.
struct Tile {
  unsigned m, n, k;
  Type multiplicand, accumulator;
  bool columnsA, columnsB, columnsC;
};

std::string name(Type type) {
  switch (type) {
  case Type::F16:
    return "f16";
  case Type::BF16:
    return "bf16";
  case Type::F32:
    return "f32";
  case Type::S8:
    return "s8";
  case Type::U8:
    return "u8";
  default:
    return "s32";
  }
}

double decode(Type type, const uint8_t *bytes) {
  int32_t word = 0;
  std::memcpy(&word, bytes, bytesOf(type));
  return type == Type::S8    ? int8_t(word)
         : type == Type::U8  ? uint8_t(word)
         : type == Type::S32 ? word
                             : decodeFloat(type, word);
}

class WmmaTest : public PtxTest, public ::testing::WithParamInterface<Tile> {
protected:
  /// A matrix with a stride that is larger than it.
  struct Stored {
    unsigned rows, columns, stride;
    bool isColumnMajor;
    Type type;
    std::vector<uint8_t> bytes;

    Stored(unsigned rows, unsigned columns, bool isColumnMajor, Type type)
        : rows(rows), columns(columns), stride(((isColumnMajor ? rows : columns) + 31) / 16 * 16),
          isColumnMajor(isColumnMajor), type(type),
          bytes(stride * (isColumnMajor ? columns : rows) * bytesOf(type)) {}
    uint8_t *at(unsigned row, unsigned column) {
      unsigned place = isColumnMajor ? column * stride + row : row * stride + column;
      return &bytes[place * bytesOf(type)];
    }
    void set(unsigned row, unsigned column, int value) {
      uint32_t word = isFloat(type) ? encodeFloat(type, value) : uint32_t(value);
      std::memcpy(at(row, column), &word, bytesOf(type));
    }
  };

  Stored randomMatrix(unsigned rows, unsigned columns, bool isColumnMajor, Type type) {
    Stored result(rows, columns, isColumnMajor, type);
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < columns; ++j)
        result.set(i, j, int(random() % 9) - (type == Type::U8 ? 0 : 4));
    return result;
  }
  static std::string list(const char *prefix, unsigned first, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
      text += (i ? "," : "") + std::string(prefix) + std::to_string(first + i);
    return text + "}";
  }
  static std::string text(const Tile &t, unsigned strideA, unsigned strideB, unsigned strideC) {
    auto layout = [](bool isColumns) { return std::string(isColumns ? ".col" : ".row"); };
    std::string shape = ".m" + std::to_string(t.m) + "n" + std::to_string(t.n) + "k16";
    bool isHalf = t.multiplicand == Type::F16;
    unsigned perGroup = t.multiplicand == Type::BF16 ? 2 : 1;
    unsigned a = isHalf ? 8 : t.m / 8 * perGroup, b = isHalf ? 8 : t.n / 8 * perGroup;
    unsigned c = t.accumulator == Type::F16 ? 4 : 8;
    const char *kind = t.accumulator == Type::F32 ? "%f" : "%r";
    std::string in = "." + name(t.multiplicand), sum = "." + name(t.accumulator);
    std::string types = isHalf ? sum + sum : sum + in + in + sum;
    auto stride = [](unsigned value) { return ", " + std::to_string(value) + ";\n"; };
    return kernel(
        4, "wmma.load.a.sync.aligned" + layout(t.columnsA) + shape + ".global" + in + " " +
               list("%r", 10, a) + ", [%rd1]" + stride(strideA) + "wmma.load.b.sync.aligned" +
               layout(t.columnsB) + shape + ".global" + in + " " + list("%r", 20, b) + ", [%rd2]" +
               stride(strideB) + "wmma.load.c.sync.aligned" + layout(t.columnsC) + shape +
               ".global" + sum + " " + list(kind, 30, c) + ", [%rd3]" + stride(strideC) +
               "wmma.mma.sync.aligned" + layout(t.columnsA) + layout(t.columnsB) + shape + types +
               " " + list(kind, 40, c) + ", " + list("%r", 10, a) + ", " + list("%r", 20, b) +
               ", " + list(kind, 30, c) + ";\nwmma.store.d.sync.aligned" + layout(t.columnsC) +
               shape + ".global" + sum + " [%rd4], " + list(kind, 40, c) + stride(strideC));
  }
};

TEST_P(WmmaTest, EqualsPlainLoops) {
  const Tile &t = GetParam();
  Stored a = randomMatrix(t.m, t.k, t.columnsA, t.multiplicand);
  Stored b = randomMatrix(t.k, t.n, t.columnsB, t.multiplicand);
  Stored c = randomMatrix(t.m, t.n, t.columnsC, t.accumulator), d(t.m, t.n, t.columnsC, c.type);
  uint8_t *out = zeros<uint8_t>(d.bytes.size());
  std::string program = text(t, a.stride, b.stride, c.stride);
  ASSERT_EQ(run(program, {upload(a.bytes), upload(b.bytes), upload(c.bytes), out}), CUDA_SUCCESS)
      << message << program;
  std::memcpy(d.bytes.data(), out, d.bytes.size());
  for (unsigned i = 0; i < t.m; ++i)
    for (unsigned j = 0; j < t.n; ++j) {
      double sum = decode(c.type, c.at(i, j));
      for (unsigned k = 0; k < t.k; ++k)
        sum += decode(a.type, a.at(i, k)) * decode(b.type, b.at(k, j));
      EXPECT_EQ(decode(d.type, d.at(i, j)), sum) << i << ", " << j;
    }
}

std::vector<Tile> tiles() {
  std::vector<Tile> result;
  const std::pair<Type, Type> types[] = {{Type::F16, Type::F32},
                                         {Type::F16, Type::F16},
                                         {Type::BF16, Type::F32},
                                         {Type::S8, Type::S32},
                                         {Type::U8, Type::S32}};
  for (auto [m, n] : {std::pair{16u, 16u}, {32u, 8u}, {8u, 32u}})
    for (auto [multiplicand, accumulator] : types)
      for (unsigned layout = 0; layout < 8; ++layout)
        result.push_back({m, n, 16, multiplicand, accumulator, bool(layout & 1), bool(layout & 2),
                          bool(layout & 4)});
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, WmmaTest, ::testing::ValuesIn(tiles()), [](const auto &info) {
  const Tile &t = info.param;
  return "m" + std::to_string(t.m) + "n" + std::to_string(t.n) + name(t.multiplicand) +
         name(t.accumulator) + (t.columnsA ? "Col" : "Row") + (t.columnsB ? "Col" : "Row") +
         (t.columnsC ? "Col" : "Row");
});

TEST_F(MatrixTest, CopiesFillWithZeros) {
  for (unsigned size : {4u, 8u, 16u}) {
    std::string bytes = std::to_string(size), step = "mul.lo.u32 %r2, %r0, " + bytes + ";\n";
    // Lane l copies l mod (size + 1) bytes.
    std::string body = step + "rem.u32 %r3, %r0, " + std::to_string(size + 1) +
                       ";\ncvt.u64.u32 %rd5, %r2;\nadd.s64 %rd3, %rd1, %rd5;\n"
                       "add.s64 %rd4, %rd2, %rd5;\nmov.u32 %r4, tile;\nadd.u32 %r4, %r4, %r2;\n"
                       "cp.async.ca.shared.global [%r4], [%rd3], " +
                       bytes + ", %r3;\ncp.async.wait_all;\n";
    for (unsigned i = 0; i < size; i += 4)
      body += "ld.shared.b32 %r5, [%r4+" + std::to_string(i) + "];\nst.global.b32 [%rd4+" +
              std::to_string(i) + "], %r5;\n";
    std::vector<uint8_t> in(32 * size);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = 1 + i % 255;
    uint8_t *out = zeros<uint8_t>(in.size());
    ASSERT_EQ(run(kernel(2, body, tile), {upload(in), out}), CUDA_SUCCESS) << message;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < size; ++i)
        EXPECT_EQ(out[lane * size + i], i < lane % (size + 1) ? in[lane * size + i] : 0);
  }
}

} // namespace
