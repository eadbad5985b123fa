//===- CheckTest.cpp - Each check has a kernel that it refuses ------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

using namespace ucmoh::ptx;

namespace {

const char *const tile = ".shared .align 16 .b8 tile[1024];";

class CheckTest : public PtxTest {
protected:
  /// Runs `body` with the shared array `tile`, p1 a region of 256 bytes, on `threads` threads.
  CUresult runBody(const std::string &body, unsigned threads = 32) {
    return run(kernel(1, body, tile), {zeros<uint8_t>(256)}, threads);
  }
  void expectRefused(const std::string &body, const std::string &what, unsigned threads = 32,
                     CUresult code = CUDA_ERROR_LAUNCH_FAILED) {
    expectError(runBody(body, threads), code, what);
  }
  void expectFine(const std::string &body, unsigned threads = 32) {
    EXPECT_EQ(runBody(body, threads), CUDA_SUCCESS) << message;
  }
};

/// %r1 = the address of the thread's own word of the tile, %r2 of its neighbour's in the next warp.
const std::string addresses = "mov.u32 %r3, tile;\nshl.b32 %r4, %r0, 2;\nadd.u32 %r1, %r3, %r4;\n"
                              "xor.b32 %r4, %r4, 128;\nadd.u32 %r2, %r3, %r4;\n";

TEST_F(CheckTest, GlobalOutOfBounds) {
  expectRefused("ld.global.u32 %r1, [%rd1+256];", "out of bounds", 32, CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFine("ld.global.u32 %r1, [%rd1+252];");
}

TEST_F(CheckTest, GlobalAcrossTheEnd) {
  uint8_t *region = zeros<uint8_t>(254);
  expectError(run(kernel(1, "ld.global.u32 %r1, [%rd1+252];"), {region}),
              CUDA_ERROR_ILLEGAL_ADDRESS, "leave a region of 254 bytes");
}

TEST_F(CheckTest, PageableHostMemory) {
  std::vector<int> host(64);
  std::string text = kernel(1, "ld.global.u32 %r1, [%rd1];");
  expectError(run(text, {host.data()}), CUDA_ERROR_ILLEGAL_ADDRESS, "out of bounds");
  ASSERT_EQ(call("cuMemHostRegister_v2", static_cast<void *>(host.data()), sizeof(int) * 64, 0u),
            CUDA_SUCCESS);
  EXPECT_EQ(run(text, {host.data()}), CUDA_SUCCESS) << message;
  EXPECT_EQ(call("cuMemHostUnregister", static_cast<void *>(host.data())), CUDA_SUCCESS);
  EXPECT_NE(run(text, {host.data()}), CUDA_SUCCESS);
}

TEST_F(CheckTest, FreedMemory) {
  CUdeviceptr pointer;
  ASSERT_EQ(call("cuMemAlloc_v2", &pointer, size_t(64)), CUDA_SUCCESS);
  ASSERT_EQ(call("cuMemFree_v2", pointer), CUDA_SUCCESS);
  EXPECT_EQ(run(kernel(1, "ld.global.u32 %r1, [%rd1];"), {reinterpret_cast<void *>(pointer)}),
            CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(CheckTest, Misaligned) {
  expectRefused("ld.global.u32 %r1, [%rd1+2];", "misaligned", 32, CUDA_ERROR_MISALIGNED_ADDRESS);
  expectRefused("ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+8];", "misaligned", 32,
                CUDA_ERROR_MISALIGNED_ADDRESS);
  expectRefused(addresses + "st.shared.b32 [%r1+2], %r0;", "misaligned", 32,
                CUDA_ERROR_MISALIGNED_ADDRESS);
  expectRefused("mov.u32 %r1, tile;\n"
                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1+8];",
                "misaligned", 32, CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_F(CheckTest, ConstantMemoryIsReadOnly) {
  std::string text = kernel(0,
                            "mov.u64 %rd1, table;\nld.const.u32 %r1, [table];\n"
                            "st.global.u32 [%rd1], %r1;",
                            ".const .align 4 .u32 table[2] = {1, 2};");
  expectError(run(text, {}), CUDA_ERROR_ILLEGAL_ADDRESS, "constant memory");
}

TEST_F(CheckTest, SharedOutOfBounds) {
  expectRefused("st.shared.b32 [tile+1024], %r0;", "out of bounds", 32, CUDA_ERROR_ILLEGAL_ADDRESS);
  expectRefused("mov.u32 %r1, 0;\nst.shared.b32 [%r1], %r0;", "out of bounds", 32,
                CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(CheckTest, UninitializedShared) {
  expectRefused(addresses + "ld.shared.u32 %r5, [%r1];", "uninitialized");
  expectFine(addresses + "st.shared.u32 [%r1], %r0;\nld.shared.u32 %r5, [%r1];");
}

TEST_F(CheckTest, UninitializedRegister) {
  expectRefused("add.u32 %r1, %r0, %r7;", "source operand 2 is an uninitialized register");
  // A copy is no use, but what is computed from the copy is one.
  expectFine("mov.b32 %r1, %r7;");
  expectRefused("mov.b32 %r1, %r7;\nadd.u32 %r2, %r1, 1;", "uninitialized register");
  // Only some lanes have it.
  expectRefused("setp.lt.u32 %p1, %r0, 5;\n@%p1 mov.b32 %r1, 1;\nadd.u32 %r2, %r1, 1;",
                "thread (5,0,0)");
}

TEST_F(CheckTest, RaceOfWriteAndRead) {
  std::string write = addresses + "st.shared.u32 [%r1], %r0;\n";
  expectRefused(write + "ld.shared.u32 %r5, [%r2];", "", 64);
  EXPECT_TRUE(message.find("race") != std::string::npos ||
              message.find("uninitialized") != std::string::npos);
  expectFine(write + "bar.sync 0;\nld.shared.u32 %r5, [%r2];", 64);
  // The second warp reads what the first one wrote.
  expectRefused("setp.ge.u32 %p1, %r0, 32;\n" + addresses + "@!%p1 st.shared.u32 [%r1], %r0;\n" +
                    "@%p1 ld.shared.u32 %r5, [%r2];",
                "was written by warp 0 with no barrier", 64);
}

/// After a barrier warp 0 (%p1) reads what warp 1 wrote before it.
const std::string readOther = addresses + "st.shared.u32 [%r1], %r0;\nbar.sync 0;\n"
                                          "setp.lt.u32 %p1, %r0, 32;\n"
                                          "@%p1 ld.shared.u32 %r9, [%r2];\n";

TEST_F(CheckTest, RaceOfReadAndWrite) {
  expectRefused(readOther + "@!%p1 st.shared.u32 [%r1], %r0;", "was read by warp 0", 64);
  expectFine(readOther + "bar.sync 0;\n@!%p1 st.shared.u32 [%r1], %r0;", 64);
}

TEST_F(CheckTest, RaceOfTwoWrites) {
  expectRefused("mov.u32 %r1, tile;\nst.shared.u32 [%r1], %r0;", "was written by warp 0", 64);
}

TEST_F(CheckTest, NamedBarriersOrderTheirMembersOnly) {
  // Warps 0 and 1 meet at barrier 1; warp 2 does not.
  std::string text = addresses + "st.shared.u32 [%r1], %r0;\nsetp.ge.u32 %p1, %r0, 64;\n"
                                 "@%p1 bra last;\nbar.sync 1, 64;\nld.shared.u32 %r5, [%r2];\n"
                                 "bra end;\nlast:\nld.shared.u32 %r5, [tile];\nend:\n";
  expectFine(addresses + "st.shared.u32 [%r1], %r0;\nbar.sync 1, 64;\nld.shared.u32 %r5, [%r2];",
             64);
  expectRefused(text, "was written by warp 0", 96);
}

const std::string copyOwn = "shl.b32 %r4, %r0, 2;\nmov.u32 %r3, tile;\nadd.u32 %r1, %r3, %r4;\n"
                            "xor.b32 %r5, %r4, 128;\nadd.u32 %r2, %r3, %r5;\n"
                            "cvt.u64.u32 %rd2, %r4;\nadd.s64 %rd2, %rd2, %rd1;\n"
                            "cp.async.ca.shared.global [%r1], [%rd2], 4;\n"
                            "cp.async.commit_group;\n";

TEST_F(CheckTest, MissingWait) {
  expectRefused(copyOwn + "ld.shared.u32 %r5, [%r1];", "awaits an asynchronous copy");
  expectRefused(copyOwn + "bar.sync 0;\nld.shared.u32 %r5, [%r2];", "awaits an asynchronous copy",
                64);
  expectFine(copyOwn + "cp.async.wait_group 0;\nld.shared.u32 %r5, [%r1];");
  expectFine(copyOwn + "cp.async.wait_all;\nld.shared.u32 %r5, [%r1];");
}

TEST_F(CheckTest, WaitLeavesTheLatestGroups) {
  expectRefused(copyOwn + "cp.async.wait_group 1;\nld.shared.u32 %r5, [%r1];",
                "awaits an asynchronous copy");
  expectFine(copyOwn + "cp.async.commit_group;\ncp.async.wait_group 1;\nld.shared.u32 %r5, [%r1];");
}

TEST_F(CheckTest, MissingBarrierAfterWait) {
  expectRefused(copyOwn + "cp.async.wait_group 0;\nsetp.lt.u32 %p1, %r0, 32;\n@%p1 bra end;\n"
                          "ld.shared.u32 %r5, [%r2];\nend:\n",
                "was written by warp 0 with no barrier", 64);
  // A barrier before the wait does not help.
  expectRefused(copyOwn + "bar.sync 0;\ncp.async.wait_group 0;\nld.shared.u32 %r5, [%r2];", "", 64);
  expectFine(copyOwn + "cp.async.wait_group 0;\nbar.sync 0;\nld.shared.u32 %r5, [%r2];", 64);
}

TEST_F(CheckTest, CopyOverBytesThatOthersStillRead) {
  std::string copy = "@%p1 bra end;\n" + copyOwn + "end:\n";
  expectRefused(readOther + copy, "was read by warp 0", 64);
  expectFine(readOther + "bar.sync 0;\n" + copy, 64);
}

TEST_F(CheckTest, CopyOutOfBounds) {
  expectRefused("cp.async.cg.shared.global [tile], [%rd1+256], 16;", "out of bounds", 32,
                CUDA_ERROR_ILLEGAL_ADDRESS);
  expectRefused("cp.async.cg.shared.global [tile], [%rd1+8], 16;", "misaligned", 32,
                CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_F(CheckTest, DivergentBarrier) {
  expectRefused("setp.lt.u32 %p1, %r0, 7;\n@%p1 bra skip;\nbar.sync 0;\nskip:\nmov.u32 %r1, 1;",
                "a part of the warp arrives at the barrier");
}

TEST_F(CheckTest, Deadlock) {
  expectRefused("setp.lt.u32 %p1, %r0, 32;\n@%p1 bra other;\nbar.sync 1, 64;\nbra end;\n"
                "other:\nbar.sync 2, 64;\nend:\n",
                "deadlock: barrier 1 has 32 of 64 threads; barrier 2 has 32 of 64 threads", 64);
  // A warp that has left is not waited for.
  expectFine("setp.lt.u32 %p1, %r0, 32;\n@%p1 ret;\nbar.sync 0;", 64);
}

TEST_F(CheckTest, ShuffleOfALaneThatIsElsewhere) {
  expectRefused("setp.lt.u32 %p1, %r0, 16;\n@%p1 bra skip;\n"
                "shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;\nskip:\nmov.u32 %r2, 1;",
                "do not arrive");
}

TEST_F(CheckTest, TheMessageSaysWhere) {
  expectRefused("setp.eq.u32 %p1, %r0, 9;\n@%p1 ld.global.u32 %r1, [%rd1+1024];",
                "`@%p1 ld.global.u32 %r1, [%rd1+1024];`: block (0,0,0) thread (9,0,0)", 32,
                CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(message.find("kernel 'test' line "), std::string::npos) << message;
}

TEST_F(CheckTest, MistakesInTheTextNameTheirLine) {
  testing::internal::CaptureStderr();
  load(kernel(0, "frobnicate.u32 %r1, %r0;"));
  message = testing::internal::GetCapturedStderr();
  expectError(loadError, CUDA_ERROR_INVALID_PTX, "`frobnicate.u32 %r1, %r0;`: unsupported");
  testing::internal::CaptureStderr();
  load(kernel(0, "add.frob.u32 %r1, %r0, 1;"));
  message = testing::internal::GetCapturedStderr();
  expectError(loadError, CUDA_ERROR_INVALID_PTX, "unsupported suffix '.frob'");
}

} // namespace
