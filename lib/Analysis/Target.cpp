//===- Target.cpp - From a target's name to its intrinsics and machine
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Target.h"
#include "mlir/IR/Diagnostics.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"
#include <map>
#include <mutex>
#include <set>
#include <unistd.h>

using namespace mlir;
using namespace ucmoh;

static bool request(ArrayRef<int64_t> numbers) {
#ifdef __linux__
  return syscall(numbers[0], numbers[1], numbers[2]) == 0;
#else
  return false;
#endif
}

/// Makes the system call that the file of a target of this architecture names as `permission`, once
/// per process: without it, the first instruction that needs it ends the process. Returns whether
/// the system, and the CPU, grant it; a target that names none needs none.
static bool requestPermission(TargetOp target) {
  static std::mutex mutex;
  static std::map<SmallVector<int64_t>, bool> granted;
  std::optional<ArrayRef<int64_t>> numbers = target.getPermission();
  if (!numbers)
    return true;
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isNew] = granted.try_emplace(SmallVector<int64_t>(*numbers), false);
  if (isNew)
    entry->second = request(*numbers);
  return entry->second;
}

/// Cost of an intrinsic that no file says anything of.
static constexpr double defaultLatencyCycles = 4, defaultThroughputCycles = 1;

SymbolRefAttr Intrinsic::getSymbol() const {
  IntrinsicOp intrinsic = op;
  MLIRContext *context = intrinsic.getContext();
  return SymbolRefAttr::get(context, target, {FlatSymbolRefAttr::get(context, name)});
}

TargetOp Intrinsic::getTarget() const {
  IntrinsicOp intrinsic = op;
  return intrinsic->getParentOfType<TargetOp>();
}

int64_t Intrinsic::registersFor(int64_t elements, unsigned bits) const {
  return std::max<int64_t>(1, llvm::divideCeil(elements * bits, registerBits * subgroupSize));
}

static bool hasFeatures(TargetOp target, Emulated emulated) {
  static const llvm::StringMap<bool> all[] = {hostFeatures(Emulated::Excluded),
                                              hostFeatures(Emulated::Included)};
  const llvm::StringMap<bool> &features = all[emulated == Emulated::Included];
  return llvm::all_of(llvm::split(target.getFeatures(), ","), [&](StringRef feature) {
    return feature.empty() || (feature.consume_front("+") && features.lookup(feature));
  });
}

bool ucmoh::runsOnHost(TargetOp target, Emulated emulated) {
  if (!isHostArchitecture(target.getTriple()))
    return false;
  bool isPermitted = requestPermission(target); // an emulator uses of the CPU what it has
  if (hasFeatures(target, Emulated::Excluded))
    return isPermitted;
  return emulated == Emulated::Included && hasFeatures(target, Emulated::Included);
}

/// Says whether the CPU itself executes the target: measured numbers and "host" are about nothing
/// else.
static bool isNative(TargetOp target) { return runsOnHost(target, Emulated::Excluded); }

/// Joins the features that code for the targets may use, and the tuning that they ask for. Code
/// that is compiled for this CPU may use all that it has besides.
static std::string joinFeatures(ArrayRef<TargetOp> targets) {
  std::set<std::string> features;
  auto add = [&](StringRef list) {
    for (StringRef feature : llvm::split(list, ","))
      if (!feature.empty())
        features.insert(feature.str());
  };
  for (TargetOp target : targets) {
    add(target.getFeatures());
    add(target.getTuning().value_or(""));
  }
  return llvm::join(features, ",");
}

static InFlightDiagnostic emitError(const TargetLibrary &library) {
  return mlir::emitError(UnknownLoc::get(library.getModule().getContext()));
}

/// Adds the targets that one part of a name, between '+', stands for.
static LogicalResult collect(const TargetLibrary &library, StringRef part,
                             llvm::SetVector<TargetOp> &targets) {
  if (part == "host") {
    for (auto target : library.getModule().getOps<TargetOp>())
      if (isNative(target))
        targets.insert(target);
    if (targets.empty())
      return emitError(library) << "no known target runs on this CPU (" << hostCpuName()
                                << "); known targets: " << library.knownTargets();
    return success();
  }
  if (const std::vector<std::string> *names = library.getTargetsOfFile(part)) {
    for (const std::string &name : *names)
      targets.insert(library.getTarget(name));
    return success();
  }
  if (TargetOp target = library.getTarget(part)) {
    targets.insert(target);
    return success();
  }
  return emitError(library) << "unknown target '" << part
                            << "'; give host, the path of a .mlir file, or one of "
                            << library.knownTargets();
}

/// Whether fragments of lhs are loaded from a memory space of its own: shared memory.
static bool readsSharedMemory(IntrinsicOp op) {
  return bool(cast<MemRefType>(op.getLoadLhs().getArgument(0).getType()).getMemorySpace());
}

