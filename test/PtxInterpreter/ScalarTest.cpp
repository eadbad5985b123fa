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

/// The kernel stores one value a lane; the test says which.
class ValueTest : public PtxTest {
protected:
  std::vector<uint32_t> values(const std::string &body, unsigned threads = 32,
                               const std::string &variables = "") {
    uint32_t *out = zeros<uint32_t>(threads);
    std::string store = "\nmul.wide.u32 %rd20, %r0, 4;\nadd.s64 %rd20, %rd20, %rd1;\n"
                        "st.global.b32 [%rd20], %r1;";
    EXPECT_EQ(run(kernel(1, body + store, variables), {out}, threads), CUDA_SUCCESS) << message;
    return {out, out + threads};
  }
  void expectAll(const std::string &body, const std::function<uint32_t(uint32_t)> &reference,
                 const std::string &variables = "") {
    auto result = values(body, 32, variables);
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(result[lane], reference(lane)) << body << " in lane " << lane;
  }
};

TEST_F(ValueTest, Comparisons) {
  expectAll("setp.lt.u32 %p1, %r0, 7;\nselp.b32 %r1, 5, 9, %p1;",
            [](uint32_t i) { return i < 7 ? 5 : 9; });
  expectAll("setp.ge.s32 %p2, %r0, 20;\nsetp.lt.or.u32 %p1, %r0, 7, %p2;\nselp.b32 %r1, 5, 9, %p1;",
            [](uint32_t i) { return i < 7 || i >= 20 ? 5 : 9; });
  expectAll("setp.ge.s32 %p2, %r0, 5;\nsetp.lt.and.u32 %p1|%p3, %r0, 7, !%p2;\n"
            "selp.b32 %r1, 5, 9, %p1;",
            [](uint32_t i) { return i < 5 ? 5 : 9; });
  expectAll("cvt.rn.f32.u32 %f1, %r0;\nsetp.gt.f32 %p1, %f1, 0f41200000;\nselp.b32 %r1, 1, 0, %p1;",
            [](uint32_t i) { return i > 10; });
  expectAll("setp.neu.f32 %p1, 0f7FC00000, 0f00000000;\nselp.b32 %r1, 1, 0, %p1;",
            [](uint32_t) { return 1; });
  expectAll("setp.ne.f32 %p1, 0f7FC00000, 0f00000000;\nselp.b32 %r1, 1, 0, %p1;",
            [](uint32_t) { return 0; });
  expectAll("sub.s32 %r2, %r0, 9;\nslct.u32.s32 %r1, 5, 9, %r2;",
            [](uint32_t i) { return i >= 9 ? 5 : 9; });
  expectAll("setp.eq.u32 %p1, %r0, 3;\nnot.pred %p2, %p1;\nselp.b32 %r1, 1, 0, %p2;",
            [](uint32_t i) { return i != 3; });
}

TEST_F(ValueTest, Divergence) {
  // A loop whose count differs from lane to lane, then all together again.
  expectAll("mov.b32 %r1, 0;\nmov.b32 %r2, 0;\nloop:\nsetp.ge.u32 %p1, %r2, %r0;\n"
            "@%p1 bra done;\nadd.u32 %r1, %r1, %r2;\nadd.u32 %r2, %r2, 1;\nbra.uni loop;\ndone:\n"
            "bar.warp.sync -1;\nactivemask.b32 %r3;\nand.b32 %r3, %r3, 0xffff0000;\n"
            "add.u32 %r1, %r1, %r3;",
            [](uint32_t i) { return (i ? i * (i - 1) / 2 : 0) + 0xffff0000; });
}

TEST_F(ValueTest, BranchTables) {
  expectAll("and.b32 %r2, %r0, 3;\nmov.b32 %r1, 9;\nlist: .branchtargets a, b, c, a;\n"
            "brx.idx %r2, list;\na:\nadd.u32 %r1, %r1, 1;\nbra.uni end;\nb:\nadd.u32 %r1, %r1, 2;\n"
            "bra.uni end;\nc:\nadd.u32 %r1, %r1, 3;\nend:\n",
            [](uint32_t i) { return 9 + (i & 3) + 1 - (i % 4 == 3 ? 3 : 0); });
}

