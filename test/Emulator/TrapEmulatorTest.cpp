//===- TrapEmulatorTest.cpp - The emulator against the CPU and the manual
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the CPU has runs twice: natively, and emulated behind a `ud2`, which traps on any CPU.
/// Every register and flag that the instruction may touch must then be the same. test/Unit/
/// IntrinsicTest.cpp adds what no CPU at hand has, against the meaning in the target files.
///
//===----------------------------------------------------------------------===//

#include "DotProduct.h"
#include "Emulator.h"
#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace {

using Words = std::array<uint32_t, 16>;

/// Registers and memory before and after one instruction.
struct alignas(64) Machine {
  Words acc, left, right, memory[4];
  uint64_t mask;
};

/// Emulates what follows a `ud2`.
void trap(int, siginfo_t *, void *context) {
  auto &frame = *static_cast<ucontext_t *>(context);
  auto *code = reinterpret_cast<const uint8_t *>(frame.uc_mcontext.gregs[REG_RIP]);
  if (code[0] == 0x0f && code[1] == 0x0b)
    frame.uc_mcontext.gregs[REG_RIP] += 2;
  if (!emulator::emulate(frame))
    std::abort();
}

// Operands: zmm20 or zmm4 accumulator, zmm21 or zmm5 left, zmm30 or zmm6 right, each of another
// value; memory at rax with index rcx = 1, k3 the mask.
#define RUN(machine, text)                                                                         \
  asm volatile("kmovq 448(%0), %%k3\n\tvmovdqa64 (%0), %%zmm20\n\tvmovdqa64 64(%0), %%zmm21\n\t"   \
               "vmovdqa64 128(%0), %%zmm30\n\tvmovdqa64 128(%0), %%zmm4\n\t"                       \
               "vmovdqa64 (%0), %%zmm5\n\tvmovdqa64 64(%0), %%zmm6\n\t"                            \
               "leaq 192(%0), %%rax\n\tmovl $1, %%ecx\n\t" text                                    \
               "\n\tvmovdqa64 %%zmm20, (%0)\n\tvmovdqa64 %%zmm4, 64(%0)\n\t"                       \
               "vmovdqa64 %%zmm30, 128(%0)"                                                        \
               :                                                                                   \
               : "r"(machine)                                                                      \
               : "memory", "rax", "rcx", "xmm4", "xmm5", "xmm6", "xmm20", "xmm21", "xmm30", "k3")

#define BOTH(text)                                                                                 \
  {text, [](Machine *m) { RUN(m, text); }, [](Machine *m) { RUN(m, "ud2\n\t" text); }}

struct Form {
  const char *text;
  void (*native)(Machine *), (*emulated)(Machine *);
};

/// Every way to write an operand, spread over the instructions.
const Form vnniForms[] = {
    BOTH("vpdpbusd %%zmm30, %%zmm21, %%zmm20"),
    BOTH("vpdpbusds %%zmm30, %%zmm21, %%zmm20"),
    BOTH("vpdpwssd %%zmm30, %%zmm21, %%zmm20"),
    BOTH("vpdpwssds %%zmm30, %%zmm21, %%zmm20"),
    BOTH("vpdpbusd %%ymm30, %%ymm21, %%ymm20"),
    BOTH("vpdpwssds %%xmm30, %%xmm21, %%xmm20"),
    BOTH("vpdpbusd %%zmm6, %%zmm5, %%zmm4"),
    BOTH("vpdpbusd %%zmm30, %%zmm21, %%zmm20 %{%%k3%}"),
    BOTH("vpdpbusds %%ymm30, %%ymm21, %%ymm20 %{%%k3%} %{z%}"),
    BOTH("vpdpbusd (%%rax), %%zmm21, %%zmm20"),
    BOTH("vpdpbusd 64(%%rax), %%zmm21, %%zmm20"),
    BOTH("vpdpwssd 32(%%rax), %%ymm21, %%ymm20"),
    BOTH("vpdpwssd 16(%%rax,%%rcx,4), %%xmm21, %%xmm20"),
    BOTH("vpdpbusd 1(%%rax,%%rcx,8), %%zmm21, %%zmm20"),
    BOTH("vpdpbusd 8(%%rax)%{1to16%}, %%zmm21, %%zmm20"),
    BOTH("vpdpbusds 12(%%rax,%%rcx,8)%{1to4%}, %%xmm5, %%xmm4 %{%%k3%}"),
    BOTH("vpdpwssds 64(%%rax), %%zmm5, %%zmm4 %{%%k3%} %{z%}"),
};
const Form bf16Forms[] = {
    BOTH("vdpbf16ps %%zmm30, %%zmm21, %%zmm20"),
    BOTH("vdpbf16ps %%ymm6, %%ymm5, %%ymm4 %{%%k3%}"),
    BOTH("vdpbf16ps 20(%%rax)%{1to16%}, %%zmm21, %%zmm20 %{%%k3%} %{z%}"),
};