/// More than four streams bring no more from memory. Where four bring hardly more than one does,
/// their sums and additions are not worth it: docs/results/served.md#streams-where-they-pay.
static int64_t mostStreamsOf(const Machine &machine) {
  return machine.memoryStreamsBytesPerSecond >= 1.05 * machine.memoryBytesPerSecond ? 4 : 1;
}

static Intrinsic readIntrinsic(TargetOp target, IntrinsicOp op, DictionaryAttr costs,
                               const Machine &machine) {
  Intrinsic intrinsic;
  intrinsic.op = op;
  intrinsic.target = target.getSymName().str();
  intrinsic.name = op.getSymName().str();
  intrinsic.m = op.getShape()[0];
  intrinsic.n = op.getShape()[1];
  intrinsic.k = op.getShape()[2];
  intrinsic.lhs = ElementType::get(op.getLhsType());
  intrinsic.rhs = ElementType::get(op.getRhsType());
  intrinsic.acc = ElementType::get(op.getAccType());
  intrinsic.kInterleave = op.getKInterleave();
  intrinsic.partialProducts = op.getPartialProducts().value_or(0);
  if (intrinsic.partialProducts)
    intrinsic.partialSum = ElementType::get(*op.getPartialType());
  intrinsic.subgroupSize = op.getSubgroupSize();
  intrinsic.variableM = op.getVariableM();
  intrinsic.registerCount = target.getRegisterCount();
  intrinsic.registerBits = target.getRegisterBits();
  intrinsic.isStaged = readsSharedMemory(op);
  intrinsic.sharedMemoryBytes = target.getSharedMemoryBytes().value_or(0);
  intrinsic.rowPaddingBytes = target.getRowPaddingBytes().value_or(0);
  intrinsic.blockThreads = target.getBlockThreads().value_or(1);
  auto cost = costs ? costs.getAs<DictionaryAttr>(intrinsic.id()) : DictionaryAttr();
  auto number = [&](StringRef name, std::optional<llvm::APFloat> typical, double otherwise) {
    auto value = cost ? cost.getAs<FloatAttr>(name) : FloatAttr();
    return value ? value.getValueAsDouble() : typical ? typical->convertToDouble() : otherwise;
  };
  intrinsic.latencyCycles = number("latency_cycles", op.getLatencyCycles(), defaultLatencyCycles);
  intrinsic.throughputCycles =
      number("throughput_cycles", op.getThroughputCycles(), defaultThroughputCycles);
  intrinsic.mostStreams = mostStreamsOf(machine);
  return intrinsic;
}

/// This machine as it was probed, else as its processor's file describes it.
static MachineOp findHostMachine(const TargetLibrary &library) {
  if (MachineOp probed = library.getProbedMachine())
    return probed;
  return library.getMachineOfCpu(hostCpuName());
}

/// The machine's op, if it has a file: the named one, else that of this CPU where the targets run,
/// or of the processor that a device's target is for.
static FailureOr<MachineOp> findMachine(const TargetLibrary &library, StringRef name, bool isHost,
                                        TargetOp target) {
  if (name.empty() && target.getDevice())
    return library.getMachineOfCpu(target.getFeatures());
  if (name.empty())
    return isHost ? findHostMachine(library) : MachineOp();
  MachineOp machine = library.getMachine(name);
  if (machine || name == defaultMachine().name)
    return machine;
  auto diagnostic = emitError(library) << "unknown machine '" << name << "'; known machines:";
  for (auto machine : library.getModule().getOps<MachineOp>())
    diagnostic << " @" << machine.getSymName();
  return diagnostic;
}

static LogicalResult setMachine(Target &target, StringRef name, bool isHost, TargetOp first) {
  FailureOr<MachineOp> op = findMachine(*target.library, name, isHost, first);
  if (failed(op))
    return failure();
  FailureOr<Machine> machine = *op ? readMachine(*op) : defaultMachine();
  if (failed(machine))
    return failure();
  target.machine = *machine;
  target.machineOp = *op;
  if (*op)
    target.machine.source = target.library->getFileOf(*op);
  if (name.empty() && isHost)
    readHostCaches(target.machine);
  if (!name.empty() && *op && !(*op).getCpus().empty())
    target.cpu = cast<StringAttr>((*op).getCpus()[0]).str();
  return success();
}

/// Collects the targets that a name stands for: such as are joined by "+", in front of a machine.
static FailureOr<std::vector<TargetOp>> findTargets(const TargetLibrary &library, StringRef name) {
  llvm::SetVector<TargetOp> collected;
  for (StringRef part : llvm::split(name.rsplit('@').first, "+"))
    if (failed(collect(library, part, collected)))
      return failure();
  if (collected.empty())
    return emitError(library) << "'" << name << "' names no target, only machines";
  return std::vector<TargetOp>(collected.begin(), collected.end());
}

