//===- DriverTest.cpp - The driver API as programs use it -----------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include "llvm/Support/JSON.h"

using namespace ucmoh::ptx;

namespace {

using DriverTest = PtxTest;

TEST_F(DriverTest, OneDeviceWithTheAttributesOfAnH100) {
  int count = 0, device = -1, value = 0;
  char name[64];
  EXPECT_EQ(call("cuDeviceGetCount", &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(call("cuDeviceGet", &device, 0), CUDA_SUCCESS);
  EXPECT_EQ(call("cuDeviceGet", &device, 1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(call("cuDeviceGetName", static_cast<char *>(name), 64, 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "PTX interpreter");
  for (auto [attribute, expected] :
       {std::pair{75, 9}, {76, 0}, {10, 32}, {16, 132}, {97, 232448}}) {
    EXPECT_EQ(call("cuDeviceGetAttribute", &value, attribute, 0), CUDA_SUCCESS);
    EXPECT_EQ(value, expected) << attribute;
  }
}

TEST_F(DriverTest, RefusesModulesForLaterDevices) {
  setenv("PTX_INTERPRETER_SM", "80", 1);
  ASSERT_EQ(call("cuInit", 0u), CUDA_SUCCESS);
  load(kernel(0, ""));
  EXPECT_EQ(loadError, CUDA_ERROR_NO_BINARY_FOR_GPU);
  setenv("PTX_INTERPRETER_SM", "90", 1);
  ASSERT_EQ(call("cuInit", 0u), CUDA_SUCCESS);
  unsetenv("PTX_INTERPRETER_SM");
  EXPECT_NE(load(kernel(0, "")), nullptr);
}

TEST_F(DriverTest, Contexts) {
  CUcontext primary = nullptr, current = nullptr;
  EXPECT_EQ(call("cuDevicePrimaryCtxRetain", &primary, 0), CUDA_SUCCESS);
  EXPECT_EQ(call("cuCtxSetCurrent", primary), CUDA_SUCCESS);
  EXPECT_EQ(call("cuCtxGetCurrent", &current), CUDA_SUCCESS);
  EXPECT_EQ(current, primary);
  EXPECT_EQ(call("cuCtxPopCurrent_v2", &current), CUDA_SUCCESS);
  EXPECT_EQ(call("cuCtxPopCurrent_v2", &current), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(call("cuDevicePrimaryCtxRelease_v2", 0), CUDA_SUCCESS);
}

TEST_F(DriverTest, CopiesAndFillsStayInTheirAllocations) {
  uint32_t *data = zeros<uint32_t>(16);
  auto pointer = reinterpret_cast<CUdeviceptr>(data);
  std::vector<uint32_t> host(17);
  EXPECT_EQ(call("cuMemsetD32_v2", pointer, 7u, size_t(16)), CUDA_SUCCESS);
  EXPECT_EQ(data[15], 7u);
  EXPECT_EQ(call("cuMemsetD32_v2", pointer, 7u, size_t(17)), CUDA_ERROR_INVALID_VALUE);
  void *target = host.data();
  EXPECT_EQ(call("cuMemcpyDtoH_v2", target, pointer, size_t(64)), CUDA_SUCCESS);
  EXPECT_EQ(host[15], 7u);
  EXPECT_EQ(call("cuMemcpyDtoH_v2", target, pointer, size_t(68)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      call("cuMemcpyHtoD_v2", CUdeviceptr(target), static_cast<const void *>(data), size_t(4)),
      CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuMemFree_v2", pointer + 4), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, GlobalsAndManagedMemory) {
  CUmodule module = nullptr;
  std::string text = kernel(1, "ld.global.u32 %r1, [value];\nst.global.u32 [%rd1], %r1;",
                            ".visible .global .align 4 .u32 value[2] = {5, 6};");
  EXPECT_NE(load(text), nullptr);
  module = modules.back();
  CUdeviceptr pointer = 0, managed = 0;
  size_t size = 0;
  EXPECT_EQ(call("cuModuleGetGlobal_v2", &pointer, &size, module, "value"), CUDA_SUCCESS);
  EXPECT_EQ(size, 8u);
  EXPECT_EQ(call("cuModuleGetGlobal_v2", &pointer, &size, module, "nothing"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(call("cuMemAllocManaged", &managed, size_t(4), 1u), CUDA_SUCCESS);
  EXPECT_EQ(run(text, {reinterpret_cast<void *>(managed)}), CUDA_SUCCESS) << message;
  EXPECT_EQ(*reinterpret_cast<uint32_t *>(managed), 5u);
  EXPECT_EQ(call("cuMemFree_v2", managed), CUDA_SUCCESS);
}

TEST_F(DriverTest, StreamsAndEvents) {
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  float milliseconds = -1;
  EXPECT_EQ(call("cuStreamCreate", &stream, 0u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventCreate", &begin, 0u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventCreate", &end, 0u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventElapsedTime", &milliseconds, begin, end), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(call("cuEventRecord", begin, stream), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventRecord", end, stream), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamSynchronize", stream), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventElapsedTime", &milliseconds, begin, end), CUDA_SUCCESS);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(call("cuEventDestroy_v2", begin), CUDA_SUCCESS);
  EXPECT_EQ(call("cuEventDestroy_v2", end), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamDestroy_v2", stream), CUDA_SUCCESS);
}

TEST_F(DriverTest, NamesOfErrorsAndFunctions) {
  const char *name = nullptr;
  EXPECT_EQ(call("cuGetErrorName", CUDA_ERROR_LAUNCH_FAILED, &name), CUDA_SUCCESS);
  EXPECT_STREQ(name, "CUDA_ERROR_LAUNCH_FAILED");
  EXPECT_EQ(call("cuGetErrorName", CUresult(12345), &name), CUDA_ERROR_INVALID_VALUE);
  void *function = nullptr;
  int status = -1;
  EXPECT_EQ(call("cuGetProcAddress_v2", "cuMemAlloc", &function, 12000, uint64_t(0), &status),
            CUDA_SUCCESS);
  EXPECT_EQ(function, dlsym(library, "cuMemAlloc_v2"));
  EXPECT_EQ(call("cuGetProcAddress_v2", "cuNothing", &function, 12000, uint64_t(0), &status),
            CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverTest, ChecksTheShapeOfALaunch) {
  CUfunction function = load(kernel(0, ""));
  EXPECT_EQ(launch(function, {}, 1025), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(function, {}, 32, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(nullptr, {}), CUDA_ERROR_INVALID_HANDLE);
  std::string text = kernel(0, "");
  text.replace(text.find(")\n{"), 3, ")\n.reqntid 64, 1, 1\n{");
  function = load(text);
  EXPECT_EQ(launch(function, {}, 32), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(function, {}, 64), CUDA_SUCCESS) << message;
}

/// Conflicts of accesses whose lanes are `stride` bytes apart.
TEST_F(DriverTest, CountsBankConflicts) {
  struct {
    unsigned stride;
    const char *suffix, *registers;
    int64_t conflicts;
  } cases[] = {{4, "b32", "%r1", 0},
               {8, "b32", "%r1", 1},
               {128, "b32", "%r1", 31},
               {0, "b32", "%r1", 0},
               {8, "b64", "%rd1", 0},
               {16, "v4.b32", "{%r1,%r2,%r3,%r4}", 0},
               {128, "v4.b32", "{%r1,%r2,%r3,%r4}", 4 * 7}};
  std::string path = testing::TempDir() + "ptx-conflicts.jsonl";
  for (auto &test : cases) {
    std::remove(path.c_str());
    setenv("PTX_INTERPRETER_STATS", path.c_str(), 1);
    std::string body = "mov.b32 %r1, 0;\nmov.b32 %r2, 0;\nmov.b32 %r3, 0;\nmov.b32 %r4, 0;\n"
                       "mov.b64 %rd1, 0;\nmov.u32 %r5, tile;\nmad.lo.u32 %r5, %r0, " +
                       std::to_string(test.stride) + ", %r5;\nst.shared." + test.suffix +
                       " [%r5], " + test.registers + ";";
    EXPECT_EQ(run(kernel(0, body, ".shared .align 16 .b8 tile[4096];"), {}), CUDA_SUCCESS)
        << message;
    unsetenv("PTX_INTERPRETER_STATS");
    std::ifstream stream(path);
    std::string line;
    std::getline(stream, line);
    auto value = llvm::json::parse(line);
    ASSERT_TRUE(bool(value)) << line;
    EXPECT_EQ(value->getAsObject()->getInteger("shared_conflicts"), test.conflicts) << body;
  }
}

} // namespace