std::mt19937 generator(1);

/// Random bits, or bytes and halves at the ends of their ranges.
uint32_t draw(bool extreme) {
  static constexpr uint32_t ends[] = {0,          0x80808080, 0x7f7f7f7f, 0xffffffff,
                                      0x80008000, 0x7fff7fff, 0x7fffffff, 0x80000000};
  return extreme ? ends[generator() % 8] : static_cast<uint32_t>(generator());
}

Machine drawMachine(bool extreme) {
  Machine machine;
  for (Words *words : {&machine.acc, &machine.left, &machine.right, &machine.memory[0],
                       &machine.memory[1], &machine.memory[2], &machine.memory[3]})
    for (uint32_t &word : *words)
      word = draw(extreme);
  machine.mask = generator();
  return machine;
}

class TrapEmulator : public ::testing::Test {
protected:
  void SetUp() override {
    struct sigaction action = {};
    action.sa_sigaction = trap;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGILL, &action, nullptr);
  }
};

TEST_F(TrapEmulator, IntegersAreAsTheCpuComputesThem) {
  if (!__builtin_cpu_supports("avx512vnni") || !__builtin_cpu_supports("avx512vl"))
    GTEST_SKIP() << "this CPU lacks avx512vnni";
  for (const Form &form : vnniForms)
    for (int round = 0; round < 200; ++round) {
      Machine native = drawMachine(round % 2), emulated = native;
      form.native(&native);
      form.emulated(&emulated);
      ASSERT_EQ(std::memcmp(&native, &emulated, sizeof(Machine)), 0) << form.text;
    }
}

/// Mostly floats of near exponents, whose sums round, some at the ends: subnormal, infinite.
uint32_t drawBf16Pair() {
  auto half = [] {
    static constexpr uint16_t ends[] = {0,      0x8000, 0x0001, 0x807f, 0x0080, 0x1000,
                                        0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x3f80, 0x2000};
    if (generator() % 4 == 0)
      return ends[generator() % 12];
    return static_cast<uint16_t>((generator() & 0x807f) | (120 + generator() % 16) << 7);
  };
  return static_cast<uint32_t>(half()) << 16 | half();
}

bool isNan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/// Which NaN comes out of two is not told by the manual: any counts as another.
bool sameFloats(const Words &a, const Words &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && !(isNan(a[i]) && isNan(b[i])))
      return false;
  return true;
}

TEST_F(TrapEmulator, Bf16IsAsTheCpuComputesIt) {
  if (!__builtin_cpu_supports("avx512bf16") || !__builtin_cpu_supports("avx512vl"))
    GTEST_SKIP() << "this CPU lacks avx512bf16";
  for (const Form &form : bf16Forms)
    for (int round = 0; round < 20000; ++round) {
      Machine native = drawMachine(false);
      for (Words *words : {&native.left, &native.right, &native.memory[0]})
        for (uint32_t &word : *words)
          word = drawBf16Pair();
      for (uint32_t &word : native.acc)
        word = round % 2 ? drawBf16Pair() : (generator() & 0x807fffff) | 0x3f800000;
      Machine emulated = native;
      form.native(&native);
      form.emulated(&emulated);
      ASSERT_TRUE(sameFloats(native.acc, emulated.acc)) << form.text << " round " << round;
      ASSERT_TRUE(sameFloats(native.left, emulated.left)) << form.text << " round " << round;
    }
}

