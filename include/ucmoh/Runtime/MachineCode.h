//===- MachineCode.h - From the LLVM dialect to object files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_MACHINECODE_H
#define UCMOH_RUNTIME_MACHINECODE_H

#include "ucmoh/Runtime/Executable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace ucmoh {

/// LLVM's code generator for the target: what the target's triple names, or this CPU's.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(const CodeTarget &target);

/// The module in LLVM IR, for that code generator. `context` outlives it.
llvm::Expected<std::unique_ptr<llvm::Module>>
translate(mlir::ModuleOp module, llvm::LLVMContext &context, const llvm::TargetMachine &machine);

/// At -O3, as code that runs here, or in an emulator, is optimized.
llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// The bytes of a file of that kind.
llvm::Expected<std::string> emit(llvm::Module &module, llvm::TargetMachine &machine,
                                 llvm::CodeGenFileType kind);

/// The bytes of a file of that kind with optimized code of the module for the target. `change` sees
/// the module in LLVM IR before it is optimized.
llvm::Expected<std::string> generateCode(mlir::ModuleOp module, const CodeTarget &target,
                                         llvm::CodeGenFileType kind,
                                         llvm::function_ref<void(llvm::Module &)> change);

/// LLVM's names of the target's features that the code generator may use.
std::vector<std::string> enabledFeatures(const llvm::TargetMachine &machine);

/// Runs `command`, a linker with its options, or a compiler of C that calls one, on object files
/// and archives (those that are not empty) and on `libraries`, as options behind them. The compiler
/// takes a source file as well, unless that is empty. Returns what was linked; an error has the
/// messages.
llvm::Expected<std::string> link(llvm::ArrayRef<std::string> command,
                                 llvm::ArrayRef<llvm::StringRef> objects,
                                 llvm::ArrayRef<std::string> libraries,
                                 llvm::StringRef source = "");

/// The code generator for this CPU with the target's features.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createNativeMachine(const CodeTarget &target);

/// Without warnings of loops that LLVM was told to vectorize, and does not.
void ignoreRefusedLoops(llvm::LLVMContext &context);

/// LLVM's passes of -O3 without its unrolling: that of small copies takes most of the time of
/// compilation (ten times as much for a padded convolution), and kernels choose their own.
void optimizeNative(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_MACHINECODE_H
