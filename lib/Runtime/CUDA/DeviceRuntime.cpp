//===- DeviceRuntime.cpp - What compiled code calls to use a device
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/DeviceRuntime.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <map>

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

namespace {
using Handle = void *; ///< a context, module, function or stream
using Result = int;    ///< 0: success

// Numbers of cuda.h (CUDA Driver API reference, "Data types used by CUDA driver").
constexpr unsigned attachGlobal = 1;
constexpr int errorLogBuffer = 5, errorLogBytes = 6, optimizationLevel = 7;
constexpr int maxDynamicSharedBytes = 8;

/// The functions of the driver that are used here, under their exported names.
struct Driver {
  Result (*init)(unsigned) = nullptr;
  Result (*deviceGet)(int *, int) = nullptr;
  Result (*deviceName)(char *, int, int) = nullptr;
  Result (*retainContext)(Handle *, int) = nullptr;
  Result (*setContext)(Handle) = nullptr;
  Result (*synchronize)() = nullptr;
  Result (*errorString)(Result, const char **) = nullptr;
  Result (*loadModule)(Handle *, const void *, unsigned, int *, void **) = nullptr;
  Result (*unloadModule)(Handle) = nullptr;
  Result (*getFunction)(Handle *, Handle, const char *) = nullptr;
  Result (*setFunctionAttribute)(Handle, int, int) = nullptr;
  Result (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   Handle, void **, void **) = nullptr;
  Result (*createStream)(Handle *, unsigned) = nullptr;
  Result (*destroyStream)(Handle) = nullptr;
  Result (*synchronizeStream)(Handle) = nullptr;
  Result (*allocateManaged)(void **, size_t, unsigned) = nullptr;

  /// The first name that the library lacks; empty if it has all.
  std::string bind(llvm::sys::DynamicLibrary &library);
};

struct State {
  Driver driver;
  bool isLoaded = false, isEmulated = false;
  std::string error;
  /// Allocating and freeing waits for the device, so memory is kept for later.
  std::map<void *, size_t> used;
  std::multimap<size_t, void *> spare;
};
} // namespace

static State &state() {
  static State instance;
  return instance;
}

std::string Driver::bind(llvm::sys::DynamicLibrary &library) {
  std::string missing;
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(library.getAddressOfSymbol(name));
    if (!function && missing.empty())
      missing = name;
  };
  find(init, "cuInit");
  find(deviceGet, "cuDeviceGet");
  find(deviceName, "cuDeviceGetName");
  find(retainContext, "cuDevicePrimaryCtxRetain");
  find(setContext, "cuCtxSetCurrent");
  find(synchronize, "cuCtxSynchronize");
  find(errorString, "cuGetErrorString");
  find(loadModule, "cuModuleLoadDataEx");
  find(unloadModule, "cuModuleUnload");
  find(getFunction, "cuModuleGetFunction");
  find(setFunctionAttribute, "cuFuncSetAttribute");
  find(launch, "cuLaunchKernel");
  find(createStream, "cuStreamCreate");
  find(destroyStream, "cuStreamDestroy_v2");
  find(synchronizeStream, "cuStreamSynchronize");
  find(allocateManaged, "cuMemAllocManaged");
  return missing;
}

static std::string describe(Result result) {
  const char *text = nullptr;
  state().driver.errorString(result, &text);
  return llvm::formatv("{0} (error {1})", text ? text : "unknown error", result).str();
}

/// Whether it went well; the first failure is remembered.
static bool check(Result result, const char *what) {
  if (result == 0)
    return true;
  if (state().error.empty())
    state().error = std::string(what) + ": " + describe(result);
  return false;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *DeviceRuntime::allocate(size_t bytes) {
  State &s = state();
  bytes = std::max<size_t>(bytes, 1);
  void *memory = nullptr;
  if (auto found = s.spare.find(bytes); found != s.spare.end()) {
    memory = found->second;
    s.spare.erase(found);
  } else {
    check(s.driver.allocateManaged(&memory, bytes, attachGlobal), "cannot allocate memory");
  }
  if (memory)
    s.used[memory] = bytes;
  return memory;
}

void DeviceRuntime::release(void *memory) {
  auto found = state().used.find(memory);
  if (found == state().used.end())
    return;
  state().spare.emplace(found->second, memory);
  state().used.erase(found);
}

Tensor DeviceRuntime::makeVisible(const Tensor &tensor) {
  std::shared_ptr<char> memory(static_cast<char *>(allocate(tensor.bytes())), release);
  if (memory)
    std::memcpy(memory.get(), tensor.data(), tensor.bytes());
  return Tensor(tensor.getElementType(), tensor.getShape(), std::move(memory));
}

//===----------------------------------------------------------------------===//
// Entry points of compiled code
//===----------------------------------------------------------------------===//

static Handle loadModule(void *text, int level) {
  char log[4096] = "";
  int options[] = {errorLogBuffer, errorLogBytes, optimizationLevel};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log)),
                    reinterpret_cast<void *>(static_cast<intptr_t>(level))};
  Handle module = nullptr;
  Result result = state().driver.loadModule(&module, text, 3, options, values);
  check(result, ("cannot load kernels: " + std::string(log)).c_str());
  return module;
}

