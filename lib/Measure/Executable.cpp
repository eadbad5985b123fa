//===- Executable.cpp - Compiled code in this process
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Measure/Executable.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "ucmoh/Measure/DeviceRuntime.h"
#include "ucmoh/Measure/OpClock.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <cstdlib>
#include <cstring>
#include <set>

using namespace mlir;
using namespace ucmoh;

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(StringRef features) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  SmallVector<StringRef> parts;
  features.split(parts, ',', -1, /*KeepEmpty=*/false);
  builder->addFeatures(std::vector<std::string>(parts.begin(), parts.end()));
  return builder->createTargetMachine();
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

llvm::Expected<std::unique_ptr<Executable>> Executable::compile(ModuleOp module,
                                                                StringRef features) {
  auto machine = createMachine(features);
  auto forOptimizer = createMachine(features); // the engine takes the other one
  if (!machine)
    return machine.takeError();
  if (!forOptimizer)
    return forOptimizer.takeError();
  ExecutionEngineOptions options;
  auto optimize = makeOptimizingTransformer(3, 0, forOptimizer->get());
  options.transformer = optimize;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return engine.takeError();
  auto result = std::make_unique<Executable>();
  result->engine = std::move(*engine);
  result->engine->registerSymbols(providedSymbols);
  result->onDevice = !module.getOps<gpu::BinaryOp>().empty();
  if (result->onDevice)
    result->engine->registerSymbols(DeviceRuntime::symbols);
  result->engine->initialize();
  return result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Invocation::Invocation(const Signature &signature, std::vector<Tensor> arguments)
    : signature(signature), arguments(std::move(arguments)) {
  layOutArguments();
  layOutResults();
  pointers.push_back(resultWords.data());
}

llvm::Expected<std::unique_ptr<Invocation>> Invocation::create(const Executable &executable,
                                                               const Signature &signature,
                                                               std::vector<Tensor> arguments) {
  auto function = executable.lookup(signature.name);
  if (!function)
    return function.takeError();
  if (executable.usesDevice())
    for (Tensor &tensor : arguments)
      tensor = DeviceRuntime::makeVisible(tensor);
  std::unique_ptr<Invocation> invocation(new Invocation(signature, std::move(arguments)));
  invocation->function = *function;
  if (executable.usesDevice())
    invocation->release = DeviceRuntime::release;
  return invocation;
}

/// Words of a memref descriptor: allocated and aligned pointer, offset, sizes, strides.
static int64_t descriptorWords(const Parameter &parameter) {
  return 3 + 2 * static_cast<int64_t>(parameter.shape.size());
}

static void appendDescriptor(std::vector<int64_t> &words, const Tensor &tensor) {
  auto address = reinterpret_cast<int64_t>(tensor.data());
  words.insert(words.end(), {address, address, 0});
  words.insert(words.end(), tensor.getShape().begin(), tensor.getShape().end());
  int64_t stride = tensor.elements();
  for (int64_t extent : tensor.getShape())
    words.push_back(stride = extent ? stride / extent : 0);
}

void Invocation::layOutArguments() {
  for (auto [parameter, tensor] : llvm::zip_equal(signature.parameters, arguments))
    if (!parameter.isScalar)
      appendDescriptor(words, tensor);
  int64_t *next = words.data();
  for (auto [parameter, tensor] : llvm::zip_equal(signature.parameters, arguments)) {
    if (parameter.isScalar)
      pointers.push_back(tensor.data());
    for (int64_t i = 0; !parameter.isScalar && i < descriptorWords(parameter); ++i)
      pointers.push_back(next++);
  }
}

void Invocation::layOutResults() {
  int64_t bytes = 0;
  for (const Parameter &result : signature.results) {
    int64_t size = result.isScalar ? Tensor::bytesOf(result.elementType) : sizeof(int64_t);
    bytes = llvm::alignTo(bytes, size);
    resultOffsets.push_back(bytes);
    bytes += result.isScalar ? size : size * descriptorWords(result);
  }
  resultWords.resize(llvm::divideCeil(bytes, sizeof(int64_t)));
}

void Invocation::run() {
  freeResults();
  function(pointers.data());
  hasResults = true;
}

void Invocation::freeResults() {
  std::set<void *> allocated;
  for (auto [result, offset] : llvm::zip_equal(signature.results, resultOffsets))
    if (hasResults && !result.isScalar)
      allocated.insert(reinterpret_cast<void *>(resultWords[offset / sizeof(int64_t)]));
  for (void *memory : allocated)
    release(memory);
  hasResults = false;
}

std::vector<Tensor> Invocation::getResults() const {
  std::vector<Tensor> tensors;
  for (auto [result, offset] : llvm::zip_equal(signature.results, resultOffsets)) {
    auto *at = reinterpret_cast<const char *>(resultWords.data()) + offset;
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
