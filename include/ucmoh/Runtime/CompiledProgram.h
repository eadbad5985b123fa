//===- CompiledProgram.h - One function, compiled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_COMPILEDPROGRAM_H
#define UCMOH_RUNTIME_COMPILEDPROGRAM_H

#include "ucmoh/Runtime/Executable.h"
#include "ucmoh/Transforms/KernelNeeds.h"

namespace ucmoh {

/// How a function is compiled.
struct CompileOptions {
  bool tensorize = true;                                ///< else plain loops: the reference
  std::string target = "host", model = "auto", choices; ///< as of the pass
  int64_t threads = 1;   ///< of this process, that one kernel may use
  std::string driver;    ///< of the device, where the target has one; empty: its file names it
  std::string assembler; ///< of the device; where there is one, kernels' needs are read
  /// Each pass's result is verified. That takes a third of the passes' time: whoever compares
  /// results of many programs with plain loops may do without.
  bool verifyPasses = true;
};

/// A contraction or convolution of the program; its index is its position in walk order.
struct OpInfo {
  std::string workload;        ///< name, or why there is none
  int64_t flops = 0;           ///< 0 when unknown
  std::string choice;          ///< empty when it stayed plain linalg
  double predictedSeconds = 0; ///< 0 when unknown
};

/// What is no contraction: parts of the program with the same name.
struct RestInfo {
  std::string name;  ///< what it computes, and on how much
  int64_t count = 0; ///< of the parts
};

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

  /// Of the function as written: what `prepare` wants.
  const Signature &getSignature() const { return original; }
  llvm::ArrayRef<OpInfo> getOps() const { return ops; }
  /// What is timed besides the ops, with the numbers after theirs.
  llvm::ArrayRef<RestInfo> getRest() const { return rest; }
  /// Of a device, where its assembler was found.
  llvm::ArrayRef<KernelNeeds> getKernels() const { return kernels; }

  /// An emulator's times say nothing.
  bool isEmulated() const { return executable->isEmulated(); }

  /// Takes the arguments; packs the weights among them.
  llvm::Error prepare(const std::vector<Tensor> &arguments);
  llvm::Error run() { return invocation->run(); }
  std::vector<Tensor> getResults() const { return invocation->getResults(); }

private:
  llvm::Error readSignatures(mlir::ModuleOp module, llvm::StringRef entry);

  Signature original, compiled;
  std::optional<Signature> pack; ///< of @NAME.pack
  std::vector<OpInfo> ops;
  std::vector<RestInfo> rest;
  std::vector<KernelNeeds> kernels;
  std::shared_ptr<Executable> executable; ///< of all functions that were compiled together
  std::unique_ptr<Invocation> invocation;
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_COMPILEDPROGRAM_H
