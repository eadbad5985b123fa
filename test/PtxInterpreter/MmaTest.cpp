//===- MmaTest.cpp - Each mma.sync against plain loops --------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "FloatFormat.h"

using namespace ucmoh::ptx;

namespace {

using Place = std::pair<unsigned, unsigned>;

/// A variant and where the PTX ISA puts element i of a lane's fragment: g is the lane's group
/// (lane / 4), t its place there (lane % 4).
struct Variant {
  const char *name, *opcode;
  unsigned m, n, k;
  Type a, b, c;
  Place (*placeOfA)(unsigned g, unsigned t, unsigned i);
  Place (*placeOfB)(unsigned g, unsigned t, unsigned i);
  Place (*placeOfC)(unsigned g, unsigned t, unsigned i);
};

Place accumulator(unsigned g, unsigned t, unsigned i) {
  return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
}
Place a16x16(unsigned g, unsigned t, unsigned i) {
  return {i < 2 || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i < 4 ? 0 : 8)};
}
Place b16x8(unsigned g, unsigned t, unsigned i) { return {t * 2 + (i & 1) + (i < 2 ? 0 : 8), g}; }
Place a16x8(unsigned g, unsigned t, unsigned i) { return {i < 2 ? g : g + 8, t * 2 + (i & 1)}; }
Place b8x8(unsigned g, unsigned t, unsigned i) { return {t * 2 + i, g}; }
Place aTf32(unsigned g, unsigned t, unsigned i) {
  return {i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
}
Place bTf32(unsigned g, unsigned t, unsigned i) { return {i == 0 ? t : t + 4, g}; }
Place aBytes16(unsigned g, unsigned t, unsigned i) { return {i < 4 ? g : g + 8, t * 4 + (i & 3)}; }
Place bBytes16(unsigned g, unsigned t, unsigned i) { return {t * 4 + (i & 3), g}; }
Place aBytes32(unsigned g, unsigned t, unsigned i) {
  return {i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i < 8 ? 0 : 16)};
}
Place bBytes32(unsigned g, unsigned t, unsigned i) {
  return {t * 4 + (i & 3) + (i < 4 ? 0 : 16), g};
}
Place aBytes8(unsigned g, unsigned t, unsigned i) { return {g, t * 4 + i}; }
Place aF64(unsigned g, unsigned t, unsigned) { return {g, t}; }
Place bF64(unsigned g, unsigned t, unsigned) { return {t, g}; }

const Variant variants[] = {
    {"F16", "m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, Type::F16, Type::F16, Type::F32, a16x16,
     b16x8, accumulator},
    {"F16ToF16", "m16n8k16.row.col.f16.f16.f16.f16", 16, 8, 16, Type::F16, Type::F16, Type::F16,
     a16x16, b16x8, accumulator},
    {"BF16", "m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, Type::BF16, Type::BF16, Type::F32,
     a16x16, b16x8, accumulator},
    {"F16K8", "m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, Type::F16, Type::F16, Type::F32, a16x8,
     b8x8, accumulator},
    {"F16K8ToF16", "m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 8, Type::F16, Type::F16, Type::F16,
     a16x8, b8x8, accumulator},
    {"BF16K8", "m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 8, Type::BF16, Type::BF16, Type::F32,
     a16x8, b8x8, accumulator},
    {"TF32K8", "m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, Type::TF32, Type::TF32, Type::F32,
     aTf32, bTf32, accumulator},
    {"TF32K4", "m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, Type::TF32, Type::TF32, Type::F32,
     aTf32, bTf32, accumulator},
    {"S8S8", "m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, Type::S8, Type::S8, Type::S32, aBytes32,
     bBytes32, accumulator},
    {"S8U8", "m16n8k32.row.col.s32.s8.u8.s32", 16, 8, 32, Type::S8, Type::U8, Type::S32, aBytes32,
     bBytes32, accumulator},
    {"U8S8", "m16n8k32.row.col.s32.u8.s8.s32", 16, 8, 32, Type::U8, Type::S8, Type::S32, aBytes32,
     bBytes32, accumulator},
    {"U8U8", "m16n8k32.row.col.satfinite.s32.u8.u8.s32", 16, 8, 32, Type::U8, Type::U8, Type::S32,
     aBytes32, bBytes32, accumulator},
    {"S8S8K16", "m16n8k16.row.col.s32.s8.s8.s32", 16, 8, 16, Type::S8, Type::S8, Type::S32,
     aBytes16, bBytes16, accumulator},
    {"U8S8K16", "m16n8k16.row.col.satfinite.s32.u8.s8.s32", 16, 8, 16, Type::U8, Type::S8,
     Type::S32, aBytes16, bBytes16, accumulator},
    {"S8S8M8", "m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, Type::S8, Type::S8, Type::S32, aBytes8,
     bBytes16, accumulator},
    {"E4M3", "m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, Type::E4M3, Type::E4M3, Type::F32,
     aBytes32, bBytes32, accumulator},
    {"E4M3E5M2", "m16n8k32.row.col.f32.e4m3.e5m2.f32", 16, 8, 32, Type::E4M3, Type::E5M2, Type::F32,
     aBytes32, bBytes32, accumulator},
    {"E5M2ToF32", "m16n8k32.row.col.f32.e5m2.e5m2.f32", 16, 8, 32, Type::E5M2, Type::E5M2,
     Type::F32, aBytes32, bBytes32, accumulator},
    {"F64", "m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, Type::F64, Type::F64, Type::F64, aF64, bF64,
     accumulator},
};

