//===- Executable.cpp - Where compiled code runs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Executable.h"
#include "CallFrame.h"
#include "ForeignExecutable.h"
#include "KernelObjects.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Runtime/DeviceRuntime.h"
#include "ucmoh/Runtime/KernelChecks.h"
#include "ucmoh/Runtime/KernelUnits.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "ucmoh/Runtime/OpClock.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <cstdlib>
#include <cstring>
#include <set>

using namespace mlir;
using namespace ucmoh;

/// Stands for the C library's abort: ends the process with an error behind an assertion's message.
[[noreturn]] static void stopAtAssertion() {
  std::fflush(stdout);
  llvm::errs() << "error: an assertion of the program does not hold\n";
  std::_Exit(EXIT_FAILURE);
}

/// Stands for the C library's malloc, whose result compiled code does not look at: ends the process
/// with an error where there is no memory.
static void *allocateOrStop(size_t bytes) {
  void *memory = std::malloc(bytes);
  if (memory || bytes == 0)
    return memory;
  std::fflush(stdout);
  llvm::errs() << "error: no memory for " << bytes << " bytes that the program computes with\n";
  std::_Exit(EXIT_FAILURE);
}

template <typename Function> static llvm::orc::ExecutorSymbolDef symbol(Function *function) {
  return {llvm::orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported};
}

/// Lists what generated code calls and this program provides.
static llvm::orc::SymbolMap providedSymbols(llvm::orc::MangleAndInterner mangle) {
  // Functions that the module declares are called through their C interface.
  return {{mangle("memrefCopy"), symbol(&memrefCopy)},
          {mangle("abort"), symbol(&stopAtAssertion)},
          {mangle("_mlir_ciface_ucmoh_op_begin"), symbol(&OpClock::begin)},
          {mangle("_mlir_ciface_ucmoh_op_end"), symbol(&OpClock::end)}};
}

/// The same for code on this CPU; a device has its own memory.
static llvm::orc::SymbolMap hostSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols = providedSymbols(mangle);
  symbols[mangle("malloc")] = symbol(&allocateOrStop);
  return symbols;
}

/// One function compares results of all types: their sizes are known by the number of the check.
static llvm::orc::SymbolMap checkSymbols(ModuleOp module, llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function.getName().starts_with("_mlir_ciface_ucmoh_check_"))
      symbols[mangle(function.getName())] = symbol(&KernelChecks::compare);
  return symbols;
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
  NativeExecutable(std::unique_ptr<KernelObjects> kernels, std::unique_ptr<ExecutionEngine> engine,
                   bool onDevice, bool traps)
      : kernels(std::move(kernels)), engine(std::move(engine)), onDevice(onDevice), traps(traps) {}

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
  std::unique_ptr<KernelObjects> kernels; ///< which the engine's code calls
  std::unique_ptr<ExecutionEngine> engine;
  bool onDevice; ///< starts kernels there
  bool traps;    ///< at instructions that an emulator executes
};
} // namespace

/// Only functions that a program enters are called with packed arguments: neither kernels nor the
/// C interfaces of functions.
static void removeUnusedWrappers(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (function.isDeclaration() || !name.consume_front("_mlir_"))
      continue;
    llvm::Function *wrapped = module.getFunction(name);
    if (wrapped &&
        (name.starts_with("_mlir_") || wrapped->hasFnAttribute(llvm::Attribute::NoInline)))
      function.eraseFromParent();
  }
}

/// Tells the engine where the symbols are that compiled code refers to.
static void registerSymbols(ExecutionEngine &engine, ModuleOp module, const KernelObjects &kernels,
                            bool onDevice) {
  engine.registerSymbols(onDevice ? providedSymbols : hostSymbols);
  engine.registerSymbols(
      [&](llvm::orc::MangleAndInterner mangle) { return checkSymbols(module, mangle); });
  engine.registerSymbols(
      [&](llvm::orc::MangleAndInterner mangle) { return kernels.symbols(mangle); });
  if (onDevice)
    engine.registerSymbols(DeviceRuntime::symbols);
}

/// The kernels of the module, loaded; others are compiled at the same time.
static llvm::Expected<std::unique_ptr<KernelObjects>>
loadKernels(llvm::Expected<std::unique_ptr<KernelUnits>> &units) {
  if (!units)
    return units.takeError();
  auto objects = *units ? (*units)->takeObjects() : KernelUnits::Objects();
  if (!objects)
    return objects.takeError();
  return KernelObjects::link(*objects, hostSymbols);
}

/// Code for this CPU. The target's features are added to its own.
static llvm::Expected<std::unique_ptr<Executable>> compileNative(ModuleOp module,
                                                                 const CodeTarget &target) {
  auto machine = createNativeMachine(target);
  auto forOptimizer = createNativeMachine(target); // the engine takes the other one
  if (!machine)
    return machine.takeError();
  if (!forOptimizer)
    return forOptimizer.takeError();
  ExecutionEngineOptions options;
  bool onDevice = !module.getOps<gpu::BinaryOp>().empty();
  llvm::Expected<std::unique_ptr<KernelUnits>> units = nullptr;
  auto transformer = [&](llvm::Module *llvmModule) {
    removeUnusedWrappers(*llvmModule);
    if (!onDevice)
      units = KernelUnits::extract(*llvmModule, target, {"process", [](llvm::Module &) {}});
    optimizeNative(*llvmModule, **forOptimizer);
    return llvm::Error::success();
  };
  options.transformer = transformer; // a reference
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  auto kernels = loadKernels(units);
  if (!engine || !kernels)
    return llvm::joinErrors(engine.takeError(), kernels.takeError());
  registerSymbols(**engine, module, **kernels, onDevice);
  (*engine)->initialize(); // loads the kernels
  if (auto error = onDevice ? DeviceRuntime::takeError() : llvm::Error::success())
    return std::move(error);
  return std::make_unique<NativeExecutable>(std::move(*kernels), std::move(*engine), onDevice,
                                            target.isEmulated);
}

llvm::Expected<std::unique_ptr<Executable>> Executable::compile(ModuleOp module,
                                                                const CodeTarget &target) {
  if (target.triple.empty() || isHostArchitecture(target.triple))
    return compileNative(module, target);
  return compileForeign(module, target);
}

std::string Executable::whyNotHere(StringRef triple) {
  if (isHostArchitecture(triple))
    return "";
  auto tools = findForeignTools(triple);
  return tools ? "" : llvm::toString(tools.takeError());
}
