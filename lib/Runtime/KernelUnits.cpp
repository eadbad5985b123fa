//===- KernelUnits.cpp - Kernels of a program compiled one by one
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/KernelUnits.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "ucmoh/Runtime/ObjectCache.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace ucmoh;
using llvm::StringRef;

/// Part of the key of cached objects. Change it with what MachineCode.cpp makes of LLVM IR.
static constexpr StringRef codeVersion = "2";

/// Under this name each kernel is hashed, so that equal ones have the same key.
static constexpr StringRef neutralName = "kernel";

//===----------------------------------------------------------------------===//
// Into pieces
//===----------------------------------------------------------------------===//

static void addUsed(const llvm::Value *value, llvm::SetVector<const llvm::GlobalValue *> &used) {
  if (auto *global = llvm::dyn_cast<llvm::GlobalValue>(value))
    used.insert(global);
  else if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
    for (const llvm::Use &operand : constant->operands())
      addUsed(operand, used);
}

/// The function and what it needs that nobody outside of the module sees, such as constants and
/// the bodies of its parallel loops. Nothing if something of it is written: that cannot be copied.
static llvm::SetVector<const llvm::GlobalValue *> closureOf(const llvm::Function &kernel) {
  llvm::SetVector<const llvm::GlobalValue *> used;
  used.insert(&kernel);
  for (size_t i = 0; i < used.size(); ++i) {
    if (auto *function = llvm::dyn_cast<llvm::Function>(used[i]))
      for (const llvm::BasicBlock &block : *function)
        for (const llvm::Instruction &instruction : block)
          for (const llvm::Use &operand : instruction.operands())
            addUsed(operand, used);
    auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(used[i]);
    if (variable && !variable->isConstant())
      return {};
    if (variable && variable->hasInitializer())
      addUsed(variable->getInitializer(), used);
  }
  return used;
}

/// The kernel in a module of its own, which does not depend on the others; empty if it must stay.
static std::string isolate(const llvm::Function &kernel) {
  auto closure = closureOf(kernel);
  auto isOther = [&](const llvm::GlobalValue *global) {
    auto *function = llvm::dyn_cast<llvm::Function>(global);
    return function && function != &kernel && !function->isDeclaration() &&
           !function->hasLocalLinkage();
  };
  if (closure.empty() || llvm::any_of(closure, isOther))
    return "";
  llvm::ValueToValueMapTy mapping;
  auto piece =
      llvm::CloneModule(*kernel.getParent(), mapping,
                        [&](const llvm::GlobalValue *global) { return closure.contains(global); });
  piece->setModuleIdentifier(neutralName);
  piece->setSourceFileName(neutralName);
  auto *clone = llvm::cast<llvm::Function>(mapping.lookup(&kernel));
  clone->setLinkage(llvm::GlobalValue::ExternalLinkage);
  clone->setName(neutralName);
  llvm::ModuleAnalysisManager analyses;
  llvm::GlobalDCEPass().run(*piece, analyses);
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*piece, stream);
  return bitcode;
}

//===----------------------------------------------------------------------===//
// Into objects
//===----------------------------------------------------------------------===//

static std::string keyOf(StringRef bitcode, StringRef finish, const llvm::TargetMachine &machine) {
  llvm::SHA1 hash;
  for (StringRef part :
       {codeVersion, StringRef(LLVM_VERSION_STRING), StringRef(machine.getTargetTriple().str()),
        machine.getTargetCPU(), machine.getTargetFeatureString(), finish, bitcode}) {
    hash.update(part);
    hash.update(StringRef("\0", 1));
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

llvm::Expected<std::string> KernelUnits::generate(StringRef bitcode, StringRef key) const {
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, key), context);
  if (!module)
    return module.takeError();
  (*module)->getFunction(neutralName)->setName(key);
  if (auto error = optimize(**module, **machine))
    return std::move(error);
  finish.change(**module);
  return emit(**module, **machine, llvm::CodeGenFileType::ObjectFile);
}

/// This thread stays where it measures; those that compile go everywhere.
void KernelUnits::compile(Unit &unit, StringRef key) const {
  stayOn(cpusAtStart());
  ObjectCache &cache = ObjectCache::ofUser();
  if (auto found = cache.find(key)) {
    unit.object = found->getBuffer().str();
    return;
  }
  auto object = generate(unit.bitcode, key);
  if (!object) {
    unit.error = llvm::toString(object.takeError());
    return;
  }
  unit.object = std::move(*object);
  cache.store(key, unit.object);
}

//===----------------------------------------------------------------------===//
// All of a module
//===----------------------------------------------------------------------===//

KernelUnits::KernelUnits(CodeTarget target, Finish finish)
    : target(std::move(target)), finish(std::move(finish)),
      pool(llvm::hardware_concurrency(cpusAtStart().size())) {
  this->target.isFile = true; // objects are linked anywhere
}

/// Whoever calls the kernel calls what has its key as a name.
static void replace(llvm::Function &kernel, StringRef key) {
  auto declared = kernel.getParent()->getOrInsertFunction(key, kernel.getFunctionType());
  kernel.replaceAllUsesWith(declared.getCallee());
  kernel.eraseFromParent();
}

llvm::Error KernelUnits::extractAll(llvm::Module &module) {
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  std::vector<std::pair<llvm::Function *, std::string>> extracted;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(llvm::Attribute::NoInline))
      if (std::string bitcode = isolate(function); !bitcode.empty()) {
        extracted.push_back({&function, keyOf(bitcode, finish.name, **machine)});
        units[extracted.back().second].bitcode = std::move(bitcode);
      }
  for (auto &[function, key] : extracted)
    replace(*function, key);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<KernelUnits>>
KernelUnits::extract(llvm::Module &module, const CodeTarget &target, Finish finish) {
  std::unique_ptr<KernelUnits> kernels(new KernelUnits(target, std::move(finish)));
  if (auto error = kernels->extractAll(module))
    return std::move(error);
  for (auto &[key, unit] : kernels->units)
    kernels->pool.async(
        [&kernels = *kernels, &key = key, &unit = unit] { kernels.compile(unit, key); });
  return kernels;
}

llvm::Expected<KernelUnits::Objects> KernelUnits::takeObjects() {
  pool.wait();
  ObjectCache::ofUser().prune();
  Objects objects;
  for (auto &[key, unit] : units) {
    if (!unit.error.empty())
      return llvm::createStringError(unit.error);
    objects[key] = std::move(unit.object);
  }
  return objects;
}
