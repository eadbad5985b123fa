//===- ValueTest.cpp - Instructions whose result depends on the lane ------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include <functional>

using namespace ucmoh::ptx;

namespace {

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
