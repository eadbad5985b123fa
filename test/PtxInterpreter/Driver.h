//===- Driver.h - State behind the driver API -------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_DRIVER_H
#define UCMOH_PTXINTERPRETER_DRIVER_H

#include "CudaTypes.h"
#include "LoadedModule.h"
#include "llvm/ADT/Twine.h"
#include <chrono>
#include <mutex>

/// Marks what the library exports.
#define PTX_EXPORT extern "C" __attribute__((visibility("default")))

namespace ucmoh::ptx {

/// One device with one memory. Everything happens in the call that asks for it, so a stream is
/// always empty and an event has happened as soon as it is recorded.
struct Driver {
  static Driver &get();

  std::mutex mutex;
  bool isInitialized = false;
  DeviceMemory memory;
  std::vector<std::unique_ptr<LoadedModule>> modules;
  std::vector<CUcontext> contexts;
  /// 90 for compute capability 9.0.
  unsigned computeCapability = 90;
};

/// Prints one line to standard error and returns `code`.
CUresult report(CUresult code, const llvm::Twine &message);

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_DRIVER_H