TEST_F(ValueTest, ExchangeBetweenLanes) {
  expectAll("shfl.sync.bfly.b32 %r1, %r0, 5, 31, -1;", [](uint32_t i) { return i ^ 5; });
  expectAll("shfl.sync.down.b32 %r1|%p1, %r0, 4, 31, -1;",
            [](uint32_t i) { return i + 4 < 32 ? i + 4 : i; });
  expectAll("shfl.sync.up.b32 %r1, %r0, 3, 0, -1;", [](uint32_t i) { return i < 3 ? i : i - 3; });
  expectAll("shfl.sync.idx.b32 %r1, %r0, 2, 0x1807, -1;", [](uint32_t i) { return (i & 24) + 2; });
  expectAll("setp.lt.u32 %p1, %r0, 4;\nvote.sync.ballot.b32 %r1, %p1, -1;",
            [](uint32_t) { return 15; });
  expectAll("setp.lt.u32 %p1, %r0, 4;\nvote.sync.any.pred %p2, %p1, -1;\nselp.b32 %r1, 1, 0, %p2;",
            [](uint32_t) { return 1; });
  expectAll("redux.sync.add.s32 %r1, %r0, -1;", [](uint32_t) { return 496; });
  expectAll("elect.sync %r1|%p1, -1;", [](uint32_t) { return 0; });
}

TEST_F(ValueTest, VectorsAndBytes) {
  expectAll("mov.b64 %rd2, {%r0, 7};\nmov.b64 {%r2, %r3}, %rd2;\nadd.u32 %r1, %r2, %r3;",
            [](uint32_t i) { return i + 7; });
  expectAll("cvt.u16.u32 %rs1, %r0;\nmov.b32 %r1, {%rs1, %rs1};",
            [](uint32_t i) { return i | i << 16; });
  expectAll("mov.b32 %r2, 0x80112233;\nprmt.b32 %r1, %r2, %r0, 0xB240;",
            [](uint32_t i) { return 0x33u | (i & 255) << 8 | 0x110000u | 0xff000000u; });
  expectAll("bfe.u32 %r1, 0x12345678, 8, 12;", [](uint32_t) { return 0x456; });
  expectAll("bfe.s32 %r1, 0x12345678, 0, 4;", [](uint32_t) { return 0xfffffff8; });
  expectAll("bfi.b32 %r1, %r0, 0, 8, 8;", [](uint32_t i) { return i << 8; });
  expectAll("brev.b32 %r1, %r0;", [](uint32_t i) {
    uint32_t result = 0;
    for (unsigned k = 0; k < 32; ++k)
      result |= (i >> k & 1) << (31 - k);
    return result;
  });
  expectAll("lop3.b32 %r1, %r0, 12, 5, 0xE8;", // The majority.
            [](uint32_t i) { return (i & 12) | (i & 5) | (12 & 5); });
  expectAll("add.cc.u32 %r2, %r0, 0xfffffff0;\naddc.u32 %r1, 0, 0;",
            [](uint32_t i) { return i >= 16; });
}

TEST_F(ValueTest, Spaces) {
  expectAll(".local .align 8 .b8 depot[8];\nmov.u64 %rd2, depot;\nst.local.u32 [%rd2+4], "
            "%r0;\ncvta.local.u64 %rd3, %rd2;\n"
            "ld.u32 %r1, [%rd3+4];",
            [](uint32_t i) { return i; });
  expectAll(
      "shl.b32 %r2, %r0, 2;\nmov.u32 %r3, tile;\nadd.u32 %r2, %r2, %r3;\n"
      "st.shared.u32 [%r2], %r0;\ncvt.u64.u32 %rd2, %r2;\ncvta.shared.u64 %rd3, %rd2;\n"
      "ld.u32 %r1, [%rd3];",
      [](uint32_t i) { return i; }, ".shared .align 4 .b8 tile[128];");
  expectAll(
      "ld.const.u32 %r2, [table+4];\nmov.u64 %rd2, pointer;\nld.global.u64 %rd3, [%rd2];\n"
      "ld.global.u32 %r3, [%rd3];\nadd.u32 %r1, %r2, %r3;",
      [](uint32_t) { return 2 + 77; },
      ".const .align 4 .u32 table[2] = {1, 2};\n.global .align 4 .u32 value = 77;\n"
      ".global .align 8 .u64 pointer = value;");
}

