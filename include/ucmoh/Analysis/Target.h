//===- Target.h - Targets, intrinsics and machines as the analysis reads them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_TARGET_H
#define UCMOH_ANALYSIS_TARGET_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "ucmoh/Analysis/ElementType.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Dialect/UCMoH.h"
#include <memory>
#include <string>
#include <vector>

namespace ucmoh {

/// Whether this machine can execute the target's intrinsics: the CPU, or an emulator, has its
/// features, and the operating system grants what they need of the CPU's.
bool runsOnHost(TargetOp target, Emulated emulated);

/// An intrinsic: semantics read from its op, cost read from the machine.
struct Intrinsic {
  IntrinsicOp op;                      ///< lives as long as the library it was read from
  std::string target, name;            ///< symbols
  int64_t m, n, k;                     ///< elements of one execution
  ElementType lhs, rhs, acc;           ///< element types with sign
  int64_t kInterleave;                 ///< consecutive reduction steps side by side in rhs
  int64_t partialProducts;             ///< that are added in a `partialSum` first; 0: none are
  ElementType partialSum;              ///< saturates or wraps: sums must fit
  int64_t subgroupSize;                ///< threads that hold one fragment together
  bool variableM;                      ///< fragments of lhs and acc may have fewer than m rows
  int64_t registerCount, registerBits; ///< the target's register file
  bool isStaged;                       ///< operands are read from shared memory
  int64_t sharedMemoryBytes, rowPaddingBytes; ///< a block of threads has so much; 0 without
  int64_t blockThreads;                       ///< at most; 1 without blocks
  double latencyCycles, throughputCycles;     ///< on the machine at hand
  int64_t mostStreams;                        ///< in which few rows read weights, on that machine

  mlir::SymbolRefAttr getSymbol() const; ///< @target::@name
  /// The target that the intrinsic belongs to.
  TargetOp getTarget() const;
  /// "target::intrinsic"
  std::string id() const { return target + "::" + name; }
  /// Registers that one fragment of `bits`-wide elements occupies (at least 1).
  int64_t registersFor(int64_t elements, unsigned bits) const;
};

/// A machine: what the roofline needs. Units are in the names.
struct Machine {
  std::string name;   ///< the symbol of its op
  std::string source; ///< its file: a path, "targets/machines/NAME.mlir" or "defaults"
  double clockGHz;    ///< under vector load
  int64_t l1Bytes, l2Bytes, l3Bytes, cacheLineBytes; ///< data caches of one core; l3 as shared
  /// For registers that loads of one element fill, each beside an execution that uses it:
  /// slower than such loads alone.
  double broadcastBytesPerCycle;
  double l1BytesPerCycle, l2BytesPerCycle, l3BytesPerCycle, memoryBytesPerSecond; ///< one core
  int64_t cores;                                         ///< multiprocessors of a device
  double totalMemoryBytesPerSecond, memoryLatencyCycles; ///< all cores together; one read
  /// One core, in four places side by side; 0: no other than in one place.
  double memoryStreamsBytesPerSecond;
  int64_t coreSharedMemoryBytes, coreRegisters, coreThreads; ///< a device's blocks share these
};

/// Returns the cycles until threads that wait have begun, and until one knows that all have ended:
/// each time a line of the cache is asked for and a changed one is sent, as slowly as from memory.
inline double forkCycles(const Machine &machine) { return 4 * machine.memoryLatencyCycles; }

/// Returns the seconds in which one core writes bytes and reads them again, of which `inUse` are in
/// use at a time: from the cache that holds those, the last one by a fourth, for others use it as
/// well. Memory is read before it is written.
double movingSeconds(const Machine &machine, int64_t bytes, int64_t inUse);

/// A machine of which nothing is known. The numbers are those of a typical core, between the ones
/// that were measured: docs/cost-model.md, "A machine without numbers".
Machine defaultMachine();

/// The numbers of the file, the defaults where it has none. An unknown name is reported as an
/// error.
mlir::FailureOr<Machine> readMachine(MachineOp op);

/// Writes the numbers of a CPU as readMachine reads them, one a line: "clock_ghz = 3.7,". What is
/// of devices only is left out, and so is what is 0.
void printNumbers(const Machine &machine, llvm::raw_ostream &os);

/// Replaces what the operating system knows (data caches, their lines, cores) by its values for
/// this machine.
void readHostCaches(Machine &machine);

/// All parsed target and machine files. Parsed once, before any thread starts;
/// shared by the passes and by their copies, which only read it.
class TargetLibrary {
public:
  /// Parses the embedded files, or those of `path` (a file, or several separated
  /// by commas) in addition: what they define replaces an embedded target or machine of that name.
  /// Errors are reported at their location in the file.
  /// May load dialects: call it from Pass::initialize or a tool's main.
  /// `machineFile`, if given, is a file of one machine: what '@' names in resolveTarget.
  static mlir::FailureOr<std::shared_ptr<TargetLibrary>>
  load(mlir::MLIRContext *context, llvm::StringRef path = "", llvm::StringRef machineFile = "");

  /// Adds the targets and machines of `text` in the same way. `sourceName` is for diagnostics.
  /// Not while others read.
  mlir::LogicalResult define(llvm::StringRef text, llvm::StringRef sourceName);

