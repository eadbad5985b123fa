//===- LoweredProgram.cpp - Functions in the LLVM dialect
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/LoweredProgram.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Runtime/DeviceRuntime.h"
#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/Pipeline.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Before compilation
//===----------------------------------------------------------------------===//

/// Names what a target of this architecture needs that this machine has not; empty if it has all.
static std::string whyNotOnHost(TargetOp target) {
  if (runsOnHost(target, Emulated::Included))
    return "";
  llvm::StringMap<bool> cpu = hostFeatures(Emulated::Included);
  for (StringRef feature : llvm::split(target.getFeatures(), ","))
    if (feature.consume_front("+") && !cpu.lookup(feature))
      return "the feature " + feature.str() + ", which this CPU has not";
  return "a permission that the operating system refuses";
}

/// Whether this CPU, of the target's architecture, lacks what its intrinsics need.
static llvm::Error checkHost(const Target &target, StringRef name) {
  for (const Intrinsic &intrinsic : target.intrinsics)
    if (std::string why = whyNotOnHost(intrinsic.getTarget()); !why.empty())
      return llvm::createStringError("target '" + name + "' needs " + why +
                                     "; --target=host takes what it has");
  return llvm::Error::success();
}

static llvm::Error loadDevice(const Target &target, StringRef driver) {
  if (driver.empty() && !target.intrinsics.empty())
    driver = *target.intrinsics.front().getTarget().getDriver();
  return DeviceRuntime::load(driver);
}

/// For a program that is built later: perhaps for another CPU.
static llvm::Expected<CodeTarget> chooseTargetAhead(const Target &target, StringRef name) {
  if (target.device)
    return llvm::createStringError("target '" + name +
                                   "' is a device, whose code ucmoh-run starts; compile ahead of "
                                   "time for a CPU, such as host");
  CodeTarget code = {target.triple, target.cpu, target.features};
  code.isExact = name.split('@').first != "host";
  code.isFile = true;
  return code;
}

/// Chooses what to generate code for; an error when it cannot be executed where it is to be.
static llvm::Expected<CodeTarget> chooseTarget(MLIRContext *context,
                                               const CompileOptions &options) {
  auto target = loadTarget(context, options.target);
  if (failed(target))
    return llvm::createStringError("unknown target '" + options.target + "'");
  if (options.ahead)
    return chooseTargetAhead(*target, options.target);
  bool isNative = isHostArchitecture(target->triple);
  llvm::Error error = target->device ? loadDevice(*target, options.driver)
                      : isNative     ? checkHost(*target, options.target)
                                     : llvm::Error::success();
  if (error)
    return std::move(error);
  if (!isNative && options.threads > 1)
    return llvm::createStringError("code for " + target->triple +
                                   " runs in an emulator, with one thread");
  return CodeTarget{target->triple, target->cpu, target->features, target->isEmulated};
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
  manager.enableVerifier(false); // verifying behind each pass takes a third of all passes' time
  build(manager);
  if (succeeded(manager.run(module)) && succeeded(verify(module)))
    return llvm::Error::success();
  return llvm::createStringError(message.empty() ? "a pass failed" : message);
}

/// Returns the choice of a contraction that is a kernel, or of a depthwise one that will be.
static ChoiceAttr choiceOf(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op);
  return kernel ? kernel.getChoiceAttr() : op->getAttrOfType<ChoiceAttr>("ucmoh.choice");
}

static void describe(OpInfo &info, ChoiceAttr choice) {
  llvm::raw_string_ostream(info.choice) << choice;
  info.intrinsic = choice.getIntrinsic().getLeafReference().str();
  info.summary = choice.summarize();
  info.predictedSeconds = choice.getSeconds();
}

