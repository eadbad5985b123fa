//===- KernelObjects.cpp - Kernels of a program compiled one by one
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelObjects.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "ucmoh/Runtime/ObjectCache.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace ucmoh;
using llvm::StringRef;

/// Part of the key of cached objects. Change it with what MachineCode.cpp makes of LLVM IR.
static constexpr StringRef codeVersion = "1";

/// Under this name each kernel is hashed, so that equal ones have the same key.
static constexpr StringRef neutralName = "kernel";

namespace {
/// A kernel as bitcode, and then as an object file.
struct Unit {
  std::string bitcode, object, error;
};
using Units = std::map<std::string, Unit>; ///< by key
} // namespace

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

/// For objects that are linked anywhere.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createUnitMachine(CodeTarget target) {
  target.isFile = true;
  return createNativeMachine(target);
}

static std::string keyOf(StringRef bitcode, const llvm::TargetMachine &machine) {
  llvm::SHA1 hash;
  for (StringRef part : {codeVersion, StringRef(LLVM_VERSION_STRING), machine.getTargetCPU(),
                         machine.getTargetFeatureString(), bitcode}) {
    hash.update(part);
    hash.update(StringRef("\0", 1));
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

static llvm::Expected<std::string> compile(StringRef bitcode, StringRef key,
                                           llvm::TargetMachine &machine) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, key), context);
  if (!module)
    return module.takeError();
  (*module)->getFunction(neutralName)->setName(key);
  optimizeNative(**module, machine);
  return emit(**module, machine, llvm::CodeGenFileType::ObjectFile);
}

static void compile(Unit &unit, StringRef key, const CodeTarget &target) {
  ObjectCache &cache = ObjectCache::ofUser();
  if (auto found = cache.find(key)) {
    unit.object = found->getBuffer().str();
    return;
  }
  auto machine = createUnitMachine(target);
  auto object = machine ? compile(unit.bitcode, key, **machine) : machine.takeError();
  if (!object) {
    unit.error = llvm::toString(object.takeError());
    return;
  }
  unit.object = std::move(*object);
  cache.store(key, unit.object);
}

/// This thread stays where it measures; those that compile go everywhere.
static void compileAll(Units &units, const CodeTarget &target) {
  size_t count = std::min(cpusAtStart().size(), units.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(count));
  for (auto &[key, unit] : units)
    pool.async([&key = key, &unit = unit, &target] {
      stayOn(cpusAtStart());
      compile(unit, key, target);
    });
  pool.wait();
  ObjectCache::ofUser().prune();
}

//===----------------------------------------------------------------------===//
// Into this process
//===----------------------------------------------------------------------===//

KernelObjects::~KernelObjects() = default;

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
linkUnits(Units &units, KernelObjects::Symbols provided) {
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  llvm::orc::MangleAndInterner mangle((*jit)->getExecutionSession(), (*jit)->getDataLayout());
  if (auto error = (*jit)->getMainJITDylib().define(absoluteSymbols(provided(mangle))))
    return std::move(error);
  for (auto &[key, unit] : units) {
    if (!unit.error.empty())
      return llvm::createStringError(unit.error);
    auto object = llvm::MemoryBuffer::getMemBufferCopy(unit.object, key);
    if (auto error = (*jit)->addObjectFile(std::move(object)))
      return std::move(error);
  }
  return jit;
}

llvm::Expected<std::unique_ptr<KernelObjects>>
KernelObjects::extract(llvm::Module &module, const CodeTarget &target, Symbols provided) {
  auto kernels = std::make_unique<KernelObjects>();
  auto machine = createUnitMachine(target);
  if (!machine)
    return machine.takeError();
  Units units;
  std::vector<std::pair<llvm::Function *, std::string>> extracted;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(llvm::Attribute::NoInline))
      if (std::string bitcode = isolate(function); !bitcode.empty()) {
        extracted.push_back({&function, keyOf(bitcode, **machine)});
        units[extracted.back().second].bitcode = std::move(bitcode);
      }
  if (units.empty())
    return kernels;
  compileAll(units, target);
  auto jit = linkUnits(units, provided);
  if (!jit)
    return jit.takeError();
  kernels->jit = std::move(*jit);
  for (auto &[function, key] : extracted) {
    auto address = kernels->jit->lookup(key);
    if (!address)
      return address.takeError();
    kernels->addresses.push_back({function->getName().str(), *address});
    function->deleteBody();
    function->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
  return kernels;
}

llvm::orc::SymbolMap KernelObjects::symbols(llvm::orc::MangleAndInterner mangle) const {
  llvm::orc::SymbolMap map;
  for (const auto &[name, address] : addresses)
    map[mangle(name)] = {address, llvm::JITSymbolFlags::Exported};
  return map;
}