/// Whether an emulator executes code of these targets.
static bool needsEmulation(ArrayRef<TargetOp> targets, const Target &target, bool allNative) {
  auto runs = [](TargetOp op) { return runsOnHost(op, Emulated::Included); };
  return !target.device && !allNative &&
         (!isHostArchitecture(target.triple) || llvm::all_of(targets, runs));
}

FailureOr<Target> ucmoh::resolveTarget(std::shared_ptr<TargetLibrary> library, StringRef name) {
  auto [names, machineName] = name.rsplit('@');
  FailureOr<std::vector<TargetOp>> found = findTargets(*library, name);
  if (failed(found))
    return failure();
  std::vector<TargetOp> &targets = *found;
  Target target;
  target.library = library;
  target.ops = targets;
  target.device = targets.front().getDevice().value_or(Attribute());
  target.triple = targets.front().getTriple().str();
  for (TargetOp op : targets)
    if (op.getTriple() != target.triple || op.getDevice().value_or(Attribute()) != target.device)
      return emitError(*library) << "target '" << name << "' joins targets of different triples";
  bool allNative = llvm::all_of(targets, isNative);
  target.isEmulated = needsEmulation(targets, target, allNative);
  if (failed(setMachine(target, machineName, allNative, targets.front())))
    return failure();
  DictionaryAttr costs =
      target.machineOp ? target.machineOp.getIntrinsics().value_or(DictionaryAttr()) : nullptr;

  for (TargetOp op : targets)
    for (auto intrinsic : op.getOps<IntrinsicOp>())
      target.intrinsics.push_back(readIntrinsic(op, intrinsic, costs, target.machine));
  if (target.device) // the host runs the rest of the program
    target.triple = llvm::sys::getProcessTriple();
  else
    target.features = joinFeatures(targets);
  if (names == "host")
    target.cpu = hostCpuName().str();
  return target;
}

std::string Target::machineId() const {
  FeatureRow row;
  describeMachine(machine, row);
  SmallVector<double> numbers(row.values.begin(), row.values.end());
  for (const Intrinsic &intrinsic : intrinsics)
    numbers.append({intrinsic.latencyCycles, intrinsic.throughputCycles});
  ArrayRef bytes(reinterpret_cast<const uint8_t *>(numbers.data()), numbers.size_in_bytes());
  return machine.name + "@" +
         llvm::utohexstr(llvm::xxh3_64bits(bytes) >> 32, /*LowerCase=*/true, /*Width=*/8);
}

FailureOr<std::shared_ptr<TargetLibrary>> ucmoh::loadLibrary(MLIRContext *context, StringRef name) {
  auto isFile = [](StringRef part) { return part.ends_with(".mlir"); };
  auto [targets, machine] = name.rsplit('@');
  SmallVector<StringRef> files;
  for (StringRef part : llvm::split(targets, "+"))
    if (isFile(part))
      files.push_back(part);
  auto library =
      TargetLibrary::load(context, llvm::join(files, ","), isFile(machine) ? machine : "");
  if (succeeded(library) && machine.empty() && failed((*library)->loadProbedMachine()))
    return failure();
  return library;
}

FailureOr<std::shared_ptr<TargetLibrary>> ucmoh::shareLibrary(MLIRContext *context,
                                                              StringRef name) {
  auto library = context->getOrLoadDialect<UCMoHDialect>()->share(name, [&] {
    auto loaded = loadLibrary(context, name);
    return succeeded(loaded) ? std::shared_ptr<void>(*loaded) : nullptr;
  });
  if (!library)
    return failure();
  return std::static_pointer_cast<TargetLibrary>(library);
}

std::shared_ptr<TargetLibrary> ucmoh::findSharedLibrary(MLIRContext *context, StringRef name) {
  return std::static_pointer_cast<TargetLibrary>(
      context->getOrLoadDialect<UCMoHDialect>()->share(name, [] { return nullptr; }));
}

ResolvedAttr ucmoh::describeTarget(const Target &target, StringRef name) {
  MLIRContext *context = target.library->getModule().getContext();
  auto targets = llvm::map_to_vector(
      target.ops, [](TargetOp op) { return FlatSymbolRefAttr::get(op.getSymNameAttr()); });
  return ResolvedAttr::get(context, name, targets, target.machineId());
}

FailureOr<Target> ucmoh::loadTarget(MLIRContext *context, StringRef name) {
  auto library = loadLibrary(context, name);
  if (failed(library))
    return failure();
  return resolveTarget(*library, name);
}

double ucmoh::toleranceOf(const Intrinsic &intrinsic) {
  IntrinsicOp op = intrinsic.op;
  return defaultTolerance(intrinsic.lhs.getType(op.getContext()));
}
