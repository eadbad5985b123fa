//===- Executable.h - Compiled code and its calls
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_EXECUTABLE_H
#define UCMOH_RUNTIME_EXECUTABLE_H

#include "mlir/IR/BuiltinOps.h"
#include "ucmoh/Runtime/Signature.h"

namespace ucmoh {

/// Says what code is generated for, in LLVM's words. Without a triple it is for this process's CPU,
/// to whose features those given here are added.
struct CodeTarget {
  std::string triple, cpu, features; ///< as llc takes them
  bool isEmulated = false;           ///< instructions of it trap, and are emulated
  bool isExact = false;              ///< native code uses no feature of this CPU but those given
  bool isFile = false;               ///< native code is for a file, not for this process
};

/// A function with its arguments in place: can be called again and again.
class Invocation {
public:
  virtual ~Invocation() = default;
  /// Calls the function; what it returned before is freed.
  virtual llvm::Error run() = 0;
  /// Copies what the last call returned.
  virtual std::vector<Tensor> getResults() const = 0;
};

/// A module in the LLVM dialect, compiled at -O3: for this process where the triple has its
/// architecture, else as a program of its own that qemu executes.
class Executable {
public:
  /// Errors: what LLVM, the linker or the emulator says.
  static llvm::Expected<std::unique_ptr<Executable>> compile(mlir::ModuleOp module,
                                                             const CodeTarget &target);
  virtual ~Executable() = default;
  /// The assembly of what `compile` makes for this process.
  static llvm::Expected<std::string> assemble(mlir::ModuleOp module, const CodeTarget &target);
  /// Which tool is missing for code of another architecture; empty for all that can be executed.
  static std::string whyNotHere(llvm::StringRef triple);

  /// The function `signature.name`; its memrefs have to be contiguous.
  virtual llvm::Expected<std::unique_ptr<Invocation>> prepare(const Signature &signature,
                                                              std::vector<Tensor> arguments) = 0;
  /// An emulator's times say nothing about the processor.
  virtual bool isEmulated() const = 0;
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_EXECUTABLE_H