TEST_F(ValueTest, DynamicSharedMemoryFollowsTheStaticPart) {
  std::string text = kernel(1,
                            "st.shared.u32 [fixed], 5;\nst.shared.u32 [dynamic], 6;\n"
                            "st.shared.u32 [dynamic+28], 7;\nld.shared.u32 %r1, [fixed];\n"
                            "mov.u32 %r2, %dynamic_smem_size;\nadd.u32 %r1, %r1, %r2;\n"
                            "st.global.u32 [%rd1], %r1;",
                            ".shared .align 4 .b8 fixed[4];\n"
                            ".extern .shared .align 16 .b8 dynamic[];");
  uint32_t *out = zeros<uint32_t>(1);
  CUfunction function = load(text);
  EXPECT_EQ(launch(function, {out}, 32, 1, 32), CUDA_SUCCESS) << message;
  EXPECT_EQ(out[0], 37u);
  EXPECT_EQ(launch(function, {out}, 32, 1, 28), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(launch(function, {out}, 32, 1, 64 << 10), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuFuncSetAttribute", function, 8, 64 << 10), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, {out}, 32, 1, 64 << 10), CUDA_SUCCESS) << message;
}

TEST_F(ValueTest, CallsOfDeviceFunctions) {
  expectAll(
      "{\n.param .b32 argument;\n.param .b32 result;\nst.param.b32 [argument], %r0;\n"
      "call.uni (result), twice, (argument);\nld.param.b32 %r1, [result];\n}",
      [](uint32_t i) { return i < 4 ? 0 : 2 * i; },
      ".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n"
      "ld.param.b32 %r1, [a];\nmov.b32 %r2, 0;\nsetp.lt.u32 %p1, %r1, 4;\n@%p1 bra done;\n"
      "add.u32 %r2, %r1, %r1;\ndone:\nst.param.b32 [r], %r2;\nret;\n}");
}

TEST_F(ValueTest, ReductionsOfABlock) {
  const std::string predicate = "setp.lt.u32 %p1, %r0, 40;\n";
  for (uint32_t value : values(predicate + "bar.red.popc.u32 %r1, 0, %p1;", 96))
    EXPECT_EQ(value, 40u);
  for (uint32_t value :
       values(predicate + "bar.red.and.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 0, %p2;", 96))
    EXPECT_EQ(value, 0u);
  for (uint32_t value :
       values(predicate + "bar.red.or.pred %p2, 1, 96, !%p1;\nselp.u32 %r1, 1, 0, %p2;", 96))
    EXPECT_EQ(value, 1u);
}

TEST_F(ValueTest, Atomics) {
  uint32_t *out = zeros<uint32_t>(2);
  EXPECT_EQ(run(kernel(1, "atom.global.add.u32 %r1, [%rd1], %r0;\n"
                          "red.global.max.u32 [%rd1+4], %r0;"),
                {out}, 64, 3),
            CUDA_SUCCESS)
      << message;
  EXPECT_EQ(out[0], 3u * 63 * 32);
  EXPECT_EQ(out[1], 63u);
}

TEST_F(ValueTest, SpecialRegisters) {
  uint32_t *out = zeros<uint32_t>(6 * 40);
  EXPECT_EQ(run(kernel(1, "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
                          "mad.lo.u32 %r3, %r1, %r2, %r0;\nmul.wide.u32 %rd2, %r3, 4;\n"
                          "add.s64 %rd2, %rd2, %rd1;\nmov.u32 %r4, %laneid;\n"
                          "mov.u32 %r5, %warpid;\nmov.u32 %r6, %nctaid.x;\n"
                          "mad.lo.u32 %r4, %r5, 100, %r4;\nmad.lo.u32 %r4, %r6, 1000, %r4;\n"
                          "st.global.u32 [%rd2], %r4;"),
                {out}, 40, 6),
            CUDA_SUCCESS)
      << message;
  for (unsigned i = 0; i < 240; ++i)
    EXPECT_EQ(out[i], 6000 + i % 40 / 32 * 100 + i % 40 % 32);
}

} // namespace
