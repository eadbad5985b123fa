//===- CompiledTest.cpp - What LLVM made of kernels in MLIR ---------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "FloatFormat.h"
#include "llvm/Support/JSON.h"

using namespace ucmoh::ptx;

/// Inputs/mixture.c, compiled for this machine.
extern "C" void mixture(long long *out, const int *in, const float *f, const double *d,
                        const signed char *c, const unsigned short *h, int lane);

namespace {

class CompiledTest : public PtxTest {
protected:
  std::vector<float> randomFloats(size_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = (int(random() % 17) - 8) / 8.0f;
    return values;
  }
  static std::vector<uint16_t> halves(const std::vector<float> &values) {
    std::vector<uint16_t> result;
    for (float value : values)
      result.push_back(floatToHalf(value));
    return result;
  }
  static float product(const std::vector<float> &a, const std::vector<float> &b, unsigned n,
                       unsigned depth, unsigned i, unsigned j) {
    float sum = 0;
    for (unsigned k = 0; k < depth; ++k)
      sum += a[i * depth + k] * b[k * n + j];
    return sum;
  }
  CUresult launchGrid(CUfunction function, std::vector<void *> arguments, unsigned gridX,
                      unsigned gridY, unsigned blockX, unsigned blockY) {
    std::vector<void *> pointers;
    for (void *&argument : arguments)
      pointers.push_back(&argument);
    testing::internal::CaptureStderr();
    CUresult result = call("cuLaunchKernel", function, gridX, gridY, 1u, blockX, blockY, 1u, 0u,
                           CUstream(nullptr), pointers.data(), static_cast<void **>(nullptr));
    message = testing::internal::GetCapturedStderr();
    return result;
  }
};

TEST_F(CompiledTest, PlainGemmWithMargins) {
  auto a = randomFloats(61 * 129), b = randomFloats(129 * 83);
  float *c = zeros<float>(61 * 83);
  CUfunction gemm = load(readInput("gemm.ptx"), "gemm");
  ASSERT_EQ(launchGrid(gemm, {upload(a), upload(b), c}, 6, 4, 16, 16), CUDA_SUCCESS) << message;
  for (unsigned i = 0; i < 61; ++i)
    for (unsigned j = 0; j < 83; ++j)
      EXPECT_EQ(c[i * 83 + j], halfToFloat(floatToHalf(product(a, b, 83, 129, i, j))));
}

TEST_F(CompiledTest, ShuffleAndRemainder) {
  auto a = randomFloats(32);
  std::vector<int8_t> numbers(32);
  for (unsigned i = 0; i < 32; ++i)
    numbers[i] = int(i * 37 % 256) - 128;
  float *out = zeros<float>(32);
  CUfunction shuffle = load(readInput("gemm.ptx"), "shuf");
  ASSERT_EQ(launch(shuffle, {upload(a), upload(numbers), out, reinterpret_cast<void *>(7)}),
            CUDA_SUCCESS)
      << message;
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], a[i ^ 4] + float(numbers[i] % 7));
}

TEST_F(CompiledTest, WmmaTile) {
  auto a = randomFloats(64 * 64), b = randomFloats(64 * 64), c = randomFloats(64 * 64);
  float *d = upload(c);
  ASSERT_EQ(launch(load(readInput("wmma.ptx"), "mm"), {upload(halves(a)), upload(halves(b)), d}),
            CUDA_SUCCESS)
      << message;
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned j = 0; j < 16; ++j) {
      float sum = c[i * 64 + j];
      for (unsigned k = 0; k < 16; ++k)
        sum += a[i * 64 + k] * b[k * 64 + j];
      EXPECT_EQ(d[i * 64 + j], sum);
    }
}

