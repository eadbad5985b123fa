//===- NativeCode.cpp - LLVM's compiler for this CPU
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeCode.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace ucmoh;

using MachineBuilder = llvm::orc::JITTargetMachineBuilder;

/// LLVM 22 ends the process at constants among vectors of bf16 where there are instructions for f16
/// ("Cannot select: f16 = bitcast ConstantFP:bf16"). So they are there only if a target's file
/// asks.
static constexpr StringRef unsafeFeature = "+avx512fp16";

/// For all that this CPU has, unless the target is exact: for what every CPU has.
static MachineBuilder startBuilder(const CodeTarget &target) {
  MachineBuilder builder((llvm::Triple(llvm::sys::getProcessTriple())));
  if (target.isExact)
    return builder;
  // LLVM's model of this CPU does not know instructions that it lacks: those of AMD's rename tile
  // registers after they have been configured.
  builder.setCPU(target.isEmulated ? "generic" : hostCpuName().str());
  for (const auto &feature : hostFeatures(Emulated::Excluded))
    builder.getFeatures().AddFeature(feature.first(), feature.second);
  return builder;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
ucmoh::createNativeMachine(const CodeTarget &target) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  MachineBuilder builder = startBuilder(target);
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  if (target.isFile) { // the builder's own are for code that stays where it is
    builder.setRelocationModel(llvm::Reloc::PIC_);
    builder.setCodeModel(llvm::CodeModel::Small);
    builder.getOptions().EmulatedTLS = false;
  }
  SmallVector<StringRef> parts;
  StringRef(target.features).split(parts, ',', -1, /*KeepEmpty=*/false);
  if (!llvm::is_contained(parts, unsafeFeature))
    builder.addFeatures({("-" + unsafeFeature.drop_front()).str()});
  builder.addFeatures(std::vector<std::string>(parts.begin(), parts.end()));
  return builder.createTargetMachine();
}

/// What is called from outside only hands its arguments on. A network's are thousands of words in
/// one block, for which LLVM's combiner takes quadratic time.
static void leaveWrappersAlone(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getName().starts_with("_mlir_")) {
      function.addFnAttr(llvm::Attribute::OptimizeNone);
      function.addFnAttr(llvm::Attribute::NoInline);
    }
}

namespace {
/// LLVM warns of each loop that it does not vectorize although it was told to. The loop runs as it
/// is, and a user can do nothing about it.
struct IgnoreRefusedLoops : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    return info.getKind() >= llvm::DK_FirstRemark && info.getKind() <= llvm::DK_LastRemark;
  }
};
} // namespace

void ucmoh::ignoreRefusedLoops(llvm::LLVMContext &context) {
  context.setDiagnosticHandler(std::make_unique<IgnoreRefusedLoops>());
}

void ucmoh::optimizeNative(llvm::Module &module, llvm::TargetMachine &machine) {
  ignoreRefusedLoops(module.getContext());
  leaveWrappersAlone(module);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = tuning.LoopVectorization = tuning.SLPVectorization = true;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

llvm::Expected<std::string> Executable::assemble(ModuleOp module, const CodeTarget &target) {
  auto machine = createNativeMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto translated = translate(module, context, **machine);
  if (!translated)
    return translated.takeError();
  optimizeNative(**translated, **machine);
  return emit(**translated, **machine, llvm::CodeGenFileType::AssemblyFile);
}
