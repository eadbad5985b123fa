//===- MachineCode.h - From the LLVM dialect to object files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_MACHINECODE_H
#define UCMOH_RUNTIME_MACHINECODE_H

#include "ucmoh/Runtime/Executable.h"
#include "llvm/Support/CodeGen.h"

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

/// LLVM's names of the target's features that the code generator may use.
std::vector<std::string> enabledFeatures(const llvm::TargetMachine &machine);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_MACHINECODE_H
