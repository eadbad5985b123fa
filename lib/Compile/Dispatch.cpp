//===- Dispatch.cpp - A function as code without a C library
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Compile/Dispatch.h"
#include "CallWriter.h"
#include "Scratch.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// The body is the only function that allocates: what it calls is part of it.
static llvm::Function *beginEntry(CallWriter &calls, const std::string &name, size_t buffers) {
  llvm::IRBuilder<> &builder = calls.getBuilder();
  SmallVector<llvm::Type *> types;
  for (size_t i = 0; i < buffers; ++i)
    types.append({builder.getPtrTy(), builder.getInt64Ty()});
  return calls.create(name, builder.getVoidTy(), types);
}

/// The address of the buffer with that index.
static llvm::Value *addressOf(llvm::IRBuilder<> &builder, llvm::Function *entry, int64_t index) {
  return builder.CreateGEP(builder.getInt8Ty(), entry->getArg(2 * index),
                           entry->getArg(2 * index + 1));
}

static void addPackEntry(llvm::Module &module, const CInterface &interface) {
  CallWriter calls(module, interface);
  size_t weights = interface.weights.size();
  llvm::Function *entry = beginEntry(calls, interface.name + "_pack", weights + 2);
  llvm::IRBuilder<> &builder = calls.getBuilder();
  calls.writePack([&](int64_t i) { return addressOf(builder, entry, i); },
                  addressOf(builder, entry, weights));
  builder.CreateRetVoid();
}

static void addRunEntry(llvm::Module &module, const CInterface &interface) {
  CallWriter calls(module, interface);
  size_t inputs = interface.inputs.size(), hasBlock = interface.block.bytes != 0;
  size_t results = interface.function->compiled.results.size();
  llvm::Function *entry =
      beginEntry(calls, interface.name + "_run", inputs + hasBlock + results + 1);
  llvm::IRBuilder<> &builder = calls.getBuilder();
  calls.writeRun([&](int64_t i) { return addressOf(builder, entry, i); },
                 [&](int64_t i) { return addressOf(builder, entry, inputs + hasBlock + i); },
                 hasBlock ? addressOf(builder, entry, inputs) : nullptr, /*extents=*/nullptr);
  builder.CreateRetVoid();
}

/// Nothing but the entry points is seen, and what they call becomes a part of them.
static void makeInternal(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (!function.getName().starts_with("_mlir_ciface_"))
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  for (llvm::GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration())
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

//===----------------------------------------------------------------------===//
// Without a C library
//===----------------------------------------------------------------------===//

/// Copies become loops, so that no function is called for them.
static void expandCopies(llvm::Function &function, llvm::TargetMachine &machine) {
  llvm::TargetTransformInfo costs = machine.getTargetTransformInfo(function);
  SmallVector<llvm::MemIntrinsic *> found;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (auto *intrinsic = dyn_cast<llvm::MemIntrinsic>(&instruction))
        found.push_back(intrinsic);
  for (llvm::MemIntrinsic *intrinsic : found) {
    if (auto *copy = dyn_cast<llvm::MemCpyInst>(intrinsic))
      llvm::expandMemCpyAsLoop(copy, costs);
    else if (auto *move = dyn_cast<llvm::MemMoveInst>(intrinsic))
      llvm::expandMemMoveAsLoop(move, costs);
    else if (auto *set = dyn_cast<llvm::MemSetInst>(intrinsic))
      llvm::expandMemSetAsLoop(set);
    intrinsic->eraseFromParent();
  }
}

/// Lists the features that functions may use. Others are left out: LLVM of another version might
/// not know it.
static std::string featuresOf(const llvm::TargetMachine &machine) {
  std::vector<std::string> names;
  for (StringRef name : llvm::split(machine.getTargetFeatureString(), ','))
    if (name.starts_with("+"))
      names.push_back(name.str());
  return llvm::join(names, ",");
}

/// For another compiler, which neither knows the CPU nor may make calls of loops.
static void finishFunctions(llvm::Module &module, llvm::TargetMachine &machine) {
  std::string features = featuresOf(machine);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    expandCopies(function, machine);
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr("no-builtins");
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", features);
  }
}

