//===- CompiledProgram.cpp - One function, compiled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/CompiledProgram.h"
#include "NumberedOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Runtime/DeviceRuntime.h"
#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/Pipeline.h"
#include "llvm/Support/FormatVariadic.h"

// Of LLVM's OpenMP runtime; its header lies among the compiler's own.
extern "C" void omp_set_num_threads(int);

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Before compilation
//===----------------------------------------------------------------------===//

/// What a target of this architecture needs that this machine has not; empty if it has all.
static std::string whyNotOnHost(TargetOp target) {
  if (runsOnHost(target, Emulated::Included))
    return "";
  llvm::StringMap<bool> cpu = hostFeatures(Emulated::Included);
  for (StringRef feature : llvm::split(target.getFeatures(), ","))
    if (feature.consume_front("+") && !cpu.lookup(feature))
      return "the feature " + feature.str() + ", which this CPU has not";
  return "a permission that the operating system refuses";
}

/// What to generate code for; an error when this CPU is of the target's architecture, but lacks
/// what the intrinsics need, or when the driver of their device is missing.
static llvm::Expected<CodeTarget> checkTarget(MLIRContext *context, StringRef name,
                                              StringRef driver) {
  auto target = loadTarget(context, name);
  if (failed(target))
    return llvm::createStringError("unknown target '" + name + "'");
  CodeTarget code = {target->triple, target->cpu, target->features, target->isEmulated};
  if (target->device) {
    if (driver.empty() && !target->intrinsics.empty())
      driver = *target->intrinsics.front().getTarget().getDriver();
    if (auto error = DeviceRuntime::load(driver))
      return std::move(error);
    return code;
  }
  if (!isHostArchitecture(target->triple))
    return code; // emulated
  for (const Intrinsic &intrinsic : target->intrinsics)
    if (std::string why = whyNotOnHost(intrinsic.getTarget()); !why.empty())
      return llvm::createStringError("target '" + name + "' needs " + why +
                                     "; --target=host takes what it has");
  return code;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

static llvm::Error runPasses(ModuleOp module, const CompileOptions &options,
                             llvm::function_ref<void(OpPassManager &)> build) {
  std::string message;
  ScopedDiagnosticHandler collect(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    if (message.empty())
      llvm::raw_string_ostream(message) << diagnostic.getLocation() << ": " << diagnostic;
    return success();
  });
  PassManager manager(module.getContext());
  manager.enableVerifier(options.verifyPasses);
  build(manager);
  if (succeeded(manager.run(module)))
    return llvm::Error::success();
  return llvm::createStringError(message.empty() ? "a pass failed" : message);
}

/// Copies what was chosen from the kernels to the descriptions of their ops.
static void readChoices(func::FuncOp function, std::vector<OpInfo> &ops) {
  function.walk([&](KernelOp kernel) {
    auto index = kernel->getAttrOfType<IntegerAttr>("ucmoh.op");
    ChoiceAttr choice = kernel.getChoiceAttr();
    if (!index || !choice || index.getInt() >= static_cast<int64_t>(ops.size()))
      return;
    OpInfo &info = ops[index.getInt()];
    info.choice.clear();
    llvm::raw_string_ostream(info.choice) << choice;
    info.predictedSeconds = choice.getSeconds();
    if (kernel.getWorkload())
      info.workload = kernel.getWorkload()->str();
  });
}

/// Reads what --ucmoh-instrument has found besides the ops.
static std::vector<RestInfo> takeRest(ModuleOp module, StringRef entry) {
  std::vector<RestInfo> rest;
  Operation *function = module.lookupSymbol(entry);
  auto rows = function->getAttrOfType<ArrayAttr>("ucmoh.rest");
  if (!rows)
    return rest;
  for (auto row : rows.getAsRange<DictionaryAttr>())
    rest.push_back({row.getAs<StringAttr>("name").str(), row.getAs<IntegerAttr>("count").getInt()});
  return rest;
}

/// Arguments stay as they are, so that the function can be called again. The marks have been read;
/// the translation to LLVM IR would warn of them.
static void finishArguments(ModuleOp module) {
  Builder builder(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments() && !function.isExternal(); ++i) {
      for (StringRef mark : {"ucmoh.weight", "ucmoh.range", "ucmoh.arg", "ucmoh.packed"})
        function.removeArgAttr(i, mark);
      if (isa<TensorType>(function.getArgument(i).getType()))
        function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                            builder.getBoolAttr(false));
    }
}

static llvm::Error tensorize(ModuleOp module, const CompileOptions &options) {
  TensorizePipelineOptions tensorizeOptions;
  tensorizeOptions.target = options.target;
  tensorizeOptions.model = options.model;
  tensorizeOptions.choices = options.choices;
  tensorizeOptions.threads = options.threads;
  return runPasses(module, options, [&](OpPassManager &manager) {
    manager.addPass(createSymbolDCEPass());
    buildTensorizePipeline(manager, tensorizeOptions);
    manager.addPass(createHoistWeights());
    manager.addPass(createCanonicalizerPass());
  });
}

