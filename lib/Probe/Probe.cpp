//===- Probe.cpp - The numbers of this machine, measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Probe/Probe.h"
#include "Clock.h"
#include "Instruments.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Runtime/Cores.h"
#include "ucmoh/Runtime/Sentinel.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

/// Whatever the time, and calm or not, everything is sampled so often.
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

/// Samples everything in turn, again and again, until the time is over.
static void takeSamples(Instruments &instruments, const ProbeOptions &options, TimePoint start) {
  Sentinel sentinel;
  double reported = 0;
  for (int64_t round = 0; round < leastSamples || secondsSince(start) < options.budgetSeconds;
       ++round) {
    for (auto &quantity : instruments.quantities)
      if (!quantity->usesCaches || quantity->samples() < leastSamples || sentinel.isCalm())
        quantity->takeTurn();
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
  const Instruments &instruments;
  ProbeResult result = {};
  double cycleSeconds = instruments.clock->best(); ///< a dependent addition takes one cycle

  double add(const Twine &name, const Quantity &quantity, double value, StringRef unit) {
    result.rows.push_back(
        {name.str(), unit.str(), value, quantity.samples(), quantity.disagreement()});
    return value;
  }
  double perCycle(const Quantity &quantity) {
    return add(quantity.name + ", one core", quantity, cycleSeconds / quantity.best(),
               "bytes/cycle");
  }
  double perSecond(const Quantity &quantity) {
    return add(quantity.name, quantity, 1e-9 / quantity.best(), "GB/s") * 1e9;
  }
  double cycles(const Twine &name, const Quantity &quantity) {
    return add(name, quantity, quantity.best() / cycleSeconds, "cycles");
  }
  void addMachine();
  void addCosts();
  void addMethod(double seconds);
};
} // namespace

void Report::addMachine() {
  Machine &machine = result.target.machine;
  machine.clockGHz = add("clock", *instruments.clock, 1e-9 / cycleSeconds, "GHz");
  machine.l1BytesPerCycle = perCycle(*instruments.l1);
  machine.l2BytesPerCycle = perCycle(*instruments.l2);
  machine.l3BytesPerCycle = perCycle(*instruments.l3);
  machine.broadcastBytesPerCycle = instruments.broadcast ? perCycle(*instruments.broadcast) : 0;
  machine.memoryBytesPerSecond = perSecond(*instruments.memory);
  // No less than one: what looks so is others' work.
  machine.totalMemoryBytesPerSecond =
      std::max(machine.memoryBytesPerSecond, perSecond(*instruments.allCores));
  machine.memoryLatencyCycles = cycles("memory latency", *instruments.memoryLatency);
}

/// A chain is no faster than a stream: where it looks so, it is noise.
void Report::addCosts() {
  for (const Instruments::Cost &cost : instruments.costs) {
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
                     instruments.heaviest->id()));
  line(llvm::formatv("l1, l2, l3, memory: reads with {0}-bit registers of {1}, {2}, {3}, {4}.",
                     instruments.readBits, kibibytes(instruments.l1BufferBytes),
                     kibibytes(instruments.l2BufferBytes), kibibytes(instruments.l3BufferBytes),
                     kibibytes(instruments.memoryBufferBytes)));
  if (instruments.broadcast)
    line(llvm::formatv("broadcast: load_lhs of {0}, from L1, one beside each execution.",
                       instruments.broadcasting->id()));
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
  auto instruments = makeInstruments(*target, options.target, cores);
  if (instruments)
    takeSamples(*instruments, options, start);
  stayOn(cores);
  if (!instruments)
    return instruments.takeError();
  Report report{*instruments};
  report.result.target = *target;
  report.addMachine();
  report.addCosts();
  report.addMethod(secondsSince(start));
  return std::move(report.result);
}
