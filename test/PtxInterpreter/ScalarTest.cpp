//===- ScalarTest.cpp - Scalar instructions against C++ -------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "FloatFormat.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <functional>

using namespace ucmoh::ptx;

namespace {

using Bits = uint64_t;
using Reference = std::function<Bits(Bits, Bits, Bits)>;

float f32(Bits bits) { return llvm::bit_cast<float>(uint32_t(bits)); }
double f64(Bits bits) { return llvm::bit_cast<double>(bits); }
Bits bits(float value) { return llvm::bit_cast<uint32_t>(value); }
Bits bits(double value) { return llvm::bit_cast<uint64_t>(value); }
float half(Bits bits) { return halfToFloat(uint16_t(bits)); }

/// An instruction `opcode d, a, b, c` with registers of these kinds, and what it means.
struct Case {
  std::string opcode;
  /// Register kinds of d, a, b, c: h, r, d (integers of 16, 32, 64 bits), f, e (f32, f64).
  std::string kinds;
  Reference reference;
};

class ScalarTest : public PtxTest {
protected:
  static std::string reg(char kind, unsigned number) {
    std::string prefix = kind == 'h'   ? "%rs"
                         : kind == 'r' ? "%r"
                         : kind == 'd' ? "%rd"
                         : kind == 'f' ? "%f"
                                       : "%fd";
    return prefix + std::to_string(number);
  }
  static std::string suffix(char kind) {
    return kind == 'h'   ? "b16"
           : kind == 'r' ? "b32"
           : kind == 'd' ? "b64"
           : kind == 'f' ? "f32"
                         : "f64";
  }
  static unsigned width(char kind) {
    return kind == 'h' ? 16 : kind == 'r' || kind == 'f' ? 32 : 64;
  }

  /// Each lane loads its operands, computes and stores the result.
  static std::string text(const Case &test) {
    std::string body = "mul.wide.u32 %rd20, %r0, 32;\nadd.s64 %rd20, %rd20, %rd1;\n"
                       "mul.wide.u32 %rd21, %r0, 8;\nadd.s64 %rd21, %rd21, %rd2;\n";
    std::string instruction = test.opcode + " " + reg(test.kinds[0], 30);
    for (unsigned i = 1; i < test.kinds.size(); ++i) {
      body += "ld.global." + suffix(test.kinds[i]) + " " + reg(test.kinds[i], 30 + i) +
              ", [%rd20+" + std::to_string(8 * (i - 1)) + "];\n";
      instruction += ", " + reg(test.kinds[i], 30 + i);
    }
    return kernel(2, body + instruction + ";\nst.global." + suffix(test.kinds[0]) + " [%rd21], " +
                         reg(test.kinds[0], 30) + ";");
  }

  /// Numbers of which many are special.
  Bits randomOperand(char kind) {
    static constexpr int64_t special[] = {0, 1, -1, 2, 31, 33, 127, -128, INT32_MAX, INT32_MIN};
    Bits raw = (Bits(random()) << 32) | random();
    if (kind == 'f' || kind == 'e') {
      double value = int(random() % 2001 - 1000) / 16.0;
      return kind == 'f' ? bits(float(value)) : bits(value);
    }
    return random() % 3 ? raw : Bits(special[random() % 10]);
  }

