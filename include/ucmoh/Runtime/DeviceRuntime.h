//===- DeviceRuntime.h - What compiled code calls to use a device
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_DEVICERUNTIME_H
#define UCMOH_RUNTIME_DEVICERUNTIME_H

#include "ucmoh/Runtime/Tensor.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace ucmoh {

/// The entry points that MLIR's GPU dialect compiles launches to, on top of the device's driver.
/// The driver is a library found at run time: none is needed to build, and one that interprets
/// kernels serves where there is no device.
///
/// Host and device share all buffers of compiled code (managed memory), so that what is no kernel
/// runs on the host without copies of its own.
///
/// One per process, of a single thread. Call `load` in the process that runs the code: a driver
/// does not survive a fork.
class DeviceRuntime {
public:
  /// Loads the driver (a library's name or path) and takes its first device. Again: does nothing.
  static llvm::Error load(llvm::StringRef library);
  /// Whether the driver interprets kernels: times say nothing then.
  static bool isEmulated();
  /// The functions that compiled code calls, malloc and free among them.
  static llvm::orc::SymbolMap symbols(llvm::orc::MangleAndInterner mangle);
  /// A copy in memory that the device sees.
  static Tensor makeVisible(const Tensor &tensor);
  static void *allocate(size_t bytes);
  static void release(void *memory);
  /// Returns what went wrong since the last call: compiled code has no way to say so.
  static llvm::Error takeError();
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_DEVICERUNTIME_H
