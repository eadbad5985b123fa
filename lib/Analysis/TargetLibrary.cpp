//===- TargetLibrary.cpp - Parsing and finding of target files
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/HostMachine.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Support/Files.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// Completes targets one after the other, those first that others extend.
class Completer {
public:
  explicit Completer(ModuleOp library) : library(library) {}

  LogicalResult complete(TargetOp target);

private:
  LogicalResult takeOver(TargetOp target, SymbolRefAttr base);
  void takeOver(TargetOp target, TargetOp base, Operation *op);
  LogicalResult fill(AsyncCopyOp copy);
  LogicalResult fill(IntrinsicOp intrinsic);
  LogicalResult fill(IntrinsicOp intrinsic, Role role);
  /// Finds what `name` means in a target: a symbol of the target, or `@other::@symbol`. Null if
  /// there is none.
  Operation *find(TargetOp target, SymbolRefAttr name);

  SymbolTableCollection tables;
  ModuleOp library;
  llvm::SmallSetVector<Operation *, 4> underWay; ///< each extends the next one
  llvm::SmallPtrSet<Operation *, 32> done;
};
} // namespace

static InFlightDiagnostic emitErrorAt(TargetOp target) {
  return mlir::emitError(target.getLoc()) << "target @" << target.getSymName() << " ";
}

Operation *Completer::find(TargetOp target, SymbolRefAttr name) {
  return tables.lookupSymbolIn(
      isa<FlatSymbolRefAttr>(name) ? target.getOperation() : library.getOperation(), name);
}

/// A name that holds in every target.
static SymbolRefAttr qualify(SymbolRefAttr name, TargetOp target) {
  auto flat = dyn_cast_or_null<FlatSymbolRefAttr>(name);
  return flat ? SymbolRefAttr::get(target.getSymNameAttr(), {flat}) : name;
}

void Completer::takeOver(TargetOp target, TargetOp base, Operation *op) {
  if (tables.lookupSymbolIn(target, cast<SymbolOpInterface>(op).getNameAttr()))
    return;
  Operation *copy = op->clone();
  for (StringRef name : {"lhs_fragment", "rhs_fragment", "acc_fragment", "like"})
    if (auto symbol = copy->getAttrOfType<SymbolRefAttr>(name))
      copy->setAttr(name, qualify(symbol, base));
  tables.getSymbolTable(target).insert(copy);
}

LogicalResult Completer::takeOver(TargetOp target, SymbolRefAttr name) {
  auto base = library.lookupSymbol<TargetOp>(name.getRootReference());
  if (!base)
    return emitErrorAt(target) << "extends " << name << ", but there is no target @"
                               << name.getRootReference().strref();
  if (failed(complete(base)))
    return failure();
  if (!isa<FlatSymbolRefAttr>(name)) {
    Operation *op = find(target, name);
    if (!isa_and_nonnull<IntrinsicOp, AsyncCopyOp>(op))
      return emitErrorAt(target) << "extends " << name
                                 << ", which is no intrinsic or asynchronous copy";
    takeOver(target, base, op);
    return success();
  }
  for (Operation &op : base.getBody().front())
    if (isa<IntrinsicOp, AsyncCopyOp>(op))
      takeOver(target, base, &op);
  return success();
}

/// A region that is there stays.
static void cloneIfEmpty(Region &from, Region &to) {
  IRMapping mapping;
  if (to.empty())
    from.cloneInto(&to, mapping);
}

LogicalResult Completer::fill(AsyncCopyOp copy) {
  auto isComplete = [](AsyncCopyOp op) {
    return !op.getCopy().empty() && !op.getCommit().empty() && !op.getWait().empty() &&
           op.getInit().empty() != op.getBarrier().has_value();
  };
  if (!copy.getLike() || isComplete(copy))
    return success();
  SymbolRefAttr name = *copy.getLike();
  auto owner = library.lookupSymbol<TargetOp>(name.getRootReference());
  if (owner && failed(complete(owner)))
    return failure();
  auto model = dyn_cast_or_null<AsyncCopyOp>(find(copy->getParentOfType<TargetOp>(), name));
  if (!model || !isComplete(model) ||
      model.getBarrier().has_value() != copy.getBarrier().has_value())
    return mlir::emitError(copy.getLoc())
           << "async_copy @" << copy.getSymName() << " is like " << name
           << (!model ? ", which is no 'ucmoh.async_copy'"
                      : ", which has not all bodies, or not the same kind of barrier");
  cloneIfEmpty(model.getInit(), copy.getInit());
  cloneIfEmpty(model.getCopy(), copy.getCopy());
  cloneIfEmpty(model.getCommit(), copy.getCommit());
  cloneIfEmpty(model.getWait(), copy.getWait());
  return verify(copy);
}

LogicalResult Completer::fill(IntrinsicOp intrinsic, Role role) {
  SymbolRefAttr name = intrinsic.getFragment(role);
  if (!name || !intrinsic.getLoad(role).empty())
    return success();
  Operation *found = find(intrinsic->getParentOfType<TargetOp>(), name);
  if (failed(intrinsic.verifyFragment(role, found)))
    return failure();
  auto fragment = cast<FragmentOp>(found);
  cloneIfEmpty(fragment.getLoad(), intrinsic.getLoad(role));
  if (role != Role::acc)
    return success();
  cloneIfEmpty(fragment.getZero(), intrinsic.getZero());
  cloneIfEmpty(fragment.getStore(), intrinsic.getStore());
  return success();
}

LogicalResult Completer::fill(IntrinsicOp intrinsic) {
  bool isComplete = !intrinsic.getLoadLhs().empty() && !intrinsic.getLoadRhs().empty() &&
                    !intrinsic.getLoadAcc().empty();
  if (isComplete) // and verified
    return success();
  for (Role role : {Role::lhs, Role::rhs, Role::acc})
    if (failed(fill(intrinsic, role)))
      return failure();
  return verify(intrinsic);
}

LogicalResult Completer::complete(TargetOp target) {
  if (done.contains(target))
    return success();
  if (!underWay.insert(target))
    return emitErrorAt(target) << "extends itself, or takes a body from a target that does";
  for (Attribute base : target.getBases().value_or(ArrayAttr::get(target.getContext(), {})))
    if (failed(takeOver(target, cast<SymbolRefAttr>(base))))
      return failure();
  for (auto copy : target.getOps<AsyncCopyOp>())
    if (failed(fill(copy)))
      return failure();
  for (auto intrinsic : target.getOps<IntrinsicOp>())
    if (failed(fill(intrinsic)))
      return failure();
  underWay.pop_back();
  done.insert(target);
  return success();
}

/// Clones into each target of `library` what it takes over from the targets that it extends, into
/// each intrinsic the bodies of the fragments that it names, and into each asynchronous copy those
/// of the one that it is like. From then on every intrinsic and copy is complete by itself. Errors
/// are reported at the op that names what is missing or does not fit. What is complete already
/// stays as it is.
static LogicalResult completeTargets(ModuleOp library) {
  Completer completer(library);
  for (auto target : library.getOps<TargetOp>())
    if (failed(completer.complete(target)))
      return failure();
  return success();
}

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
