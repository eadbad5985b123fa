//===- DriverLaunch.cpp - Launches of the driver API ----------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Driver.h"

using namespace ucmoh::ptx;

/// The arguments behind `pointers`, laid out as the kernel's parameters are.
static std::vector<uint8_t> gatherArguments(const Kernel &kernel, void **pointers) {
  std::vector<uint8_t> arguments(kernel.parameterBytes);
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    std::memcpy(&arguments[kernel.parameters[i].offset], pointers[i], kernel.parameters[i].size);
  return arguments;
}

/// `extra` is a list of names and values that ends with null: 1 is the buffer, 2 its size.
static bool unpackArguments(const Kernel &kernel, void **extra, std::vector<uint8_t> &arguments) {
  const uint8_t *buffer = nullptr;
  size_t size = 0;
  for (; extra && extra[0]; extra += 2) {
    if (extra[0] == reinterpret_cast<void *>(1))
      buffer = static_cast<uint8_t *>(extra[1]);
    if (extra[0] == reinterpret_cast<void *>(2))
      size = *static_cast<size_t *>(extra[1]);
  }
  if (!buffer || size < kernel.parameterBytes)
    return false;
  arguments.assign(buffer, buffer + size);
  return true;
}

static CUresult checkExtents(const Kernel &kernel, Extent grid, Extent block, unsigned shared) {
  const unsigned *required = kernel.requiredThreads;
  if (grid.total() == 0 || block.total() == 0 || block.total() > 1024 || block.z > 64)
    return report(CUDA_ERROR_INVALID_VALUE,
                  "kernel '" + kernel.name + "': a grid or a block of this size is not possible");
  if (required[0] && (required[0] != block.x || required[1] != block.y || required[2] != block.z))
    return report(CUDA_ERROR_INVALID_VALUE, "kernel '" + kernel.name + "': .reqntid is another");
  if (kernel.maxThreads && block.total() > kernel.maxThreads)
    return report(CUDA_ERROR_INVALID_VALUE, "kernel '" + kernel.name + "': .maxntid is less");
  int limit = std::max(kernel.maxDynamicSharedBytes, 48 * 1024 - int(kernel.staticSharedBytes));
  if (int(shared) > limit || shared + kernel.staticSharedBytes > 232448)
    return report(CUDA_ERROR_INVALID_VALUE, "kernel '" + kernel.name + "': " + llvm::Twine(shared) +
                                                " bytes of dynamic shared memory are more than " +
                                                llvm::Twine(limit) + ", see cuFuncSetAttribute");
  return CUDA_SUCCESS;
}

static CUresult launch(const Kernel &kernel, Extent grid, Extent block, unsigned shared,
                       std::vector<uint8_t> arguments) {
  Driver &driver = Driver::get();
  if (CUresult error = checkExtents(kernel, grid, block, shared))
    return error;
  std::lock_guard<std::mutex> lock(driver.mutex);
  Launch run{kernel, driver.memory, grid, block, shared, std::move(arguments), {}, 0, ""};
  execute(run);
  run.statistics.append(kernel.name, grid, block, kernel.staticSharedBytes + shared);
  return run.error ? report(CUresult(run.error), run.message) : CUDA_SUCCESS;
}

PTX_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                   unsigned gridZ, unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned shared, CUstream, void **parameters,
                                   void **extra) {
  auto *kernel = reinterpret_cast<Kernel *>(function);
  if (!kernel)
    return CUDA_ERROR_INVALID_HANDLE;
  std::vector<uint8_t> arguments;
  if (parameters)
    arguments = gatherArguments(*kernel, parameters);
  else if (kernel->parameterBytes && !unpackArguments(*kernel, extra, arguments))
    return report(CUDA_ERROR_INVALID_VALUE, "kernel '" + kernel->name + "': arguments are missing");
  return launch(*kernel, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared,
                std::move(arguments));
}

namespace {
/// CUlaunchConfig without its attributes, which are about clusters and scheduling.
struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  CUstream stream;
  void *attributes;
  unsigned numAttributes;
};
} // namespace

PTX_EXPORT CUresult cuLaunchKernelEx(const LaunchConfig *config, CUfunction function,
                                     void **parameters, void **extra) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  return cuLaunchKernel(function, config->grid[0], config->grid[1], config->grid[2],
                        config->block[0], config->block[1], config->block[2], config->shared,
                        config->stream, parameters, extra);
}
