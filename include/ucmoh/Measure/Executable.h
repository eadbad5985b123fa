//===- Executable.h - Compiled code in this process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_MEASURE_EXECUTABLE_H
#define UCMOH_MEASURE_EXECUTABLE_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "ucmoh/Measure/Signature.h"
#include <cstdlib>

namespace ucmoh {

/// A module in the LLVM dialect, compiled at -O3 for this CPU.
class Executable {
public:
  /// `features` (LLVM's, "+a,-b") are added to those of this CPU.
  static llvm::Expected<std::unique_ptr<Executable>> compile(mlir::ModuleOp module,
                                                             llvm::StringRef features);
  /// The function of that name, taking one pointer per word of its arguments and one for its
  /// results, as mlir::ExecutionEngine packs them.
  llvm::Expected<void (*)(void **)> lookup(llvm::StringRef name) const {
    return engine->lookupPacked(name);
  }

  /// Whether it starts kernels on a device, through DeviceRuntime, which must be loaded.
  bool usesDevice() const { return onDevice; }

private:
  std::unique_ptr<mlir::ExecutionEngine> engine;
  bool onDevice = false;
};

/// A function with its arguments in place: can be called again and again.
class Invocation {
public:
  static llvm::Expected<std::unique_ptr<Invocation>>
  create(const Executable &executable, const Signature &signature, std::vector<Tensor> arguments);

  /// Calls the function; what it returned before is freed.
  void run();
  /// Copies what the last call returned.
  std::vector<Tensor> getResults() const;
  ~Invocation() { freeResults(); }

private:
  Invocation(const Signature &signature, std::vector<Tensor> arguments);
  void layOutArguments();
  void layOutResults();
  void freeResults();

  Signature signature;
  std::vector<Tensor> arguments;
  void (*function)(void **) = nullptr;
  std::vector<int64_t> words;         ///< the memref descriptors of the arguments
  std::vector<void *> pointers;       ///< to each word or scalar; last, to the results
  std::vector<int64_t> resultWords;   ///< the struct that the function returns
  std::vector<int64_t> resultOffsets; ///< in bytes, one per result
  bool hasResults = false;
  void (*release)(void *) = std::free; ///< memory that compiled code has allocated
};

} // namespace ucmoh

#endif // UCMOH_MEASURE_EXECUTABLE_H