TEST_F(CompiledTest, MixtureOfScalarCode) {
  std::vector<int> integers(64);
  std::vector<float> floats(64);
  std::vector<double> doubles(64);
  std::vector<signed char> bytes(64);
  std::vector<unsigned short> shorts(64);
  for (unsigned i = 0; i < 64; ++i) {
    integers[i] = int(random() >> (random() % 31)) * (random() % 2 ? 1 : -1);
    floats[i] = int(random() % 20001) / 100.0f - 100;
    doubles[i] = int(random() % 200001) / 1000.0 - 100;
    bytes[i] = random();
    shorts[i] = random();
  }
  for (const char *input : {"mixture.O0.ptx", "mixture.O3.ptx"}) {
    auto *out = zeros<long long>(32);
    ASSERT_EQ(
        launch(load(readInput(input), "mixture"), {out, upload(integers), upload(floats),
                                                   upload(doubles), upload(bytes), upload(shorts)}),
        CUDA_SUCCESS)
        << message;
    std::vector<long long> expected(32);
    for (int lane = 0; lane < 32; ++lane) {
      mixture(expected.data(), integers.data(), floats.data(), doubles.data(), bytes.data(),
              shorts.data(), lane);
      EXPECT_EQ(out[lane], expected[lane]) << input << " lane " << lane;
    }
  }
}

/// Two stages of cp.async, ldmatrix and mma.sync on two warps.
class PipelinedTest : public CompiledTest {
protected:
  CUresult runPipelined(std::string text) {
    CUfunction function = load(text, "pipelined");
    return launchGrid(function, {upload(halves(a)), upload(halves(b)), c}, 4, 2, 64, 1);
  }
  /// The text without the `index`-th line (from 0) that contains `what`.
  static std::string without(std::string text, const std::string &what, unsigned index) {
    size_t position = text.find(what);
    for (; index > 0 && position != std::string::npos; --index)
      position = text.find(what, position + 1);
    EXPECT_NE(position, std::string::npos) << what;
    size_t begin = text.rfind('\n', position), end = text.find('\n', position);
    return text.erase(begin, end - begin);
  }
  void SetUp() override {
    CompiledTest::SetUp();
    a = randomFloats(64 * 64);
    b = randomFloats(64 * 64);
    c = zeros<float>(64 * 64);
    text = readInput("pipelined.ptx");
  }

  std::vector<float> a, b;
  float *c = nullptr;
  std::string text;
};

TEST_F(PipelinedTest, EqualsPlainLoops) {
  ASSERT_EQ(runPipelined(text), CUDA_SUCCESS) << message;
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned j = 0; j < 64; ++j)
      EXPECT_EQ(c[i * 64 + j], product(a, b, 64, 64, i, j));
}

TEST_F(PipelinedTest, WithoutItsWaitItIsRefused) {
  expectError(runPipelined(without(text, "cp.async.wait_group", 0)), CUDA_ERROR_LAUNCH_FAILED,
              "awaits an asynchronous copy");
}

TEST_F(PipelinedTest, WithoutItsFirstBarrierItIsRefused) {
  EXPECT_EQ(runPipelined(without(text, "bar.sync", 0)), CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(PipelinedTest, WithoutItsSecondBarrierItIsRefused) {
  EXPECT_EQ(runPipelined(without(text, "bar.sync", 1)), CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(PipelinedTest, CountsWhatItDid) {
  std::string path = testing::TempDir() + "ptx-statistics.jsonl";
  std::remove(path.c_str());
  setenv("PTX_INTERPRETER_STATS", path.c_str(), 1);
  EXPECT_EQ(runPipelined(text), CUDA_SUCCESS) << message;
  unsetenv("PTX_INTERPRETER_STATS");
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  auto value = llvm::json::parse(line);
  ASSERT_TRUE(bool(value)) << line;
  const llvm::json::Object &object = *value->getAsObject();
  // 8 blocks of 2 warps, 4 steps, 2 mma and 3 ldmatrix each.
  EXPECT_EQ(object.getString("kernel"), "pipelined");
  EXPECT_EQ(object.getInteger("mma"), 8 * 2 * 4 * 2);
  EXPECT_EQ(object.getInteger("ldmatrix"), 8 * 2 * 4 * 3);
  // Rows of 48 bytes: 8 of them touch each bank once.
  EXPECT_EQ(object.getInteger("ldmatrix_conflicts"), 0);
  EXPECT_EQ(object.getInteger("cp_async_bytes"), 8 * 4 * (32 + 16) * 16 * 2);
  EXPECT_EQ(object.getInteger("shared_bytes"), 2 * (32 + 16) * 24 * 2);
}

} // namespace