uint64_t encode(Type type, double value) {
  if (type == Type::F64) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  if (isFloat(type))
    return encodeFloat(type, value);
  return uint64_t(int64_t(value)) & (~uint64_t(0) >> (64 - bitsOf(type)));
}

/// A fragment as the bytes of each lane's registers.
struct Fragment {
  unsigned bytesOfLane;
  std::vector<uint8_t> bytes;
};

/// The element (row, column) of a matrix stored with `columns`.
using Values = std::vector<double>;

Fragment distribute(const Values &values, unsigned columns, Type type,
                    Place (*placeOf)(unsigned, unsigned, unsigned)) {
  unsigned elements = values.size() / 32, size = bytesOf(type);
  Fragment fragment{elements * size, std::vector<uint8_t>(values.size() * size)};
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < elements; ++i) {
      auto [row, column] = placeOf(lane / 4, lane % 4, i);
      uint64_t bits = encode(type, values[row * columns + column]);
      std::memcpy(&fragment.bytes[lane * fragment.bytesOfLane + i * size], &bits, size);
    }
  return fragment;
}

class MmaTest : public PtxTest, public ::testing::WithParamInterface<Variant> {
protected:
  /// Small multiples of 1/4 or integers: every sum is exact, whatever its order.
  Values randomValues(unsigned count, Type type) {
    Values values(count);
    bool isFloatType = isFloat(type);
    int low = isSigned(type) ? -128 : 0, high = isSigned(type) ? 127 : 255;
    std::uniform_int_distribution<int> integers(isFloatType ? -6 : low, isFloatType ? 6 : high);
    for (double &value : values)
      value = isFloatType ? integers(random) / 4.0 : integers(random);
    return values;
  }

  /// "{%r1, %r2}" and the loads that fill them; 64-bit registers for f64.
  static std::string registers(unsigned first, unsigned count, Type type) {
    std::string list = "{";
    for (unsigned i = 0; i < count; ++i)
      list += (i ? ", " : "") + prefix(type) + std::to_string(first + i);
    return list + "}";
  }
  static std::string prefix(Type type) {
    return type == Type::F64 ? "%fd" : type == Type::F32 ? "%f" : "%r";
  }
  static std::string suffix(Type type) {
    return type == Type::F64 ? "f64" : type == Type::F32 ? "f32" : "b32";
  }
  static std::string transfer(bool isLoad, unsigned pointer, unsigned first, unsigned count,
                              Type type) {
    unsigned size = type == Type::F64 ? 8 : 4;
    std::string base = "%rd" + std::to_string(10 + pointer);
    std::string text = "mul.wide.u32 " + base + ", %r0, " + std::to_string(count * size) +
                       ";\nadd.s64 " + base + ", " + base + ", %rd" + std::to_string(pointer) +
                       ";\n";
    for (unsigned i = 0; i < count; ++i) {
      std::string reg = prefix(type) + std::to_string(first + i);
      std::string memory = "[" + base + "+" + std::to_string(i * size) + "]";
      text += (isLoad ? "ld.global." : "st.global.") + suffix(type) + " " +
              (isLoad ? reg + ", " + memory : memory + ", " + reg) + ";\n";
    }
    return text;
  }
  static std::string text(const Variant &v, unsigned a, unsigned b, unsigned c) {
    Type narrow = v.a == Type::F64 ? Type::F64 : Type::U32;
    return kernel(4, transfer(true, 1, 10, a, narrow) + transfer(true, 2, 20, b, narrow) +
                         transfer(true, 3, 30, c, v.c) + "mma.sync.aligned." + v.opcode + " " +
                         registers(40, c, v.c) + ", " + registers(10, a, narrow) + ", " +
                         registers(20, b, narrow) + ", " + registers(30, c, v.c) + ";\n" +
                         transfer(false, 4, 40, c, v.c));
  }
};

