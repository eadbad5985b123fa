//===- Probe.cpp - The numbers of this machine, measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Probe/Probe.h"
#include "Benchmark.h"
#include "Benchmarks.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Runtime/Sentinel.h"
#include "ucmoh/Support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ucmoh;

std::string ucmoh::printMachineFile(const ProbeResult &result, StringRef name, StringRef cpu) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const std::string &line : result.method)
    stream << "// " << line << "\n";
  printMachine(result.target, name, cpu, stream);
  return text;
}

/// Whether the file holds machines and nothing else.
static bool isMachineFile(MLIRContext *context, StringRef path) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  auto module = parseSourceFile<ModuleOp>(path, ParserConfig(context));
  return module && !module->getBody()->empty() &&
         llvm::all_of(*module->getBody(), [](Operation &op) { return isa<MachineOp>(op); });
}

llvm::Error ucmoh::checkMachineFile(MLIRContext *context, StringRef path, StringRef name) {
  bool isSymbol = !name.empty() && !llvm::isDigit(name.front()) &&
                  llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isSymbol)
    return llvm::createStringError("'" + name +
                                   "' cannot be a machine's name: --name=NAME takes "
                                   "letters, digits and '_', no digit first");
  StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty() && !llvm::sys::fs::is_directory(folder))
    return llvm::createStringError("'" + path + "' cannot be written: there is no folder '" +
                                   folder + "'");
  if (path == "-" || !llvm::sys::fs::exists(path) || isMachineFile(context, path))
    return llvm::Error::success();
  return llvm::createStringError("'" + path +
                                 "' exists and is no machine file; give --output another path");
}

llvm::Error ucmoh::writeMachineFile(StringRef path, StringRef text) {
  return writeAtomically(path, text);
}

/// Whatever the time, and quiet or not, everything is sampled so often.
static constexpr int64_t leastSamples = 20;
static constexpr double progressSeconds = 1;

/// The target with what the system knows of this machine; an error if it is not this machine's.
static llvm::Expected<Target> resolveNative(MLIRContext *context, StringRef name, int64_t cores) {
  auto target = loadTarget(context, name);
  if (failed(target))
    return llvm::createStringError("unknown target '" + name + "'");
  for (const Intrinsic &intrinsic : target->intrinsics)
    if (target->device || !runsOnHost(intrinsic.getTarget(), Emulated::Excluded))
      return llvm::createStringError("this CPU does not execute " + intrinsic.id() +
                                     "; --target=host takes what it has");
  if (target->intrinsics.empty())
    return llvm::createStringError("target '" + name + "' has no intrinsics to measure");
  target->machine = defaultMachine();
  readHostCaches(target->machine);
  target->machine.cores = cores;
  return std::move(*target);
}