TEST_F(TrapEmulator, WritesRegistersOfAnUnusedComponent) {
  if (!__builtin_cpu_supports("avx512f"))
    GTEST_SKIP() << "this CPU lacks avx512f";
  constexpr unsigned highRegisters = 1 << 7; // zmm16 to zmm31, which XRSTOR makes unused
  alignas(64) static char initial[4096] = {};
  Machine machine = drawMachine(false);
  asm volatile("vmovdqa64 64(%0), %%zmm5\n\txrstor (%1)\n\tud2\n\tvpdpbusd 192(%0), %%zmm5, %%zmm20"
               "\n\tvmovdqa64 %%zmm20, (%0)"
               :
               : "r"(&machine), "r"(initial), "a"(highRegisters), "d"(0)
               : "memory", "xmm5", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22",
                 "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
  for (size_t i = 0; i < machine.acc.size(); ++i)
    EXPECT_EQ(machine.acc[i],
              emulator::dotBytes(0, machine.left[i], false, machine.memory[0][i], true, false));
}

TEST_F(TrapEmulator, SignsAndSaturationOfBytes) {
  // u8 x s8, s8 x s8, s8 x u8, u8 x u8 of 255 or -1 and 128 or -128, four times.
  EXPECT_EQ(emulator::dotBytes(1, ~0u, false, 0x80808080, true, false),
            uint32_t(1 - 4 * 255 * 128));
  EXPECT_EQ(emulator::dotBytes(1, ~0u, true, 0x80808080, true, false), uint32_t(1 + 4 * 128));
  EXPECT_EQ(emulator::dotBytes(1, ~0u, true, 0x80808080, false, false), uint32_t(1 - 4 * 128));
  EXPECT_EQ(emulator::dotBytes(1, ~0u, false, 0x80808080, false, false),
            uint32_t(1 + 4 * 255 * 128));
  EXPECT_EQ(emulator::dotBytes(0x7fffffff, ~0u, true, ~0u, true, true), 0x7fffffffu);
  EXPECT_EQ(emulator::dotBytes(0x80000000, ~0u, true, 0x01010101, true, true), 0x80000000u);
  EXPECT_EQ(emulator::dotBytes(0xffffffff, ~0u, false, 0x01010101, false, true), 0xffffffffu);
}

TEST_F(TrapEmulator, HalvesWidenExactly) {
  EXPECT_EQ(emulator::widenF16(0x3c00), 0x3f800000u); // 1
  EXPECT_EQ(emulator::widenF16(0x0001), 0x33800000u); // 2^-24, subnormal as f16
  EXPECT_EQ(emulator::widenF16(0xfc00), 0xff800000u); // -infinity
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

struct alignas(64) Config {
  uint8_t palette = 1, start = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {};
  uint8_t rows[16] = {};
};

/// tmm0 [m, n] += tmm1 [m, k] * tmm2 [k, n], all in 32-bit elements.
Config shape(int m, int n, int k) {
  Config config;
  config.rows[0] = config.rows[1] = m;
  config.rows[2] = k;
  config.rowBytes[0] = config.rowBytes[2] = 4 * n;
  config.rowBytes[1] = 4 * k;
  return config;
}

class TileEmulator : public TrapEmulator {
protected:
  void SetUp() override {
    if (emulator::emulatedFeatures().find("+amx-tile") == std::string::npos)
      GTEST_SKIP() << "this CPU has AMX";
    TrapEmulator::SetUp();
  }
};

TEST_F(TileEmulator, ConfigurationRoundTripsAndReleases) {
  Config config = shape(3, 5, 7), stored;
  asm volatile("ldtilecfg %1\n\tsttilecfg %0" : "=m"(stored) : "m"(config));
  EXPECT_EQ(std::memcmp(&config, &stored, sizeof(Config)), 0);
  asm volatile("tilerelease\n\tsttilecfg %0" : "=m"(stored) : "m"(config));
  Config none;
  none.palette = 0;
  EXPECT_EQ(std::memcmp(&none, &stored, sizeof(Config)), 0);
}

TEST_F(TileEmulator, RaggedTilesMoveTheirPartOnly) {
  Config config = shape(3, 5, 7);
  int32_t source[16][20], target[16][20];
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 20; ++j)
      source[i][j] = 100 * i + j, target[i][j] = -1;
  asm volatile("ldtilecfg %0\n\ttileloadd (%1,%3), %%tmm0\n\ttilestored %%tmm0, 8(%2,%3)"
               :
               : "m"(config), "r"(source), "r"(target), "r"(sizeof(source[0]))
               : "memory");
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 20; ++j)
      EXPECT_EQ(target[i][j], i < 3 && j >= 2 && j < 7 ? 100 * i + j - 2 : -1) << i << " " << j;
}

