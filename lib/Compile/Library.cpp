//===- Library.cpp - A module as a library for C programs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Compile/Library.h"
#include "Description.h"
#include "EntryPoints.h"
#include "Header.h"
#include "Support.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace ucmoh;

/// What C programs see, of all functions; an error if two of them have the same name in C.
static llvm::Expected<std::vector<CInterface>> createInterfaces(const LoweredProgram &program) {
  std::vector<CInterface> interfaces;
  for (const LoweredFunction &function : program.functions) {
    auto interface = CInterface::create(function);
    if (!interface)
      return interface.takeError();
    for (const CInterface &other : interfaces)
      if (other.name == interface->name)
        return llvm::createStringError(llvm::formatv(
            "@{0} and @{1} would both be {2} in C; rename one, or compile it alone (--entry)",
            other.function->original.name, function.original.name, other.name));
    interfaces.push_back(std::move(*interface));
  }
  return interfaces;
}

/// What the intrinsics' targets ask of the operating system.
static std::vector<SystemCall> permissionsOf(const Target &target) {
  std::vector<SystemCall> permissions;
  for (TargetOp op : target.ops)
    if (std::optional<ArrayRef<int64_t>> numbers = op.getPermission()) {
      SystemCall call = {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
      if (!llvm::is_contained(permissions, call))
        permissions.push_back(call);
    }
  return permissions;
}

/// Only what C programs call is seen from outside; a function of the module may be called as one of
/// the C library's is.
static void makeInternal(llvm::Module &module) {
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration())
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// Whether a function of the module already has the name of an entry point.
static llvm::Error checkNames(const llvm::Module &module, ArrayRef<CInterface> interfaces) {
  for (const CInterface &interface : interfaces)
    for (const char *suffix : {"_packed_bytes", "_pack", "_run", "_use_threads", "_describe"})
      if (module.getNamedValue(interface.name + suffix))
        return llvm::createStringError(
            llvm::formatv("@{0}{1} has the name of a function that @{2} gets in C; rename it",
                          interface.name, suffix, interface.function->original.name));
  return llvm::Error::success();
}

/// Whether all functions that are called have a body.
static llvm::Error checkBodies(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (StringRef name = function.getName();
        function.isDeclaration() && !function.use_empty() && name.consume_front("_mlir_ciface_"))
      return llvm::createStringError("@" + name +
                                     " has no body; give it one, or --entry a function that does "
                                     "not call it");
  return llvm::Error::success();
}

static llvm::Expected<std::string> compileObject(LoweredProgram &program,
                                                 ArrayRef<CInterface> interfaces,
                                                 llvm::TargetMachine &machine,
                                                 const LibraryTarget &description,
                                                 const Target &target) {
  llvm::LLVMContext context;
  auto module = translate(*program.module, context, machine);
  if (!module)
    return module.takeError();
  if (auto error = checkNames(**module, interfaces))
    return std::move(error);
  if (auto error = checkBodies(**module))
    return std::move(error);
  makeInternal(**module);
  for (const CInterface &interface : interfaces)
    addEntryPoints(**module, interface, description);
  if (auto error = optimize(**module, machine))
    return std::move(error);
  if (auto error = linkSupport(**module, description.features, permissionsOf(target)))
    return std::move(error);
  return emit(**module, machine, llvm::CodeGenFileType::ObjectFile);
}

llvm::Expected<Library> Library::compile(ModuleOp module, ArrayRef<std::string> entries,
                                         CompileOptions options) {
  options.ahead = true;
  auto program = LoweredProgram::lower(module, entries, options);
  if (!program)
    return program.takeError();
  auto interfaces = createInterfaces(*program);
  if (!interfaces)
    return interfaces.takeError();
  auto target = loadTarget(module.getContext(), options.target);
  auto machine = createMachine(program->target);
  if (!machine)
    return machine.takeError();
  auto features = checkedFeatures((*machine)->getTargetTriple(), enabledFeatures(**machine));
  if (!features)
    return features.takeError();
  LibraryTarget description = {options.target, target->machine.name, *features, options.threads};
  auto object = compileObject(*program, *interfaces, **machine, description, *target);
  if (!object)
    return object.takeError();
  return Library{*object, writeHeader(*interfaces, description), program->target.triple};
}
