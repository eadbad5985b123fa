//===- HopperTest.cpp - mbarrier, bulk copies and wgmma -------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "FloatFormat.h"

using namespace ucmoh::ptx;

namespace {

class MbarrierTest : public PtxTest {
protected:
  const std::string variables = ".shared .align 8 .b8 barrier[8];\n"
                                ".shared .align 1024 .b8 tile[4096];";
  /// One thread initializes the barrier for `count` arrivals, and all see it.
  static std::string initialize(unsigned count) {
    return "setp.eq.u32 %p1, %r0, 0;\n@%p1 mbarrier.init.shared.b64 [barrier], " +
           std::to_string(count) + ";\nbar.sync 0;\n";
  }
  static std::string wait(unsigned parity, const std::string &label = "spin") {
    return label + ":\nmbarrier.try_wait.parity.shared.b64 %p2, [barrier], " +
           std::to_string(parity) + ";\n@!%p2 bra " + label + ";\n";
  }
};

/// Warp 1 writes and arrives; warp 0 waits and reads.
const std::string produce = "shl.b32 %r1, %r0, 2;\nand.b32 %r1, %r1, 127;\nmov.u32 %r2, tile;\n"
                            "add.u32 %r1, %r1, %r2;\nsetp.lt.u32 %p3, %r0, 32;\n"
                            "@%p3 bra consumer;\nst.shared.u32 [%r1], %r0;\n"
                            "mbarrier.arrive.shared.b64 %rd5, [barrier];\nbra end;\nconsumer:\n";

TEST_F(MbarrierTest, OrdersProducerAndConsumer) {
  uint32_t *out = zeros<uint32_t>(32);
  std::string read = "ld.shared.u32 %r3, [%r1];\nmul.wide.u32 %rd6, %r0, 4;\n"
                     "add.s64 %rd6, %rd6, %rd1;\nst.global.u32 [%rd6], %r3;\nend:\n";
  std::string text = kernel(1, initialize(32) + produce + wait(0) + read, variables);
  ASSERT_EQ(run(text, {out}, 64), CUDA_SUCCESS) << message;
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], 32 + i);
  EXPECT_EQ(run(kernel(1, initialize(32) + produce + read, variables), {out}, 64),
            CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(MbarrierTest, TooFewArrivalsAreADeadlock) {
  std::string text = kernel(0, initialize(33) + produce + wait(0) + "end:\n", variables);
  expectError(run(text, {}, 64), CUDA_ERROR_LAUNCH_FAILED, "deadlock");
}

TEST_F(MbarrierTest, TooManyArrivals) {
  std::string text = kernel(0,
                            initialize(2) + "setp.lt.u32 %p4, %r0, 3;\n"
                                            "@%p4 mbarrier.arrive.shared.b64 %rd5, [barrier];",
                            variables);
  ASSERT_EQ(run(text, {}), CUDA_SUCCESS) << message; // Two of one phase, one of the next.
  expectError(
      run(kernel(0, initialize(2) + "mbarrier.arrive.shared.b64 %rd5, [barrier], 3;", variables),
          {}),
      CUDA_ERROR_LAUNCH_FAILED, "more arrivals");
}

TEST_F(MbarrierTest, MustBeInitialized) {
  expectError(run(kernel(0, "mbarrier.arrive.shared.b64 %rd5, [barrier];", variables), {}),
              CUDA_ERROR_LAUNCH_FAILED, "no mbarrier was initialized");
}

/// Boxes of 16 rows of a matrix of halves.
class BulkTest : public MbarrierTest {
protected:
  static constexpr unsigned rows = 20, columns = 80, boxRows = 16;

  /// A tensor map in device memory.
  void *makeMap(void *data, unsigned boxColumns, int swizzle) {
    std::vector<uint64_t> map(16 + 8);
    uint64_t extents[] = {columns, rows}, strides[] = {columns * 2};
    uint32_t box[] = {boxColumns, boxRows}, elementStrides[] = {1, 1};
    EXPECT_EQ(call("cuTensorMapEncodeTiled", static_cast<void *>(map.data()), 6, 2u, data,
                   static_cast<const uint64_t *>(extents), static_cast<const uint64_t *>(strides),
                   static_cast<const uint32_t *>(box),
                   static_cast<const uint32_t *>(elementStrides), 0, swizzle, 0, 0),
              CUDA_SUCCESS);
    return upload(map);
  }
  /// Copies the box at (x, y) to the tile and the tile to p2.
  static std::string text(unsigned bytes, const std::string &waiting,
                          const std::string &variables) {
    std::string size = std::to_string(bytes);
    return kernel(4,
                  initialize(1) +
                      "@!%p1 bra wait;\ncvt.u32.u64 %r5, %rd3;\ncvt.u32.u64 %r6, %rd4;\n"
                      "mbarrier.arrive.expect_tx.shared.b64 %rd5, [barrier], " +
                      size +
                      ";\ncp.async.bulk.tensor.2d.shared::cluster.global.tile."
                      "mbarrier::complete_tx::bytes [tile], [%rd1, {%r5, %r6}], [barrier];\n"
                      "wait:\n" +
                      waiting +
                      "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 2;\nadd.u32 %r1, %r1, %r2;\n"
                      "cvt.u64.u32 %rd6, %r2;\nadd.s64 %rd6, %rd6, %rd2;\nloop:\n"
                      "ld.shared.u32 %r3, [%r1];\nst.global.u32 [%rd6], %r3;\n"
                      "add.u32 %r1, %r1, 128;\nadd.s64 %rd6, %rd6, 128;\n"
                      "add.u32 %r2, %r2, 128;\nsetp.lt.u32 %p5, %r2, " +
                      size + ";\n@%p5 bra loop;\n",
                  variables);
  }
  uint16_t *matrix() {
    std::vector<uint16_t> values(rows * columns);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = i + 1;
    return upload(values);
  }
};

TEST_F(BulkTest, CopiesSwizzledBoxesWithZerosOutside) {
  uint16_t *data = matrix();
  for (int swizzle : {0, 1, 2, 3}) {
    unsigned width = swizzle ? 16u << swizzle : 32, boxColumns = width / 2;
    unsigned bytes = boxRows * width;
    for (auto [x, y] : {std::pair{0, 0}, {72, 7}, {-5, -3}}) {
      uint16_t *out = zeros<uint16_t>(boxRows * boxColumns);
      ASSERT_EQ(run(text(bytes, wait(0), variables),
                    {makeMap(data, boxColumns, swizzle), out, reinterpret_cast<void *>(intptr_t(x)),
                     reinterpret_cast<void *>(intptr_t(y))}),
                CUDA_SUCCESS)
          << message;
      for (unsigned i = 0; i < boxRows; ++i)
        for (unsigned j = 0; j < boxColumns; ++j) {
          int row = y + int(i), column = x + int(j);
          bool inside = row >= 0 && row < int(rows) && column >= 0 && column < int(columns);
          // The 16-byte chunk of a line of `width` bytes is exchanged with another of that line;
          // which one, the number of its 128 bytes says.
          unsigned line = i * width / 128;
          unsigned chunk = j / 8 ^ (swizzle ? line % (1u << swizzle) : 0);
          EXPECT_EQ(out[i * boxColumns + chunk * 8 + j % 8],
                    inside ? data[row * columns + column] : 0)
              << swizzle << ": " << i << ", " << j;
        }
    }
  }
}

TEST_F(BulkTest, ReadingWithoutTheWaitIsRefused) {
  uint16_t *out = zeros<uint16_t>(16 * 64);
  std::vector<void *> arguments = {makeMap(matrix(), 64, 3), out, nullptr, nullptr};
  expectError(run(text(2048, "bar.warp.sync -1;\n", variables), arguments),
              CUDA_ERROR_LAUNCH_FAILED, "whose mbarrier this warp has not waited for");
  // Too few bytes announced: the phase never ends.
  std::string wrong = text(2048, wait(0), variables);
  wrong.replace(wrong.find("[barrier], 2048"), 15, "[barrier], 4096");
  expectError(run(wrong, arguments), CUDA_ERROR_LAUNCH_FAILED, "deadlock");
}

TEST_F(BulkTest, RefusesMapsThatHardwareRefuses) {
  uint64_t map[16], extents[] = {64, 64}, strides[] = {130};
  uint32_t box[] = {64, 8}, ones[] = {1, 1};
  auto encode = [&](int swizzle) {
    return call("cuTensorMapEncodeTiled", static_cast<void *>(map), 6, 2u,
                static_cast<void *>(zeros<uint16_t>(64 * 64)),
                static_cast<const uint64_t *>(extents), static_cast<const uint64_t *>(strides),
                static_cast<const uint32_t *>(box), static_cast<const uint32_t *>(ones), 0, swizzle,
                0, 0);
  };
  EXPECT_EQ(encode(0), CUDA_ERROR_INVALID_VALUE); // The stride.
  strides[0] = 128;
  EXPECT_EQ(encode(3), CUDA_SUCCESS);
  EXPECT_EQ(encode(2), CUDA_ERROR_INVALID_VALUE); // 128 bytes in a swizzle of 64.
}

/// D[64x64] = A[64xK] B[Kx64] with both in shared memory as `width` bytes of k a row; B may be
/// stored with n innermost, and A may come from registers.
struct Layout {
  unsigned width;
  bool transposesB, hasRegisters;
};

class WgmmaTest : public PtxTest, public ::testing::WithParamInterface<Layout> {
protected:
  static constexpr unsigned n = 64;

  /// Where element (i, k) of a matrix with k innermost lies, in bytes.
  static unsigned place(unsigned width, unsigned i, unsigned k) {
    if (width == 16)
      return i / 8 * 256 + k / 8 * 128 + i % 8 * 16 + k % 8 * 2;
    unsigned linear = i * width + k * 2, line = linear / 128;
    return linear ^ (line % (width / 16)) << 4;
  }
  static std::string floats(unsigned first, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
      text += (i ? "," : "") + std::string("%f") + std::to_string(first + i);
    return text + "}";
  }
  /// The descriptor of the tile that begins at `offset` in %rd`reg`.
  static std::string descriptor(unsigned reg, unsigned offset, unsigned width) {
    uint64_t code = width == 128 ? 1 : width == 64 ? 2 : width == 32 ? 3 : 0;
    uint64_t stride = width == 16 ? 256 : 8 * width, leading = 128;
    uint64_t bits = code << 62 | stride >> 4 << 32 | leading >> 4 << 16;
    std::string name = "%rd" + std::to_string(reg);
    return "mov.u32 %r1, tile;\nadd.u32 %r1, %r1, " + std::to_string(offset) +
           ";\nshr.u32 %r1, %r1, 4;\ncvt.u64.u32 " + name + ", %r1;\nor.b64 " + name + ", " + name +
           ", " + std::to_string(bits) + ";\n";
  }
};

TEST_P(WgmmaTest, EqualsPlainLoops) {
  auto [width, transposesB, hasRegisters] = GetParam();
  unsigned depth = std::max(16u, width / 2), bytesOfTile = 64 * depth * 2;
  std::vector<uint16_t> image(2 * bytesOfTile / 2);
  std::vector<float> a(64 * depth), b(depth * n);
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned k = 0; k < depth; ++k) {
      a[i * depth + k] = int(random() % 9) - 4;
      image[place(width, i, k) / 2] = floatToHalf(a[i * depth + k]);
    }
  for (unsigned k = 0; k < depth; ++k)
    for (unsigned j = 0; j < n; ++j) {
      b[k * n + j] = int(random() % 9) - 4;
      unsigned at = transposesB ? place(width, k, j) : place(width, j, k);
      image[(bytesOfTile + at) / 2] = floatToHalf(b[k * n + j]);
    }
  std::string body = "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 4;\nadd.u32 %r1, %r1, %r2;\n"
                     "cvt.u64.u32 %rd3, %r2;\nadd.s64 %rd3, %rd3, %rd1;\ncopy:\n"
                     "ld.global.v4.b32 {%r3,%r4,%r5,%r6}, [%rd3];\n"
                     "st.shared.v4.b32 [%r1], {%r3,%r4,%r5,%r6};\nadd.u32 %r1, %r1, 2048;\n"
                     "add.s64 %rd3, %rd3, 2048;\nadd.u32 %r2, %r2, 2048;\nsetp.lt.u32 %p1, %r2, " +
                     std::to_string(2 * bytesOfTile) +
                     ";\n@%p1 bra copy;\nbar.sync 0;\nfence.proxy.async;\n"
                     "wgmma.fence.sync.aligned;\n";
  if (hasRegisters) // The fragment of A, whole, from p3.
    body += "ld.param.u64 %rd8, [p3];\n"
            "mul.wide.u32 %rd7, %r0, 16;\nadd.s64 %rd7, %rd7, %rd8;\n"
            "ld.global.v4.b32 {%r10,%r11,%r12,%r13}, [%rd7];\nwgmma.fence.sync.aligned;\n";
  for (unsigned step = 0; step < depth / 16; ++step) {
    unsigned offset = transposesB ? step * 16 * width : step * 32;
    body += descriptor(5, step * 32, width) + descriptor(6, bytesOfTile + offset, width) +
            "setp.ne.b32 %p2, " + std::to_string(step) + ", 0;\n" +
            "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " + floats(0, 32) + ", " +
            (hasRegisters ? "{%r10,%r11,%r12,%r13}" : "%rd5") + ", %rd6, %p2, 1, 1" +
            (hasRegisters ? "" : ", 0") + (transposesB ? ", 1" : ", 0") + ";\n";
  }
  body += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
          "mul.wide.u32 %rd4, %r0, 128;\nadd.s64 %rd4, %rd4, %rd2;\n";
  for (unsigned i = 0; i < 32; ++i)
    body += "st.global.f32 [%rd4+" + std::to_string(4 * i) + "], %f" + std::to_string(i) + ";\n";
  // Row g (and g + 8) of the warp's 16, columns 2 t and 2 t + 1, and 8 columns on.
  std::vector<uint16_t> fragments(128 * 8);
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < 8; ++i) {
      unsigned row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2 ? 8 : 0);
      unsigned k = thread % 4 * 2 + i % 2 + (i < 4 ? 0 : 8);
      fragments[thread * 8 + i] = floatToHalf(a[row * depth + k]);
    }
  float *out = zeros<float>(128 * 32);
  std::string variables = ".shared .align 1024 .b8 tile[" + std::to_string(2 * bytesOfTile) + "];";
  ASSERT_EQ(run(kernel(3, body, variables), {upload(image), out, upload(fragments)}, 128),
            CUDA_SUCCESS)
      << message;
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < 32; ++i) {
      unsigned row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2 ? 8 : 0);
      unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      float sum = 0;
      for (unsigned k = 0; k < depth; ++k)
        sum += a[row * depth + k] * b[k * n + column];
      EXPECT_EQ(out[thread * 32 + i], sum) << row << ", " << column;
    }
}

INSTANTIATE_TEST_SUITE_P(All, WgmmaTest,
                         ::testing::Values(Layout{128, false, false}, Layout{64, false, false},
                                           Layout{32, false, false}, Layout{16, false, false},
                                           Layout{128, true, false}, Layout{32, false, true}),
                         [](const auto &info) {
                           const Layout &l = info.param;
                           return "Width" + std::to_string(l.width) +
                                  (l.transposesB ? "Transposed" : "") +
                                  (l.hasRegisters ? "Registers" : "");
                         });

} // namespace