  void check(const Case &test) {
    std::vector<Bits> operands(32 * 4);
    for (unsigned i = 0; i < operands.size(); ++i)
      operands[i] = randomOperand(i % 4 + 1 < test.kinds.size() ? test.kinds[i % 4 + 1] : 'd');
    Bits *results = zeros<Bits>(32);
    ASSERT_EQ(run(text(test), {upload(operands), results}), CUDA_SUCCESS) << test.opcode << message;
    Bits mask = ~Bits(0) >> (64 - width(test.kinds[0]));
    for (unsigned lane = 0; lane < 32; ++lane) {
      const Bits *o = &operands[4 * lane];
      EXPECT_EQ(results[lane], test.reference(o[0], o[1], o[2]) & mask)
          << test.opcode << " of " << std::hex << o[0] << ", " << o[1] << ", " << o[2];
    }
  }
  void checkAll(const std::vector<Case> &cases) {
    for (const Case &test : cases)
      for (unsigned i = 0; i < 4; ++i)
        check(test);
  }
};

#define REFERENCE(expression)                                                                      \
  [](Bits a, Bits b, Bits c) -> Bits {                                                             \
    (void)a, (void)b, (void)c;                                                                     \
    return expression;                                                                             \
  }

TEST_F(ScalarTest, Integers) {
  checkAll({
      {"add.s32", "rrr", REFERENCE(a + b)},
      {"sub.u64", "ddd", REFERENCE(a - b)},
      {"add.s16", "hhh", REFERENCE(a + b)},
      {"add.sat.s32", "rrr",
       REFERENCE(
           Bits(std::clamp<int64_t>(int64_t(int32_t(a)) + int32_t(b), INT32_MIN, INT32_MAX)))},
      {"mul.lo.s32", "rrr", REFERENCE(a * b)},
      {"mul.lo.s64", "ddd", REFERENCE(a * b)},
      {"mul.lo.s16", "hhh", REFERENCE(a * b)},
      {"mul.hi.s32", "rrr", REFERENCE(Bits(int64_t(int32_t(a)) * int32_t(b) >> 32))},
      {"mul.hi.u32", "rrr", REFERENCE(Bits(uint32_t(a)) * uint32_t(b) >> 32)},
      {"mul.hi.u64", "ddd", REFERENCE(Bits(static_cast<unsigned __int128>(a) * b >> 64))},
      {"mul.wide.s32", "drr", REFERENCE(Bits(int64_t(int32_t(a)) * int32_t(b)))},
      {"mul.wide.u16", "rhh", REFERENCE(Bits(uint16_t(a)) * uint16_t(b))},
      {"mad.lo.s32", "rrrr", REFERENCE(a * b + c)},
      {"mad.wide.u32", "drrd", REFERENCE(Bits(uint32_t(a)) * uint32_t(b) + c)},
      {"mad.wide.s32", "drrd", REFERENCE(Bits(int64_t(int32_t(a)) * int32_t(b)) + c)},
      {"div.u32", "rrr", REFERENCE(uint32_t(b) ? uint32_t(a) / uint32_t(b) : 0xffffffff)},
      {"rem.u32", "rrr", REFERENCE(uint32_t(b) ? uint32_t(a) % uint32_t(b) : uint32_t(a))},
      {"div.s32", "rrr",
       REFERENCE(int32_t(b) ? Bits(int64_t(int32_t(a)) / int32_t(b)) : 0xffffffff)},
      {"rem.s32", "rrr", REFERENCE(int32_t(b) ? Bits(int64_t(int32_t(a)) % int32_t(b)) : a)},
      {"div.u64", "ddd", REFERENCE(b ? a / b : ~Bits(0))},
      {"min.s32", "rrr", REFERENCE(std::min<int32_t>(a, b))},
      {"max.u16", "hhh", REFERENCE(std::max<uint16_t>(a, b))},
      {"abs.s32", "rr", REFERENCE(Bits(std::abs(int64_t(int32_t(a)))))},
      {"neg.s64", "dd", REFERENCE(-a)},
      {"sad.u32", "rrrr",
       REFERENCE(c + (uint32_t(a) > uint32_t(b) ? uint32_t(a) - uint32_t(b)
                                                : uint32_t(b) - uint32_t(a)))},
  });
}

TEST_F(ScalarTest, Bits) {
  checkAll({
      {"and.b32", "rrr", REFERENCE(a & b)},
      {"or.b64", "ddd", REFERENCE(a | b)},
      {"xor.b16", "hhh", REFERENCE(a ^ b)},
      {"not.b32", "rr", REFERENCE(~a)},
      {"shl.b32", "rrr", REFERENCE(uint32_t(b) > 31 ? 0 : uint32_t(a) << uint32_t(b))},
      {"shl.b64", "ddr", REFERENCE(uint32_t(b) > 63 ? 0 : a << uint32_t(b))},
      {"shr.u32", "rrr", REFERENCE(uint32_t(b) > 31 ? 0 : uint32_t(a) >> uint32_t(b))},
      {"shr.s32", "rrr", REFERENCE(Bits(int32_t(a) >> std::min<uint32_t>(b, 31)))},
      {"shr.s16", "hhr", REFERENCE(Bits(int16_t(a) >> std::min<uint32_t>(b, 15)))},
      {"shr.u64", "ddr", REFERENCE(uint32_t(b) > 63 ? 0 : a >> uint32_t(b))},
      {"popc.b32", "rr", REFERENCE(llvm::popcount(uint32_t(a)))},
      {"popc.b64", "rd", REFERENCE(llvm::popcount(a))},
      {"clz.b32", "rr", REFERENCE(llvm::countl_zero(uint32_t(a)))},
      {"bfind.u32", "rr", REFERENCE(uint32_t(31 - llvm::countl_zero(uint32_t(a))))},
      {"shf.l.wrap.b32", "rrrr", REFERENCE(((b << 32 | uint32_t(a)) << (uint32_t(c) & 31)) >> 32)},
      {"shf.r.wrap.b32", "rrrr", REFERENCE((b << 32 | uint32_t(a)) >> (uint32_t(c) & 31))},
  });
}

TEST_F(ScalarTest, Floats) {
  checkAll({
      {"add.f32", "fff", REFERENCE(bits(f32(a) + f32(b)))},
      {"sub.rn.f32", "fff", REFERENCE(bits(f32(a) - f32(b)))},
      {"mul.rn.f64", "eee", REFERENCE(bits(f64(a) * f64(b)))},
      {"fma.rn.f32", "ffff", REFERENCE(bits(std::fma(f32(a), f32(b), f32(c))))},
      {"fma.rn.f64", "eeee", REFERENCE(bits(std::fma(f64(a), f64(b), f64(c))))},
      {"min.f32", "fff", REFERENCE(bits(std::fmin(f32(a), f32(b))))},
      {"max.f64", "eee", REFERENCE(bits(std::fmax(f64(a), f64(b))))},
      {"abs.f32", "ff", REFERENCE(bits(std::fabs(f32(a))))},
      {"neg.f32", "ff", REFERENCE(bits(-f32(a)))},
      {"sqrt.rn.f32", "ff", REFERENCE(f32(a) < 0 ? 0x7fffffff : bits(std::sqrt(f32(a))))},
      {"ex2.approx.f32", "ff", REFERENCE(bits(std::exp2(f32(a))))},
      {"tanh.approx.f32", "ff", REFERENCE(bits(std::tanh(f32(a))))},
      {"copysign.f32", "fff", REFERENCE(bits(std::copysign(f32(b), f32(a))))},
      {"add.rz.f32", "fff", REFERENCE(bits(f32(a) + f32(b)))}, // Exact for these numbers.
  });
}

TEST_F(ScalarTest, Conversions) {
  checkAll({
      {"cvt.u64.u32", "dr", REFERENCE(uint32_t(a))},
      {"cvt.s64.s32", "dr", REFERENCE(Bits(int64_t(int32_t(a))))},
      {"cvt.u32.u64", "rd", REFERENCE(a)},
      {"cvt.u16.u32", "hr", REFERENCE(a)},
      {"cvt.s32.s8", "rr", REFERENCE(Bits(int32_t(int8_t(a))))},
      {"cvt.sat.s8.s32", "rr", REFERENCE(Bits(std::clamp<int32_t>(a, -128, 127)))},
      {"cvt.sat.u8.s32", "rr", REFERENCE(Bits(std::clamp<int32_t>(a, 0, 255)))},
      {"cvt.rn.f32.s32", "fr", REFERENCE(bits(float(int32_t(a))))},
      {"cvt.rn.f32.u64", "fd", REFERENCE(bits(float(a)))},
      {"cvt.rn.f64.s64", "ed", REFERENCE(bits(double(int64_t(a))))},
      {"cvt.rzi.s32.f32", "rf", REFERENCE(Bits(int32_t(f32(a))))},
      {"cvt.rni.s32.f32", "rf", REFERENCE(Bits(int32_t(std::nearbyint(f32(a)))))},
      {"cvt.rmi.s32.f64", "re", REFERENCE(Bits(int32_t(std::floor(f64(a)))))},
      {"cvt.rpi.f32.f32", "ff", REFERENCE(bits(std::ceil(f32(a))))},
      {"cvt.f64.f32", "ef", REFERENCE(bits(double(f32(a))))},
      {"cvt.rn.f32.f64", "fe", REFERENCE(bits(float(f64(a))))},
      {"cvt.rn.f16.f32", "hf", REFERENCE(floatToHalf(f32(a)))},
      {"cvt.rn.bf16.f32", "hf", REFERENCE(encodeFloat(Type::BF16, f32(a)))},
      {"cvt.rn.f16x2.f32", "rff", REFERENCE(Bits(floatToHalf(f32(a))) << 16 | floatToHalf(f32(b)))},
      {"cvt.rn.satfinite.e4m3x2.f32", "hff",
       REFERENCE(Bits(encodeFloat(Type::E4M3, f32(a))) << 8 | encodeFloat(Type::E4M3, f32(b)))},
      {"cvt.rna.tf32.f32", "rf", REFERENCE(encodeFloat(Type::TF32, f32(a), Rounding::NearestAway))},
  });
}

TEST_F(ScalarTest, Halves) {
  auto pair = [](auto function) -> Reference {
    return [=](Bits a, Bits b, Bits c) -> Bits {
      return Bits(floatToHalf(function(half(a), half(b), half(c)))) |
             Bits(floatToHalf(function(half(a >> 16), half(b >> 16), half(c >> 16)))) << 16;
    };
  };
  // Halves of small numbers, so that no operand is a NaN.
  auto small = [](Bits bits) { return bits & 0x3fff3fff; };
  auto onSmall = [=](Reference f) -> Reference {
    return [=](Bits a, Bits b, Bits c) { return f(small(a), small(b), small(c)); };
  };
  for (auto &[opcode, reference] : std::vector<std::pair<std::string, Reference>>{
           {"add.rn.f16x2", pair([](double a, double b, double) { return a + b; })},
           {"mul.rn.f16x2", pair([](double a, double b, double) { return a * b; })},
           {"fma.rn.f16x2",
            pair([](double a, double b, double c) { return fusedToOdd(a, b, c); })}}) {
    bool isFma = opcode[0] == 'f';
    std::string masked = "and.b32 %r31, %r31, 0x3fff3fff;\nand.b32 %r32, %r32, 0x3fff3fff;\n";
    if (isFma)
      masked += "and.b32 %r33, %r33, 0x3fff3fff;\n";
    check({masked + opcode, isFma ? "rrrr" : "rrr", onSmall(reference)});
  }
}

} // namespace