/// Samples all benchmarks, round by round, until the time is over.
static void takeSamples(Benchmarks &benchmarks, const ProbeOptions &options, TimePoint start) {
  Sentinel sentinel;
  double reported = 0;
  for (int64_t round = 0; round < leastSamples || secondsSince(start) < options.budgetSeconds;
       ++round) {
    for (auto &benchmark : benchmarks.all)
      if (!benchmark->usesCaches || benchmark->samples() < leastSamples || sentinel.isQuiet())
        benchmark->takeRound();
    double seconds = secondsSince(start);
    if (options.onProgress && seconds - reported >= progressSeconds)
      options.onProgress(reported = seconds);
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {
/// From seconds to the numbers of a machine.
struct Report {
  const Benchmarks &benchmarks;
  ProbeResult result = {};
  double cycleSeconds = benchmarks.clock->best(); ///< a dependent addition takes one cycle

  double add(const Twine &name, const Benchmark &benchmark, double value, StringRef unit) {
    result.rows.push_back(
        {name.str(), unit.str(), value, benchmark.samples(), benchmark.disagreement()});
    return value;
  }
  double perCycle(const Benchmark &benchmark) {
    return add(benchmark.name + ", one core", benchmark, cycleSeconds / benchmark.best(),
               "bytes/cycle");
  }
  double perSecond(const Benchmark &benchmark) {
    return add(benchmark.name, benchmark, 1e-9 / benchmark.best(), "GB/s") * 1e9;
  }
  double cycles(const Twine &name, const Benchmark &benchmark) {
    return add(name, benchmark, benchmark.best() / cycleSeconds, "cycles");
  }
  void addMachine();
  void addCosts();
  void addMethod(double seconds);
};
} // namespace

void Report::addMachine() {
  Machine &machine = result.target.machine;
  machine.clockGHz = add("clock", *benchmarks.clock, 1e-9 / cycleSeconds, "GHz");
  machine.l1BytesPerCycle = perCycle(*benchmarks.l1);
  machine.l2BytesPerCycle = perCycle(*benchmarks.l2);
  machine.l3BytesPerCycle = perCycle(*benchmarks.l3);
  machine.broadcastBytesPerCycle = benchmarks.broadcast ? perCycle(*benchmarks.broadcast) : 0;
  machine.memoryBytesPerSecond = perSecond(*benchmarks.memory);
  // No less than one, with streams or without: what looks so is others' work.
  machine.memoryStreamsBytesPerSecond =
      std::max(machine.memoryBytesPerSecond, perSecond(*benchmarks.memoryStreams));
  machine.totalMemoryBytesPerSecond =
      std::max(machine.memoryStreamsBytesPerSecond, perSecond(*benchmarks.allCores));
  machine.memoryLatencyCycles = cycles("memory latency", *benchmarks.memoryLatency);
}

/// A chain is no faster than a stream: where it looks so, it is noise.
void Report::addCosts() {
  for (const Benchmarks::Cost &cost : benchmarks.costs) {
    Intrinsic &measured = *llvm::find_if(
        result.target.intrinsics, [&](const Intrinsic &in) { return in.op == cost.intrinsic->op; });
    measured.throughputCycles = cycles(measured.id() + ", independent", *cost.stream);
    measured.latencyCycles =
        std::max(measured.throughputCycles, cycles(measured.id() + ", chain", *cost.chain));
  }
}

void Report::addMethod(double seconds) {
  auto kibibytes = [](int64_t bytes) { return llvm::formatv("{0} KiB", bytes >> 10).str(); };
  llvm::sys::TimePoint<> today = std::chrono::system_clock::now();
  auto line = [&](const auto &text) { result.method.push_back(text.str()); };
  line(llvm::formatv("Measured by ucmoh-probe on {0:%Y-%m-%d}, in {1:f0} s: the fast end of many "
                     "samples; one core, unless all.",
                     today, seconds));
  line(llvm::formatv("clock_ghz: a chain of dependent additions beside a stream of {0}.",
                     benchmarks.heaviest->id()));
  line(llvm::formatv("l1, l2, l3, memory: reads with {0}-bit registers of {1}, {2}, {3}, {4}.",
                     benchmarks.readBits, kibibytes(benchmarks.l1BufferBytes),
                     kibibytes(benchmarks.l2BufferBytes), kibibytes(benchmarks.l3BufferBytes),
                     kibibytes(benchmarks.memoryBufferBytes)));
  if (benchmarks.broadcast)
    line(llvm::formatv("broadcast: load_lhs of {0}, from L1, one beside each execution.",
                       benchmarks.broadcasting->id()));
  line(llvm::formatv(
      "memory_streams: the same reads as memory, in four parts of a slice in turns."));
  line(llvm::formatv("memory_latency_cycles: dependent reads of lines in random order."));
  line(llvm::formatv("intrinsics: executions of each intrinsic's body, all on one accumulator "
                     "(latency), on many (throughput)."));
  line(llvm::formatv("Sizes and cores are the operating system's."));
  auto unsteady = [](const ProbeRow &row) { return !row.isSteady(); };
  line(llvm::formatv("{0} of {1} numbers differ by more than 5 % between the halves of the time.",
                     llvm::count_if(result.rows, unsteady), result.rows.size()));
}

llvm::Expected<ProbeResult> ucmoh::probe(MLIRContext *context, const ProbeOptions &options) {
  TimePoint start = now();
  std::vector<int> cores = allowedCores();
  auto target = resolveNative(context, options.target, cores.size());
  if (!target)
    return target.takeError();
  stayOn(cores.back());
  auto benchmarks = makeBenchmarks(*target, options.target, cores);
  if (benchmarks)
    takeSamples(*benchmarks, options, start);
  stayOn(cores);
  if (!benchmarks)
    return benchmarks.takeError();
  Report report{*benchmarks};
  report.result.target = *target;
  report.addMachine();
  report.addCosts();
  report.addMethod(secondsSince(start));
  return std::move(report.result);
}