  /// The intrinsic of a symbol `@target::@name`, or null.
  IntrinsicOp lookup(mlir::SymbolRefAttr symbol) const;
  /// The asynchronous copy of a symbol `@target::@name`, or null.
  AsyncCopyOp lookupAsyncCopy(mlir::SymbolRefAttr symbol) const;
  mlir::ModuleOp getModule() const { return *module; }
  /// "@a @b": for diagnostics.
  std::string knownTargets() const;
  /// The target of that name, or null.
  TargetOp getTarget(llvm::StringRef name) const;
  /// The machine of that name, or of the file of one machine given to `load`; or null.
  MachineOp getMachine(llvm::StringRef name) const;
  /// The machine that has the processor `cpu` (a name of LLVM), or null.
  MachineOp getMachineOfCpu(llvm::StringRef cpu) const;
  /// Parses the file that ucmoh-probe installed for this CPU (HostMachine.h), if there is one. It
  /// replaces nothing and has no name here: only getProbedMachine finds it.
  mlir::LogicalResult loadProbedMachine();
  /// The machine of that file, or null.
  MachineOp getProbedMachine() const;
  /// The file that defines the machine: a path, or "targets/machines/NAME.mlir".
  std::string getFileOf(MachineOp machine) const;
  /// Names of the targets in a file given to `load`, perhaps none; null if it was not given.
  const std::vector<std::string> *getTargetsOfFile(llvm::StringRef path) const;

private:
  mlir::LogicalResult add(llvm::StringRef text, llvm::StringRef sourceName);
  mlir::LogicalResult addFile(llvm::StringRef path, llvm::StringRef kind);
  mlir::LogicalResult addMachineFile(llvm::StringRef path);
  void indexIntrinsics();

  mlir::OwningOpRef<mlir::ModuleOp> module, probed;
  llvm::StringMap<IntrinsicOp> intrinsics; ///< by "target::name"; filled once, so threads may read
  llvm::StringMap<std::vector<std::string>> targetsOfFile, machinesOfFile;
};

/// The intrinsics that may be used together, with the machine they run on.
struct Target {
  std::shared_ptr<TargetLibrary> library; ///< keeps the ops alive
  std::vector<TargetOp> ops;              ///< the library's, in the order of their names
  std::vector<Intrinsic> intrinsics;      ///< in the order of the files
  Machine machine;                        ///< whose numbers predict
  int64_t threads = 1;                    ///< that one kernel may use
  /// For code generation; features, with tuning, as "+a,+b". Of the host if kernels run on a
  /// device.
  std::string triple, cpu, features;
  mlir::Attribute device;  ///< how code for the device is compiled, or null
  bool isEmulated = false; ///< this machine runs it, but only with an emulator
  MachineOp machineOp;     ///< where the machine's numbers come from; null if they are defaults

  /// "zen4@1f2e3d4c": the machine's name and a hash of all numbers that choices rest on.
  std::string machineId() const;
};

/// Writes the target's machine as a file that resolveTarget reads, a `ucmoh.machine @NAME` of the
/// processor `cpu` with the numbers and the costs of the target's intrinsics. For CPUs: what only
/// devices have is left out.
void printMachine(const Target &target, llvm::StringRef name, llvm::StringRef cpu,
                  llvm::raw_ostream &os);

/// `name`: "host" (every target whose features this CPU has, and its caches), or
/// the name of one target, several joined by '+', optionally '@' and a machine:
/// "x86_avx512_vnni@zen4", or the path of a target file that the library has loaded. A machine is a
/// name or the path of a file of one machine: "host@here.mlir"; "default" has no file. On failure
/// an error is emitted that lists the known targets. A target without a machine gets this machine
/// where its CPU has the features (what ucmoh-probe installed, else the file of its processor), and
/// the default machine elsewhere. "host" with a machine is code for this CPU still: only the
/// numbers are the machine's, and nothing that is installed here changes them.
mlir::FailureOr<Target> resolveTarget(std::shared_ptr<TargetLibrary> library, llvm::StringRef name);

/// Loads the library with the files that `name` mentions (see resolveTarget).
/// May load dialects, as TargetLibrary::load.
mlir::FailureOr<std::shared_ptr<TargetLibrary>> loadLibrary(mlir::MLIRContext *context,
                                                            llvm::StringRef name);

/// The same library for all passes of a context that ask for it by this name while one of them
/// holds it: it is parsed once.
mlir::FailureOr<std::shared_ptr<TargetLibrary>> shareLibrary(mlir::MLIRContext *context,
                                                             llvm::StringRef name);
/// The library that shareLibrary gave to others, or null if nobody holds it. Parses nothing.
std::shared_ptr<TargetLibrary> findSharedLibrary(mlir::MLIRContext *context, llvm::StringRef name);

/// Describes the target that `name` was resolved to, as an attribute of a module.
ResolvedAttr describeTarget(const Target &target, llvm::StringRef name);

/// loadLibrary and resolveTarget: what the option `target` of passes and tools means.
mlir::FailureOr<Target> loadTarget(mlir::MLIRContext *context, llvm::StringRef name);

/// Writes all targets, intrinsics and machines as Markdown: docs/generated/targets.md.
mlir::LogicalResult printTargetTable(std::shared_ptr<TargetLibrary> library, llvm::raw_ostream &os);

/// The same for one operation that is done by the intrinsic: its operands are the less exact.
double toleranceOf(const Intrinsic &intrinsic);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_TARGET_H
