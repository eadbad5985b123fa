//===- Fixture.h - Kernels written in PTX, run by the library ---*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_FIXTURE_H
#define UCMOH_PTXINTERPRETER_FIXTURE_H

#include "CudaTypes.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace ucmoh::ptx {

/// Loads the library as programs load the driver, so that its exported names are tested too.
class PtxTest : public ::testing::Test {
protected:
  void SetUp() override {
    library = dlopen(PTX_INTERPRETER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    ASSERT_EQ(call("cuInit", 0u), CUDA_SUCCESS);
  }
  void TearDown() override {
    for (void *pointer : allocations)
      EXPECT_EQ(call("cuMemFree_v2", CUdeviceptr(pointer)), CUDA_SUCCESS);
    for (CUmodule module : modules)
      EXPECT_EQ(call("cuModuleUnload", module), CUDA_SUCCESS);
  }

  /// A function of the driver by its name.
  template <typename... Arguments> CUresult call(const char *name, Arguments... arguments) {
    auto *function = reinterpret_cast<CUresult (*)(Arguments...)>(dlsym(library, name));
    if (!function) {
      ADD_FAILURE() << name << " is not exported";
      return CUDA_ERROR_NOT_FOUND;
    }
    return function(arguments...);
  }

  /// Device memory with these values; an array of the test's process as well.
  template <typename T> T *upload(const std::vector<T> &values) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(call("cuMemAlloc_v2", &pointer, values.size() * sizeof(T)), CUDA_SUCCESS);
    allocations.push_back(reinterpret_cast<void *>(pointer));
    EXPECT_EQ(call("cuMemcpyHtoD_v2", pointer, static_cast<const void *>(values.data()),
                   values.size() * sizeof(T)),
              CUDA_SUCCESS);
    return reinterpret_cast<T *>(pointer);
  }
  template <typename T> T *zeros(size_t count) { return upload(std::vector<T>(count)); }

  /// A kernel `test` with `parameters` pointers %rd1, %rd2, … in global memory around `body`, which
  /// has registers of all kinds and %r0 = the lane.
  static std::string kernel(unsigned parameters, const std::string &body,
                            const std::string &variables = "") {
    std::string text =
        ".version 8.4\n.target sm_90a\n.address_size 64\n" + variables + "\n.visible .entry test(";
    for (unsigned i = 1; i <= parameters; ++i)
      text += std::string(i > 1 ? ", " : "") + ".param .u64 p" + std::to_string(i);
    text += ")\n{\n.reg .pred %p<16>;\n.reg .b16 %rs<64>;\n.reg .b32 %r<128>;\n"
            ".reg .b64 %rd<64>;\n.reg .f32 %f<128>;\n.reg .f64 %fd<64>;\n"
            "mov.u32 %r0, %tid.x;\n";
    for (unsigned i = 1; i <= parameters; ++i)
      text += "ld.param.u64 %rd" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
    return text + body + "\nret;\n}\n";
  }

  CUfunction load(const std::string &text, const char *name = "test") {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    dump(text);
    loadError = call("cuModuleLoadData", &module, static_cast<const void *>(text.c_str()));
    if (loadError)
      return nullptr;
    modules.push_back(module);
    EXPECT_EQ(call("cuModuleGetFunction", &function, module, name), CUDA_SUCCESS);
    return function;
  }

  /// Runs a kernel on one grid; what it says on standard error is `message`.
  CUresult launch(CUfunction function, std::vector<void *> arguments, unsigned threads = 32,
                  unsigned blocks = 1, unsigned sharedBytes = 0) {
    std::vector<void *> pointers;
    for (void *&argument : arguments)
      pointers.push_back(&argument);
    testing::internal::CaptureStderr();
    CUresult result = call("cuLaunchKernel", function, blocks, 1u, 1u, threads, 1u, 1u, sharedBytes,
                           CUstream(nullptr), pointers.data(), static_cast<void **>(nullptr));
    message = testing::internal::GetCapturedStderr();
    return result;
  }
  CUresult run(const std::string &text, std::vector<void *> arguments, unsigned threads = 32,
               unsigned blocks = 1) {
    CUfunction function = load(text);
    return function ? launch(function, std::move(arguments), threads, blocks) : loadError;
  }
  /// Whether the launch failed with `code` and said `what`.
  void expectError(CUresult result, CUresult code, const std::string &what) {
    EXPECT_EQ(result, code) << message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
  }

  /// For a look at all kernels with another tool: PTX_INTERPRETER_DUMP names a folder for them.
  void dump(const std::string &text) {
    const auto *test = testing::UnitTest::GetInstance()->current_test_info();
    const char *folder = std::getenv("PTX_INTERPRETER_DUMP");
    if (!folder)
      return;
    std::string name = std::string(test->test_suite_name()) + "." + test->name();
    std::replace(name.begin(), name.end(), '/', '_');
    std::ofstream(std::string(folder) + "/" + name + "." + std::to_string(dumped++) + ".ptx")
        << text;
  }

  unsigned dumped = 0;
  void *library = nullptr;
  std::vector<void *> allocations;
  std::vector<CUmodule> modules;
  CUresult loadError = CUDA_SUCCESS;
  std::string message;
  std::mt19937 random{42};
};

/// The text of a file beside the tests.
inline std::string readInput(const std::string &name) {
  std::ifstream stream(std::string(PTX_INTERPRETER_INPUTS) + "/" + name);
  EXPECT_TRUE(stream.good()) << name;
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_FIXTURE_H