TEST_P(MmaTest, EqualsPlainLoops) {
  const Variant &v = GetParam();
  Values a = randomValues(v.m * v.k, v.a), b = randomValues(v.k * v.n, v.b);
  Values c = randomValues(v.m * v.n, v.c == Type::S32 ? Type::S8 : v.c), d = c;
  for (unsigned i = 0; i < v.m; ++i)
    for (unsigned j = 0; j < v.n; ++j)
      for (unsigned k = 0; k < v.k; ++k)
        d[i * v.n + j] += a[i * v.k + k] * b[k * v.n + j];
  Fragment fragmentA = distribute(a, v.k, v.a, v.placeOfA);
  Fragment fragmentB = distribute(b, v.n, v.b, v.placeOfB);
  Fragment fragmentC = distribute(c, v.n, v.c, v.placeOfC);
  Fragment expected = distribute(d, v.n, v.c, v.placeOfC);
  unsigned size = v.a == Type::F64 ? 8 : 4;
  uint8_t *result = zeros<uint8_t>(expected.bytes.size());
  std::string program = text(v, fragmentA.bytesOfLane / size, fragmentB.bytesOfLane / size,
                             fragmentC.bytesOfLane / size);
  ASSERT_EQ(run(program, {upload(fragmentA.bytes), upload(fragmentB.bytes), upload(fragmentC.bytes),
                          result}),
            CUDA_SUCCESS)
      << message << program;
  EXPECT_EQ(std::vector<uint8_t>(result, result + expected.bytes.size()), expected.bytes);
}

INSTANTIATE_TEST_SUITE_P(All, MmaTest, ::testing::ValuesIn(variants),
                         [](const auto &info) { return std::string(info.param.name); });

/// Everything 127 or the largest sum: without .satfinite it wraps, with it it stays.
TEST_F(MmaTest, SaturatesOnlyWhenAsked) {
  for (bool saturates : {false, true}) {
    std::string opcode =
        std::string("m16n8k32.row.col.") + (saturates ? "satfinite." : "") + "s32.s8.s8.s32";
    Variant v = {"",       opcode.c_str(), 16,      8,       32,     Type::S8,
                 Type::S8, Type::S32,      nullptr, nullptr, nullptr};
    std::vector<uint32_t> ones(4 * 32, 0x01010101), large(4 * 32, 0x7ffffff0);
    int32_t *d = zeros<int32_t>(4 * 32);
    ASSERT_EQ(run(text(v, 4, 2, 4), {upload(ones), upload(ones), upload(large), d}), CUDA_SUCCESS)
        << message;
    EXPECT_EQ(d[5], saturates ? INT32_MAX : int32_t(0x80000010));
  }
}

/// The documented order: c first, then k upwards, each sum rounded to f32.
TEST_F(MmaTest, SumsInF32FromTheAccumulatorOn) {
  const Variant &v = variants[0];
  Values a(16 * 16, 0), b(16 * 8, 1), c(16 * 8, 16777216);
  a[0] = a[1] = 1; // 2^24 + 1 + 1 stays 2^24 in f32 when added one by one.
  Fragment fragmentA = distribute(a, 16, v.a, v.placeOfA);
  Fragment fragmentB = distribute(b, 8, v.b, v.placeOfB);
  Fragment fragmentC = distribute(c, 8, v.c, v.placeOfC);
  float *d = zeros<float>(4 * 32);
  ASSERT_EQ(run(text(v, 4, 2, 4),
                {upload(fragmentA.bytes), upload(fragmentB.bytes), upload(fragmentC.bytes), d}),
            CUDA_SUCCESS);
  EXPECT_EQ(d[0], 16777216.0f);
}

TEST_F(MmaTest, NeedsAllLanes) {
  std::string body = "setp.lt.u32 %p1, %r0, 31;\nmov.b32 %r1, 0;\nmov.f32 %f1, 0f00000000;\n"
                     "@%p1 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%f2,%f3,%f4,%f5}, {%r1,%r1,%r1,%r1}, {%r1,%r1}, {%f1,%f1,%f1,%f1};";
  expectError(run(kernel(0, body), {}), CUDA_ERROR_LAUNCH_FAILED, "all 32 lanes");
}

TEST_F(MmaTest, RefusesShapesThatDoNotExist) {
  std::string body = "mov.b32 %r1, 0;\nmov.f32 %f1, 0f00000000;\n"
                     "mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
                     "{%f2,%f3,%f4,%f5}, {%r1,%r1,%r1,%r1}, {%r1,%r1}, {%f1,%f1,%f1,%f1};";
  EXPECT_EQ(run(kernel(0, body), {}), CUDA_ERROR_INVALID_PTX);
}

} // namespace
