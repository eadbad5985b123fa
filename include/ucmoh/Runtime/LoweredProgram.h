//===- LoweredProgram.h - Functions in the LLVM dialect
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_LOWEREDPROGRAM_H
#define UCMOH_RUNTIME_LOWEREDPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "ucmoh/Runtime/Executable.h"
#include "ucmoh/Runtime/KernelChecks.h"
#include "ucmoh/Transforms/KernelNeeds.h"

namespace ucmoh {

/// How a function is compiled.
struct CompileOptions {
  bool tensorize = true;                                ///< else plain loops: the reference
  std::string target = "host", model = "auto", choices; ///< as of the pass
  int64_t threads = 1;                                  ///< that one kernel may use in this process
  bool winograd = true;  ///< convolutions may be computed with fewer products
  std::string driver;    ///< the device's, where the target has one; empty: its file names it
  std::string assembler; ///< the device's; where there is one, kernels' needs are read
  /// Functions are for a program that is built later, perhaps for another CPU: each result is
  /// written to memory that the caller gives, behind the arguments, and no clock is called. A
  /// target by name means its features alone, not what this CPU has besides them.
  bool ahead = false;
  /// Kernels and loops of a network become functions, since LLVM is slow with large ones.
  bool outline = true;
  /// Each kernel is compared with plain loops when it runs, where the code runs in this process.
  bool check = false;
};

/// A contraction or convolution of the program; its index is its position in walk order.
struct OpInfo {
  std::string workload;        ///< name, or why there is none
  int64_t flops = 0;           ///< 0 when unknown
  std::string choice;          ///< empty when it stayed plain linalg
  std::string intrinsic;       ///< without its target; empty where LLVM chose the instructions
  std::string summary;         ///< the choice, or the intrinsic's use without one, in few words
  double predictedSeconds = 0; ///< 0 when unknown
};

/// Parts of the program that are no contraction, all with the same name.
struct RestInfo {
  std::string name;  ///< what it computes, and on how much
  int64_t count = 0; ///< how many parts there are
};

/// A public function of a module, as it came out of the passes.
struct LoweredFunction {
  Signature original;               ///< as written
  Signature compiled;               ///< after hoisting; results as the function had them on tensors
  std::optional<Signature> pack;    ///< @NAME.pack's
  std::vector<OpInfo> ops;          ///< its contractions, in walk order
  std::vector<RestInfo> rest;       ///< the rest, with the numbers after the ops'
  std::vector<KernelNeeds> kernels; ///< a device's, where its assembler was found
  std::vector<CheckInfo> checks;    ///< comparisons of kernels, if the options ask for them
  bool rounds = false;              ///< floats become integers: a last bit may be a whole step
};

/// A program before LLVM, with which all ways to compile it begin.
struct LoweredProgram {
  /// The functions `entries`, in one go. Does not change `module`. Errors hold the first diagnostic
  /// of the passes.
  static llvm::Expected<LoweredProgram>
  lower(mlir::ModuleOp module, llvm::ArrayRef<std::string> entries, const CompileOptions &options);

  mlir::OwningOpRef<mlir::ModuleOp> module; ///< in the LLVM dialect
  CodeTarget target;                        ///< the CPU that code is generated for
  std::vector<LoweredFunction> functions;   ///< in the order of `entries`
};

/// Makes what each compilation begins with: a copy of the module in which only `entries` are
/// public, without what is not used or computed twice. What is counted there is still there at the
/// end.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> isolate(mlir::ModuleOp module,
                                                          llvm::ArrayRef<std::string> entries);

/// Marks the contractions of an isolated function with their index, `ucmoh.op`, and describes them.
std::vector<OpInfo> numberOps(mlir::func::FuncOp function);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_LOWEREDPROGRAM_H