static void unloadModule(Handle module) {
  if (module)
    check(state().driver.unloadModule(module), "cannot unload kernels");
}

static Handle getFunction(Handle module, const char *name) {
  Handle function = nullptr;
  if (module)
    check(state().driver.getFunction(&function, module, name), name);
  return function;
}

static void launchKernel(Handle function, intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                         intptr_t blockX, intptr_t blockY, intptr_t blockZ, int32_t sharedBytes,
                         Handle stream, void **parameters, void **extra, size_t) {
  Driver &driver = state().driver;
  if (!function || !check(driver.setFunctionAttribute(function, maxDynamicSharedBytes, sharedBytes),
                          "a kernel's shared memory"))
    return;
  check(driver.launch(function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream,
                      parameters, extra),
        "cannot launch a kernel");
}

static Handle createStream() {
  Handle stream = nullptr;
  check(state().driver.createStream(&stream, 0), "cannot create a stream");
  return stream;
}

static void destroyStream(Handle stream) {
  if (stream)
    check(state().driver.destroyStream(stream), "a stream");
}

static void synchronizeStream(Handle stream) {
  check(state().driver.synchronizeStream(stream), "a kernel failed");
}

static void *allocateAligned(size_t, size_t bytes) {
  return DeviceRuntime::allocate(bytes); // at a multiple of 256 bytes
}

llvm::orc::SymbolMap DeviceRuntime::symbols(llvm::orc::MangleAndInterner mangle) {
  auto symbol = [](auto *function) {
    return llvm::orc::ExecutorSymbolDef(llvm::orc::ExecutorAddr::fromPtr(function),
                                        llvm::JITSymbolFlags::Exported);
  };
  return {{mangle("mgpuModuleLoadJIT"), symbol(&::loadModule)},
          {mangle("mgpuModuleUnload"), symbol(&::unloadModule)},
          {mangle("mgpuModuleGetFunction"), symbol(&::getFunction)},
          {mangle("mgpuLaunchKernel"), symbol(&launchKernel)},
          {mangle("mgpuStreamCreate"), symbol(&::createStream)},
          {mangle("mgpuStreamDestroy"), symbol(&::destroyStream)},
          {mangle("mgpuStreamSynchronize"), symbol(&::synchronizeStream)},
          {mangle("malloc"), symbol(&DeviceRuntime::allocate)},
          {mangle("aligned_alloc"), symbol(&allocateAligned)},
          {mangle("free"), symbol(&DeviceRuntime::release)}};
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

bool DeviceRuntime::isEmulated() { return state().isEmulated; }

llvm::Error DeviceRuntime::load(StringRef name) {
  State &s = state();
  if (s.isLoaded)
    return llvm::Error::success();
  std::string error;
  auto library = llvm::sys::DynamicLibrary::getPermanentLibrary(name.str().c_str(), &error);
  if (!library.isValid())
    return llvm::createStringError("no driver of a device: " + error +
                                   "; give a library of the CUDA driver API by --driver");
  if (std::string missing = s.driver.bind(library); !missing.empty())
    return llvm::createStringError(name + " lacks " + missing);
  int device = 0;
  Handle context = nullptr;
  if (check(s.driver.init(0), "cannot start the driver") &&
      check(s.driver.deviceGet(&device, 0), "no device") &&
      check(s.driver.retainContext(&context, device), "cannot use the device"))
    check(s.driver.setContext(context), "cannot use the device");
  char text[256] = "";
  s.driver.deviceName(text, sizeof(text), device);
  s.isEmulated = StringRef(text).contains("interpreter");
  s.isLoaded = s.error.empty();
  return takeError();
}

llvm::Error DeviceRuntime::takeError() {
  std::string error = std::move(state().error);
  state().error.clear();
  return error.empty() ? llvm::Error::success() : llvm::createStringError(error);
}
