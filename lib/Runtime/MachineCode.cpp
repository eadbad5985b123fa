//===- MachineCode.cpp - From the LLVM dialect to object files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/MachineCode.h"
#include "NativeCode.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace ucmoh;

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createForeignMachine(const CodeTarget &target) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();
  llvm::Triple triple(target.triple);
  std::string message;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return llvm::createStringError(message);
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, target.cpu, target.features, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  if (!triple.isLittleEndian() || machine->createDataLayout().getPointerSize() != 8)
    return llvm::createStringError("cannot call code for " + target.triple +
                                   ": not little-endian with pointers of 64 bits");
  return machine;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
ucmoh::createMachine(const CodeTarget &target) {
  bool isNative = target.triple.empty() || isHostArchitecture(target.triple);
  return isNative ? createNativeMachine(target) : createForeignMachine(target);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
ucmoh::translate(ModuleOp module, llvm::LLVMContext &context, const llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context);
  if (!translated)
    return llvm::createStringError("the module does not become LLVM IR");
  translated->setDataLayout(machine.createDataLayout());
  translated->setTargetTriple(machine.getTargetTriple());
  return translated;
}

llvm::Error ucmoh::optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  ignoreRefusedLoops(module.getContext());
  if (!isHostArchitecture(machine.getTargetTriple().str()))
    return makeOptimizingTransformer(3, 0, &machine)(&module);
  optimizeNative(module, machine);
  return llvm::Error::success();
}

llvm::Expected<std::string> ucmoh::emit(llvm::Module &module, llvm::TargetMachine &machine,
                                        llvm::CodeGenFileType kind) {
  SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    return llvm::createStringError("LLVM cannot write such files for " +
                                   machine.getTargetTriple().str());
  passes.run(module);
  return bytes.str().str();
}

std::vector<std::string> ucmoh::enabledFeatures(const llvm::TargetMachine &machine) {
  std::vector<std::string> names;
  for (const llvm::SubtargetFeatureKV &feature :
       machine.getMCSubtargetInfo()->getEnabledProcessorFeatures())
    names.push_back(feature.Key);
  return names;
}
