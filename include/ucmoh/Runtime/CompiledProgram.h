//===- CompiledProgram.h - One function, compiled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_COMPILEDPROGRAM_H
#define UCMOH_RUNTIME_COMPILEDPROGRAM_H

#include "ucmoh/Runtime/LoweredProgram.h"

namespace ucmoh {

/// A public function of a module, compiled together with what it calls.
class CompiledProgram {
public:
  /// The functions `entries`, in one go. Does not change `module`. Errors hold the first diagnostic
  /// of the passes.
  static llvm::Expected<std::vector<std::unique_ptr<CompiledProgram>>>
  compile(mlir::ModuleOp module, llvm::ArrayRef<std::string> entries,
          const CompileOptions &options);
  /// One function.
  static llvm::Expected<std::unique_ptr<CompiledProgram>>
  compile(mlir::ModuleOp module, llvm::StringRef entry, const CompileOptions &options);

  /// The function as written: what `prepare` wants.
  const Signature &getSignature() const { return function.original; }
  llvm::ArrayRef<OpInfo> getOps() const { return function.ops; }
  /// Returns the parts that are timed besides the ops. They have the numbers after the ops'.
  llvm::ArrayRef<RestInfo> getRest() const { return function.rest; }
  /// Returns the needs of a device's kernels, where its assembler was found.
  llvm::ArrayRef<KernelNeeds> getKernels() const { return function.kernels; }
  /// Those that the program was compiled with.
  llvm::ArrayRef<CheckInfo> getChecks() const { return function.checks; }
  /// Whether it rounds floats to integers, so that the last bit of one may be a whole step.
  bool roundsFloats() const { return function.rounds; }

  /// An emulator's times say nothing.
  bool isEmulated() const { return executable->isEmulated(); }

  /// Takes the arguments; packs the weights among them.
  llvm::Error prepare(const std::vector<Tensor> &arguments);
  llvm::Error run() { return invocation->run(); }
  std::vector<Tensor> getResults() const { return invocation->getResults(); }

private:
  LoweredFunction function;
  std::shared_ptr<Executable> executable; ///< shared by all functions that were compiled together
  std::unique_ptr<Invocation> invocation;
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_COMPILEDPROGRAM_H