static llvm::Error lowerToLLVM(ModuleOp module, const CompileOptions &options, bool instrument) {
  ToLLVMPipelineOptions lowering;
  lowering.target = options.target;
  lowering.hoist = false;            // signatures have been read
  lowering.rest = options.tensorize; // what is compared with is plain
  lowering.instrument = instrument;
  lowering.assembler = options.assembler;
  return runPasses(module, options, [&](OpPassManager &manager) {
    manager.addPass(createSymbolDCEPass());
    buildToLLVMPipeline(manager, lowering);
  });
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

/// After tensorization, which packs weights in a function of its own.
llvm::Error CompiledProgram::readSignatures(ModuleOp module, StringRef entry) {
  auto signature = readSignature(module.lookupSymbol<func::FuncOp>(entry));
  if (!signature)
    return signature.takeError();
  compiled = *signature;
  auto packing = module.lookupSymbol<func::FuncOp>((entry + ".pack").str());
  if (!packing)
    return llvm::Error::success();
  auto packed = readSignature(packing);
  if (!packed)
    return packed.takeError();
  pack = *packed;
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::unique_ptr<CompiledProgram>>>
CompiledProgram::compile(ModuleOp source, ArrayRef<std::string> entries,
                         const CompileOptions &options) {
  CodeTarget target; // plain loops run on this CPU
  if (options.tensorize) {
    auto checked = checkTarget(source.getContext(), options.target, options.driver);
    if (!checked)
      return checked.takeError();
    target = *checked;
  }
  bool native = target.triple.empty() || isHostArchitecture(target.triple);
  if (!native && options.threads > 1)
    return llvm::createStringError("code for " + target.triple +
                                   " runs in an emulator, with one thread");
  auto isolated = isolate(source, entries);
  if (!isolated)
    return isolated.takeError();
  OwningOpRef<ModuleOp> module = std::move(*isolated);
  std::vector<std::unique_ptr<CompiledProgram>> programs;
  for (const std::string &entry : entries) {
    auto function = module->lookupSymbol<func::FuncOp>(entry);
    auto signature = readSignature(function);
    if (!signature)
      return signature.takeError();
    programs.push_back(std::make_unique<CompiledProgram>());
    programs.back()->original = *signature;
    programs.back()->ops = numberOps(function);
  }
  if (options.tensorize)
    if (auto error = tensorize(*module, options))
      return std::move(error);
  for (auto [program, entry] : llvm::zip_equal(programs, entries)) {
    auto function = module->lookupSymbol<func::FuncOp>(entry);
    readChoices(function, program->ops);
    if (options.tensorize) // what is compared with has no rows of its own
      function->setAttr("ucmoh.ops", Builder(function).getI64IntegerAttr(program->ops.size()));
    if (auto error = program->readSignatures(*module, entry))
      return std::move(error);
  }
  finishArguments(*module);
  if (auto error = lowerToLLVM(*module, options, /*instrument=*/native))
    return std::move(error);
  for (auto [program, entry] : llvm::zip_equal(programs, entries)) {
    program->rest = takeRest(*module, entry);
    program->kernels = readKernelNeeds(*module, entry);
  }
  auto executable = Executable::compile(*module, target);
  if (!executable)
    return executable.takeError();
  std::shared_ptr<Executable> shared = std::move(*executable);
  for (auto &program : programs)
    program->executable = shared;
  omp_set_num_threads(options.threads);
  return programs;
}

llvm::Expected<std::unique_ptr<CompiledProgram>>
CompiledProgram::compile(ModuleOp source, StringRef entry, const CompileOptions &options) {
  auto programs = compile(source, ArrayRef<std::string>(entry.str()), options);
  if (!programs)
    return programs.takeError();
  return std::move(programs->front());
}

llvm::Error CompiledProgram::prepare(const std::vector<Tensor> &arguments) {
  auto select = [&](const Signature &signature, ArrayRef<Tensor> packed) {
    std::vector<Tensor> selected;
    for (auto [i, parameter] : llvm::enumerate(signature.parameters))
      selected.push_back(parameter.packed ? packed[*parameter.packed]
                                          : arguments[parameter.argument.value_or(i)]);
    return selected;
  };
  std::vector<Tensor> packed;
  if (pack) {
    auto packing = executable->prepare(*pack, select(*pack, {}));
    if (!packing)
      return packing.takeError();
    if (auto error = (*packing)->run())
      return error;
    packed = (*packing)->getResults();
  }
  auto created = executable->prepare(compiled, select(compiled, packed));
  if (!created)
    return created.takeError();
  invocation = std::move(*created);
  return llvm::Error::success();
}
