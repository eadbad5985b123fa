//===- MachineCode.cpp - From the LLVM dialect to object files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/MachineCode.h"
#include "Subprocess.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

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

llvm::Expected<std::string> ucmoh::generateCode(ModuleOp module, const CodeTarget &target,
                                                llvm::CodeGenFileType kind,
                                                llvm::function_ref<void(llvm::Module &)> change) {
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto translated = translate(module, context, **machine);
  if (!translated)
    return translated.takeError();
  change(**translated);
  if (auto error = optimize(**translated, **machine))
    return std::move(error);
  return emit(**translated, **machine, kind);
}

std::vector<std::string> ucmoh::enabledFeatures(const llvm::TargetMachine &machine) {
  std::vector<std::string> names;
  for (const llvm::SubtargetFeatureKV &feature :
       machine.getMCSubtargetInfo()->getEnabledProcessorFeatures())
    names.push_back(feature.Key);
  return names;
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

/// The linker writes beside its output, so that has to be a real file for a moment.
llvm::Expected<std::string> ucmoh::link(llvm::ArrayRef<std::string> command,
                                        llvm::ArrayRef<llvm::StringRef> objects,
                                        llvm::ArrayRef<std::string> libraries,
                                        llvm::StringRef source) {
  llvm::SmallString<128> directory;
  if (auto code = llvm::sys::fs::createUniqueDirectory("ucmoh", directory))
    return llvm::createStringError("cannot make a temporary directory: " + code.message());
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(directory); });
  std::string path = (directory + "/linked").str();
  MemoryFile sourceFile(source), output;
  std::vector<std::unique_ptr<MemoryFile>> files;
  std::vector<std::string> words = command;
  llvm::append_range(words, std::vector<std::string>{"-o", path});
  if (!source.empty())
    llvm::append_range(words, std::vector<std::string>{"-xc", "-", "-xnone"});
  for (llvm::StringRef object : objects)
    if (!object.empty()) {
      files.push_back(std::make_unique<MemoryFile>(object));
      words.push_back(files.back()->path());
    }
  llvm::append_range(words, libraries);
  if (auto error = runProgram(words, sourceFile, output))
    return std::move(error);
  auto linked = llvm::MemoryBuffer::getFile(path);
  if (!linked)
    return llvm::createStringError(path + ": " + linked.getError().message());
  return (*linked)->getBuffer().str();
}

//===----------------------------------------------------------------------===//
// This CPU
//===----------------------------------------------------------------------===//

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
  return generateCode(module, target, llvm::CodeGenFileType::AssemblyFile, [](llvm::Module &) {});
}