/// Whether the module needs nothing else.
static llvm::Error checkCalls(const llvm::Module &module) {
  std::vector<std::string> missing;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic())
      missing.push_back(function.getName().str());
  if (missing.empty())
    return llvm::Error::success();
  return llvm::createStringError("it calls " + llvm::join(missing, ", ") +
                                 ", which there is not without a C library");
}

/// The targets to compile for. "host" stands for those of the host which need no permission of the
/// operating system; others that need one are an error.
static llvm::Expected<std::string> permittedTargets(const Target &target, StringRef name) {
  StringRef targets = name.split('@').first;
  auto needy = llvm::find_if(target.ops, [](TargetOp op) { return bool(op.getPermission()); });
  if (needy == target.ops.end())
    return name.str();
  if (targets != "host")
    return llvm::createStringError(
        llvm::formatv("target '{0}' needs a permission of the operating system, which the "
                      "runtime does not ask for; give --target without it",
                      TargetOp(*needy).getSymName()));
  SmallVector<StringRef> left;
  for (TargetOp op : target.ops)
    if (!op.getPermission())
      left.push_back(op.getSymName());
  return llvm::join(left, "+") + name.substr(targets.size()).str();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// The last buffer becomes the scratch memory. LLVM has found that nothing used it, and said so.
static llvm::Expected<int64_t> place(llvm::Module &module, const std::string &name) {
  llvm::Function *entry = module.getFunction(name);
  size_t buffers = entry->arg_size() / 2;
  for (size_t i : {2 * buffers - 2, 2 * buffers - 1})
    entry->removeParamAttrs(i, llvm::AttributeMask(entry->getAttributes().getParamAttrs(i)));
  llvm::IRBuilder<> builder(&*entry->getEntryBlock().getFirstInsertionPt());
  return placeScratch(*entry, *addressOf(builder, entry, buffers - 1));
}

/// Adds what the module gets and takes: entry points, scratch memory.
static llvm::Error finish(llvm::Module &module, const CInterface &interface,
                          llvm::TargetMachine &machine, Dispatch &dispatch) {
  makeInternal(module);
  nameAllocations(module);
  if (dispatch.packedBytes)
    addPackEntry(module, interface);
  addRunEntry(module, interface);
  if (auto error = optimize(module, machine))
    return error;
  if (dispatch.packedBytes) {
    auto bytes = place(module, interface.name + "_pack");
    if (!bytes)
      return bytes.takeError();
    dispatch.packScratch = *bytes;
  }
  auto bytes = place(module, interface.name + "_run");
  if (!bytes)
    return bytes.takeError();
  dispatch.runScratch = *bytes;
  finishFunctions(module, machine);
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return checkCalls(module);
}

llvm::Expected<Dispatch> Dispatch::compile(ModuleOp source, const std::string &entry,
                                           CompileOptions options) {
  options.ahead = true;
  options.outline = false; // all becomes a part of the entry point, where its memory is placed
  options.threads = 1;
  auto target = loadTarget(source.getContext(), options.target);
  if (failed(target))
    return llvm::createStringError("target '" + options.target + "' cannot be loaded");
  auto permitted = permittedTargets(*target, options.target);
  if (!permitted)
    return permitted.takeError();
  options.target = *permitted;
  auto program = LoweredProgram::lower(source, entry, options);
  if (!program)
    return program.takeError();
  auto interface = CInterface::create(program->functions.front());
  if (!interface)
    return interface.takeError();
  if (!interface->extents().empty())
    return llvm::createStringError("@" + entry + ": a shape is open; dispatches have fixed shapes");
  auto machine = createMachine(program->target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto module = translate(*program->module, context, **machine);
  if (!module)
    return module.takeError();
  Dispatch dispatch;
  dispatch.name = interface->name;
  dispatch.packedBytes = interface->block.bytes;
  dispatch.triple = program->target.triple;
  dispatch.ops = program->functions.front().ops;
  if (auto error = finish(**module, *interface, **machine, dispatch))
    return std::move(error);
  llvm::raw_string_ostream stream(dispatch.bitcode);
  llvm::WriteBitcodeToFile(**module, stream);
  return dispatch;
}
