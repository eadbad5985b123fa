//===- ProgramOptions.h - Command line options of tools that compile programs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_PROGRAMOPTIONS_H
#define UCMOH_RUNTIME_PROGRAMOPTIONS_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "ucmoh/Runtime/LoweredProgram.h"
#include "llvm/Support/CommandLine.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace ucmoh {

/// The name, which no other option has afterwards: libLLVM registers some for tools of its own.
inline llvm::StringRef freeOptionName(llvm::StringRef name) {
  if (llvm::cl::Option *other = llvm::cl::getRegisteredOptions().lookup(name))
    other->removeArgument();
  return name;
}

/// Prints the error, if there is one, and fails then.
llvm::LogicalResult printError(llvm::Error error);

/// The options of tools that compile programs: what is compiled, and how. A static object of this
/// class registers them. Whatever fails prints one error.
class ProgramOptions {
public:
  explicit ProgramOptions(llvm::cl::OptionCategory &category);

  /// The module of the input file; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext &context,
                                          llvm::SourceMgr &sources) const;
  /// Whether target, model and choices exist, and threads are positive. Notes what is odd.
  bool check(mlir::MLIRContext &context) const;

  /// Does a tool's work with the module and the functions to compile (--entry, or all public ones).
  using Body = llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp, llvm::ArrayRef<std::string>)>;

  /// Parses the input file, checks the options and calls the body. Returns the tool's exit code.
  /// Tools that fork children take a context without threads.
  int run(mlir::MLIRContext::Threading threading, Body body) const;

  /// Returns the options that were given: all of them, and the threads alone.
  CompileOptions toCompileOptions() const;
  int64_t getThreads() const { return threads; }

private:
  std::vector<std::string> findFunctions(mlir::ModuleOp module) const;

  llvm::cl::opt<std::string> inputFile, entry, target, model, choices;
  llvm::cl::opt<int64_t> threads;
  llvm::cl::opt<bool> winograd;
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_PROGRAMOPTIONS_H
