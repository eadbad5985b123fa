//===- TargetLibrary.cpp - Parsing and finding of target files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompleteTargets.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/HostMachine.h"
#include "ucmoh/Support/InstalledFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace ucmoh;

/// Path in the repository, text.
static const std::pair<StringRef, StringRef> embedded[] = {
#include "EmbeddedTargets.inc"
};

FailureOr<std::shared_ptr<TargetLibrary>> TargetLibrary::load(MLIRContext *context, StringRef path,
                                                              StringRef machineFile) {
  auto library = std::make_shared<TargetLibrary>();
  library->module = ModuleOp::create(UnknownLoc::get(context));
  for (auto [name, text] : embedded)
    if (failed(library->add(text, name)))
      return failure();
  if (failed(completeTargets(*library->module))) // they may refer to each other
    return failure();
  for (StringRef file : llvm::split(path, ","))
    if (!file.empty() && failed(library->addFile(file, "target")))
      return failure();
  if (!machineFile.empty() && failed(library->addMachineFile(machineFile)))
    return failure();
  if (failed(completeTargets(*library->module)))
    return failure();
  library->indexIntrinsics();
  return library;
}

LogicalResult TargetLibrary::define(StringRef text, StringRef sourceName) {
  if (failed(add(text, sourceName)) || failed(completeTargets(*module)))
    return failure();
  indexIntrinsics();
  return success();
}

void TargetLibrary::indexIntrinsics() {
  intrinsics.clear();
  for (auto target : getModule().getOps<TargetOp>())
    for (auto intrinsic : target.getOps<IntrinsicOp>())
      intrinsics[(target.getSymName() + "::" + intrinsic.getSymName()).str()] = intrinsic;
}

/// Parsed as a module and then moved: parsing into a block would nest the explicit `module` of
/// printed files, and find nothing.
LogicalResult TargetLibrary::add(StringRef text, StringRef sourceName) {
  ParserConfig config(module->getContext());
  auto file = parseSourceString<ModuleOp>(text, config, sourceName);
  if (!file)
    return failure();
  std::vector<std::string> &targets = targetsOfFile[sourceName];
  std::vector<std::string> &machines = machinesOfFile[sourceName];
  for (auto symbol : llvm::make_early_inc_range(file->getOps<SymbolOpInterface>())) {
    if (Operation *replaced = module->lookupSymbol(symbol.getName()))
      replaced->erase();
    symbol->moveBefore(module->getBody(), module->getBody()->end());
    if (auto target = dyn_cast<TargetOp>(*symbol))
      targets.push_back(target.getSymName().str());
    if (auto machine = dyn_cast<MachineOp>(*symbol))
      machines.push_back(machine.getSymName().str());
  }
  return success();
}

LogicalResult TargetLibrary::addFile(StringRef path, StringRef kind) {
  auto buffer = llvm::MemoryBuffer::getFile(findInstalledFile(path), /*IsText=*/true);
  if (!buffer)
    return mlir::emitError(UnknownLoc::get(module->getContext()))
           << "cannot read " << kind << " file '" << path << "': " << buffer.getError().message();
  return add((*buffer)->getBuffer(), path);
}

LogicalResult TargetLibrary::addMachineFile(StringRef path) {
  if (!targetsOfFile.count(path) && failed(addFile(path, "machine")))
    return failure();
  const std::vector<std::string> &machines = machinesOfFile[path];
  if (machines.size() == 1)
    return success();
  auto diagnostic = mlir::emitError(UnknownLoc::get(module->getContext()))
                    << "machine file '" << path << "' ";
  if (machines.empty())
    return diagnostic << "has no ucmoh.machine; ucmoh-probe writes one";
  diagnostic << "has " << machines.size() << " machines; add it to the targets and name one, as in "
             << "host+" << path << "@" << machines.front();
  return diagnostic;
}

LogicalResult TargetLibrary::loadProbedMachine() {
  std::string path = probedMachinePath(*this);
  if (path.empty() || !llvm::sys::fs::exists(path))
    return success();
  probed = parseSourceFile<ModuleOp>(path, ParserConfig(module->getContext()));
  if (probed && llvm::hasSingleElement(probed->getOps<MachineOp>()))
    return success();
  return mlir::emitError(UnknownLoc::get(module->getContext()))
         << "'" << path
         << "' is not what ucmoh-probe wrote for this CPU; run ucmoh-probe again, or "
         << "remove the file";
}

MachineOp TargetLibrary::getProbedMachine() const {
  return probed ? *probed.get().getOps<MachineOp>().begin() : MachineOp();
}

std::string TargetLibrary::getFileOf(MachineOp machine) const {
  if (probed && machine->getParentOp() == probed.get().getOperation())
    return probedMachinePath(*this);
  for (const auto &[file, machines] : machinesOfFile)
    if (llvm::is_contained(machines, machine.getSymName()))
      return file.str();
  return "";
}

IntrinsicOp TargetLibrary::lookup(SymbolRefAttr symbol) const {
  return intrinsics.lookup(
      (symbol.getRootReference().strref() + "::" + symbol.getLeafReference().strref()).str());
}

AsyncCopyOp TargetLibrary::lookupAsyncCopy(SymbolRefAttr symbol) const {
  if (TargetOp target = getTarget(symbol.getRootReference()))
    for (auto op : target.getOps<AsyncCopyOp>())
      if (op.getSymName() == symbol.getLeafReference())
        return op;
  return {};
}

TargetOp TargetLibrary::getTarget(StringRef name) const {
  for (auto target : getModule().getOps<TargetOp>())
    if (target.getSymName() == name)
      return target;
  return {};
}

MachineOp TargetLibrary::getMachine(StringRef name) const {
  auto file = machinesOfFile.find(name);
  if (file != machinesOfFile.end() && file->second.size() == 1)
    name = file->second.front();
  for (auto machine : getModule().getOps<MachineOp>())
    if (machine.getSymName() == name)
      return machine;
  return {};
}

MachineOp TargetLibrary::getMachineOfCpu(StringRef cpu) const {
  for (auto machine : getModule().getOps<MachineOp>())
    if (llvm::is_contained(machine.getCpus().getAsValueRange<StringAttr>(), cpu))
      return machine;
  return {};
}

const std::vector<std::string> *TargetLibrary::getTargetsOfFile(StringRef path) const {
  auto found = targetsOfFile.find(path);
  return found == targetsOfFile.end() ? nullptr : &found->second;
}

std::string TargetLibrary::knownTargets() const {
  std::string names;
  for (auto target : getModule().getOps<TargetOp>())
    names += (names.empty() ? "@" : " @") + target.getSymName().str();
  return names;
}