TEST_F(TileEmulator, ProductOfRaggedTiles) {
  Config config = shape(2, 3, 4);
  int8_t left[2][16], right[4][12];
  int32_t acc[2][3], expected[2][3];
  for (auto *bytes : {left[0], left[1]})
    for (int i = 0; i < 16; ++i)
      bytes[i] = generator();
  for (auto &row : right)
    for (int8_t &byte : row)
      byte = generator();
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 3; ++n) {
      acc[m][n] = expected[m][n] = 1000 * m + n;
      for (int k = 0; k < 16; ++k)
        expected[m][n] += left[m][k] * static_cast<uint8_t>(right[k / 4][4 * n + k % 4]);
    }
  asm volatile("ldtilecfg %0\n\ttileloadd (%1,%4), %%tmm0\n\ttileloaddt1 (%2,%5), %%tmm1\n\t"
               "tileloadd (%3,%4), %%tmm2\n\ttdpbsud %%tmm2, %%tmm1, %%tmm0\n\t"
               "tilestored %%tmm0, (%1,%4)\n\ttilerelease"
               :
               : "m"(config), "r"(acc), "r"(left), "r"(right), "r"(12l), "r"(16l)
               : "memory");
  EXPECT_EQ(std::memcmp(acc, expected, sizeof(acc)), 0);
}

/// One element: (even products, odd products) of `left` and `right`, then the accumulator.
float multiplyOne(float acc, uint32_t left, uint32_t right, bool isF16) {
  Config config = shape(1, 1, 1);
  asm volatile("ldtilecfg %0\n\ttileloadd (%1), %%tmm0\n\ttileloadd (%2), %%tmm1\n\t"
               "tileloadd (%3), %%tmm2"
               :
               : "m"(config), "r"(&acc), "r"(&left), "r"(&right)
               : "memory");
  if (isF16)
    asm volatile("tdpfp16ps %%tmm2, %%tmm1, %%tmm0" ::);
  else
    asm volatile("tdpbf16ps %%tmm2, %%tmm1, %%tmm0" ::);
  asm volatile("tilestored %%tmm0, (%0)" ::"r"(&acc) : "memory");
  return acc;
}

TEST_F(TileEmulator, HalvesRoundAndFlush) {
  EXPECT_EQ(multiplyOne(10, 0x40003f80, 0x40403f80, false), 17);  // 1 * 1 + 2 * 3, bf16
  EXPECT_EQ(multiplyOne(10, 0x40003c00, 0x42003c00, true), 17);   // 1 * 1 + 2 * 3, f16
  EXPECT_EQ(multiplyOne(std::ldexp(1.0f, -140), 0, 0, false), 0); // a subnormal accumulator
  EXPECT_EQ(multiplyOne(0, 0x00000001, 0x00007f00, false), 0);    // a subnormal bf16
  EXPECT_EQ(multiplyOne(0, 0x00000001, 0x00003c00, true), std::ldexp(1.0f, -24)); // one of f16
  // The sum of both products is rounded before the accumulator is added: 2^24 + 1 loses its 1.
  EXPECT_EQ(multiplyOne(-std::ldexp(1.0f, 24), 0x45803f80, 0x45803f80, false), 0);
}

using TileEmulatorDeathTest = TileEmulator;

TEST_F(TileEmulatorDeathTest, UnknownInstructionsEndTheProcess) {
  auto runUnknown = [](auto instruction) {
    emulator::installTrapHandler();
    instruction();
  };
  // Tiles that were not configured, shapes that do not fit, and none of this emulator's.
  EXPECT_DEATH(runUnknown([] { asm volatile("tilezero %%tmm7" ::); }), "cannot emulate.* c4 e2 7b");
  EXPECT_DEATH(runUnknown([] {
                 Config config = shape(2, 3, 4);
                 config.rows[2] = 3;
                 asm volatile("ldtilecfg %0\n\ttdpbssd %%tmm2, %%tmm1, %%tmm0" ::"m"(config));
               }),
               "cannot emulate");
  EXPECT_DEATH(runUnknown([] { asm volatile("ud2"); }), "cannot emulate.* 0f 0b");
}

} // namespace