/// Copies what was chosen to the descriptions of the ops. Of groups of channels there is an
/// intrinsic, but no choice.
static void readChoices(func::FuncOp function, std::vector<OpInfo> &ops) {
  function.walk([&](Operation *op) {
    auto index = op->getAttrOfType<IntegerAttr>("ucmoh.op");
    if (!index || index.getInt() >= static_cast<int64_t>(ops.size()))
      return;
    OpInfo &info = ops[index.getInt()];
    if (!info.choice.empty()) // that of the largest piece of a dynamic extent, which comes first
      return;
    if (auto lanes = op->getAttrOfType<SymbolRefAttr>(lanesName)) {
      info.intrinsic = lanes.getLeafReference().str();
      info.summary = info.intrinsic + " in lanes";
    }
    ChoiceAttr choice = choiceOf(op);
    if (!choice)
      return;
    describe(info, choice);
    if (auto kernel = dyn_cast<KernelOp>(op); kernel && kernel.getWorkload())
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

/// Reads what --ucmoh-lower-checks says of each check.
static std::vector<CheckInfo> readChecks(ModuleOp module, StringRef entry) {
  std::vector<CheckInfo> checks;
  auto rows = module.lookupSymbol(entry)->getAttrOfType<ArrayAttr>("ucmoh.checks");
  if (!rows)
    return checks;
  for (auto row : rows.getAsRange<DictionaryAttr>()) {
    auto types = row.getAs<ArrayAttr>("types").getAsValueRange<TypeAttr>();
    checks.push_back({row.getAs<IntegerAttr>("number").getInt(),
                      row.getAs<TypeAttr>("type").getValue(), llvm::to_vector(types),
                      row.getAs<BoolAttr>("rounds").getValue()});
  }
  return checks;
}

/// Arguments stay as they are, so that the function can be called again. The marks have been read;
/// the translation to LLVM IR would warn of them.
static void finishArguments(ModuleOp module) {
  Builder builder(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments() && !function.isExternal(); ++i) {
      for (StringRef mark :
           {"ucmoh.weight", "ucmoh.range", "ucmoh.assume", "ucmoh.arg", "ucmoh.packed"})
        function.removeArgAttr(i, mark);
      if (isa<TensorType>(function.getArgument(i).getType()))
        function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                            builder.getBoolAttr(false));
    }
}

static llvm::Error tensorize(ModuleOp module, const CompileOptions &options, bool check) {
  TensorizePipelineOptions tensorizeOptions;
  tensorizeOptions.check = check;
  tensorizeOptions.target = options.target;
  tensorizeOptions.model = options.model;
  tensorizeOptions.choices = options.choices;
  tensorizeOptions.threads = options.threads;
  tensorizeOptions.winograd = options.winograd;
  return runPasses(module, options, [&](OpPassManager &manager) {
    manager.addPass(createSymbolDCEPass());
    buildTensorizePipeline(manager, tensorizeOptions);
    manager.addPass(createHoistWeights());
    manager.addPass(createCanonicalizerPass());
  });
}

static llvm::Error lowerToLLVM(ModuleOp module, const CompileOptions &options, bool instrument,
                               bool check) {
  ToLLVMPipelineOptions lowering;
  lowering.check = check;
  lowering.target = options.target;
  lowering.hoist = false;            // signatures have been read
  lowering.rest = options.tensorize; // the program that is compared with is plain
  lowering.outlineNetworks = options.outline;
  lowering.instrument = instrument;
  lowering.resultsAsArguments = options.ahead;
  lowering.threads = options.threads;
  lowering.assembler = options.assembler;
  return runPasses(module, options, [&](OpPassManager &manager) {
    manager.addPass(createSymbolDCEPass());
    buildToLLVMPipeline(manager, lowering);
  });
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

/// An error if the data of a constant was left out when the module was printed.
static llvm::Error checkConstants(ModuleOp module) {
  std::string message;
  module.walk([&](arith::ConstantOp op) {
    auto data = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (data && !data.getRawHandle().getBlob() && message.empty())
      llvm::raw_string_ostream(message)
          << op.getLoc() << ": a constant without data, which was elided when the module was "
          << "printed; print all of it, or make it an argument {ucmoh.weight}";
  });
  return message.empty() ? llvm::Error::success() : llvm::createStringError(message);
}

static bool roundsFloats(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        bool rounds = isa<arith::FPToSIOp, arith::FPToUIOp>(op);
        return rounds ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Describes the functions before any pass and marks their contractions with numbers.
static llvm::Expected<std::vector<LoweredFunction>> describe(ModuleOp module,
                                                             ArrayRef<std::string> entries) {
  std::vector<LoweredFunction> functions;
  for (const std::string &entry : entries) {
    auto function = module.lookupSymbol<func::FuncOp>(entry);
    auto signature = readSignature(function);
    if (!signature)
      return signature.takeError();
    LoweredFunction &lowered = functions.emplace_back();
    lowered.original = *signature;
    lowered.ops = numberOps(function);
    lowered.rounds = roundsFloats(function);
  }
  return functions;
}

/// After tensorization, which packs weights in a function of its own.
static llvm::Error readSignatures(ModuleOp module, LoweredFunction &lowered) {
  StringRef name = lowered.original.name;
  auto signature = readSignature(module.lookupSymbol<func::FuncOp>(name));
  if (!signature)
    return signature.takeError();
  lowered.compiled = *signature;
  auto packing = module.lookupSymbol<func::FuncOp>((name + ".pack").str());
  if (!packing)
    return llvm::Error::success();
  auto packed = readSignature(packing);
  if (!packed)
    return packed.takeError();
  lowered.pack = *packed;
  return llvm::Error::success();
}

/// Reads what tensorization has decided.
static llvm::Error readDecisions(ModuleOp module, const CompileOptions &options,
                                 MutableArrayRef<LoweredFunction> functions) {
  for (LoweredFunction &lowered : functions) {
    auto function = module.lookupSymbol<func::FuncOp>(lowered.original.name);
    readChoices(function, lowered.ops);
    if (options.tensorize) // the program that is compared with has no rows of its own
      function->setAttr("ucmoh.ops", Builder(function).getI64IntegerAttr(lowered.ops.size()));
    if (auto error = readSignatures(module, lowered))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<LoweredProgram> LoweredProgram::lower(ModuleOp source, ArrayRef<std::string> entries,
                                                     const CompileOptions &options) {
  LoweredProgram program;
  if (options.tensorize) { // plain loops run on this CPU
    auto target = chooseTarget(source.getContext(), options);
    if (!target)
      return target.takeError();
    program.target = *target;
  }
  auto isolated = isolate(source, entries);
  if (!isolated)
    return isolated.takeError();
  program.module = std::move(*isolated);
  ModuleOp module = *program.module;
  if (auto error = checkConstants(module))
    return std::move(error);
  auto described = describe(module, entries);
  if (!described)
    return described.takeError();
  program.functions = std::move(*described);
  bool isNative = program.target.triple.empty() || isHostArchitecture(program.target.triple);
  bool check = options.check && isNative;
  if (options.tensorize)
    if (auto error = tensorize(module, options, check))
      return std::move(error);
  if (auto error = readDecisions(module, options, program.functions))
    return std::move(error);
  finishArguments(module);
  if (auto error = lowerToLLVM(module, options, /*instrument=*/isNative && !options.ahead, check))
    return std::move(error);
  for (LoweredFunction &function : program.functions) {
    function.rest = takeRest(module, function.original.name);
    function.checks = readChecks(module, function.original.name);
    function.kernels = readKernelNeeds(module, function.original.name);
  }
  return program;
}

//===----------------------------------------------------------------------===//
// Numbers of ops
//===----------------------------------------------------------------------===//

llvm::Expected<OwningOpRef<ModuleOp>> ucmoh::isolate(ModuleOp module,
                                                     ArrayRef<std::string> entries) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto function : copy->getOps<func::FuncOp>())
    if (function.isPublic() && !llvm::is_contained(entries, function.getSymName()))
      function.setPrivate();
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addPass(createSymbolDCEPass());
  // Plain loops, which judge, are to have the same sums: rounded after each step, they go astray.
  manager.addNestedPass<func::FuncOp>(createWideSums());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (failed(manager.run(*copy)))
    return llvm::createStringError("the program cannot be simplified");
  return copy;
}

std::vector<OpInfo> ucmoh::numberOps(func::FuncOp function) {
  std::vector<OpInfo> infos;
  Builder builder(function.getContext());
  function.walk([&](Operation *op) {
    if (!isContractionLike(op))
      return;
    op->setAttr("ucmoh.op", builder.getI64IntegerAttr(infos.size()));
    OpInfo &info = infos.emplace_back();
    info.workload = op->getName().getStringRef();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return;
    WorkloadOrReason analyzed = analyzeTask(linalgOp);
    info.workload = analyzed ? analyzed.workload->name() : info.workload + ": " + analyzed.reason;
    info.flops = analyzed ? analyzed.workload->flops() : 0;
  });
  return infos;
}
