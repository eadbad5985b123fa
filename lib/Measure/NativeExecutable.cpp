//===- NativeExecutable.cpp - Compiled code in this process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeExecutable.h"
#include "CallFrame.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "ucmoh/Measure/DeviceRuntime.h"
#include "ucmoh/Measure/OpClock.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <cstdlib>
#include <cstring>
#include <set>

using namespace mlir;
using namespace ucmoh;

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const CodeTarget &target) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  // LLVM's model of this CPU does not know instructions that it lacks: those of AMD's rename tile
  // registers after they have been configured.
  if (target.isEmulated)
    builder->setCPU("generic");
  SmallVector<StringRef> parts;
  StringRef(target.features).split(parts, ',', -1, /*KeepEmpty=*/false);
  builder->addFeatures(std::vector<std::string>(parts.begin(), parts.end()));
  return builder->createTargetMachine();
}

/// LLVM's passes of -O3 without its unrolling: that of small copies takes most of the time of
/// compilation (ten times as much for a padded convolution), and kernels choose their own.
static llvm::Error optimize(llvm::Module *module, llvm::TargetMachine *machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = tuning.LoopVectorization = tuning.SLPVectorization = true;
  llvm::PassBuilder builder(machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(*module, modules);
  return llvm::Error::success();
}

/// What generated code calls and this program provides.
static llvm::orc::SymbolMap providedSymbols(llvm::orc::MangleAndInterner mangle) {
  auto symbol = [](auto *function) {
    return llvm::orc::ExecutorSymbolDef(llvm::orc::ExecutorAddr::fromPtr(function),
                                        llvm::JITSymbolFlags::Exported);
  };
  // Functions that the module declares are called through their C interface.
  return {{mangle("memrefCopy"), symbol(&memrefCopy)},
          {mangle("_mlir_ciface_ucmoh_op_begin"), symbol(&OpClock::begin)},
          {mangle("_mlir_ciface_ucmoh_op_end"), symbol(&OpClock::end)}};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
class NativeInvocation : public Invocation {
public:
  NativeInvocation(void (*function)(void **), const Signature &signature,
                   std::vector<Tensor> arguments, bool onDevice)
      : frame(signature, std::move(arguments)), function(function), onDevice(onDevice) {}
  ~NativeInvocation() override { freeResults(); }

  llvm::Error run() override {
    freeResults();
    function(frame.pointers.data());
    hasResults = true;
    return onDevice ? DeviceRuntime::takeError() : llvm::Error::success();
  }
  std::vector<Tensor> getResults() const override;

private:
  void freeResults();

  CallFrame frame;
  void (*function)(void **);
  bool onDevice;
  bool hasResults = false;
};
} // namespace

void NativeInvocation::freeResults() {
  std::set<void *> allocated;
  for (auto [result, offset] : llvm::zip_equal(frame.signature.results, frame.resultOffsets))
    if (hasResults && !result.isScalar)
      allocated.insert(reinterpret_cast<void *>(frame.resultWords[offset / sizeof(int64_t)]));
  for (void *memory : allocated)
    (onDevice ? DeviceRuntime::release : std::free)(memory);
  hasResults = false;
}

std::vector<Tensor> NativeInvocation::getResults() const {
  std::vector<Tensor> tensors;
  for (auto [result, offset] : llvm::zip_equal(frame.signature.results, frame.resultOffsets)) {
    auto *at = reinterpret_cast<const char *>(frame.resultWords.data()) + offset;
    if (result.isScalar) {
      tensors.emplace_back(result.elementType, ArrayRef<int64_t>());
      std::memcpy(tensors.back().data(), at, tensors.back().bytes());
      continue;
    }
    auto *descriptor = reinterpret_cast<const int64_t *>(at);
    ArrayRef<int64_t> sizes(descriptor + 3, result.shape.size());
    tensors.emplace_back(result.elementType, sizes);
    auto *first = reinterpret_cast<const char *>(descriptor[1]) +
                  descriptor[2] * Tensor::bytesOf(result.elementType);
    std::memcpy(tensors.back().data(), first, tensors.back().bytes());
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

namespace {
class NativeExecutable : public Executable {
public:
  NativeExecutable(std::unique_ptr<ExecutionEngine> engine, bool onDevice, bool traps)
      : engine(std::move(engine)), onDevice(onDevice), traps(traps) {}

  llvm::Expected<std::unique_ptr<Invocation>> prepare(const Signature &signature,
                                                      std::vector<Tensor> arguments) override {
    auto function = engine->lookupPacked(signature.name);
    if (!function)
      return function.takeError();
    if (onDevice)
      for (Tensor &tensor : arguments)
        tensor = DeviceRuntime::makeVisible(tensor);
    return std::make_unique<NativeInvocation>(*function, signature, std::move(arguments), onDevice);
  }
  bool isEmulated() const override { return traps || (onDevice && DeviceRuntime::isEmulated()); }

private:
  std::unique_ptr<ExecutionEngine> engine;
  bool onDevice; ///< starts kernels there
  bool traps;    ///< at instructions that an emulator executes
};
} // namespace

llvm::Expected<std::unique_ptr<Executable>> ucmoh::compileNative(ModuleOp module,
                                                                 const CodeTarget &target) {
  auto machine = createMachine(target);
  auto forOptimizer = createMachine(target); // the engine takes the other one
  if (!machine)
    return machine.takeError();
  if (!forOptimizer)
    return forOptimizer.takeError();
  ExecutionEngineOptions options;
  auto transformer = [&](llvm::Module *llvmModule) {
    return optimize(llvmModule, forOptimizer->get());
  };
  options.transformer = transformer; // a reference
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return engine.takeError();
  (*engine)->registerSymbols(providedSymbols);
  bool onDevice = !module.getOps<gpu::BinaryOp>().empty();
  if (onDevice)
    (*engine)->registerSymbols(DeviceRuntime::symbols);
  (*engine)->initialize(); // loads the kernels
  if (auto error = onDevice ? DeviceRuntime::takeError() : llvm::Error::success())
    return std::move(error);
  return std::make_unique<NativeExecutable>(std::move(*engine), onDevice, target.isEmulated);
}
