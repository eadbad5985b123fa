//===- TargetTable.cpp - The targets and machines as a page of Markdown
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace ucmoh;

static std::string bytes(int64_t value) {
  return value % (1 << 20) == 0 ? llvm::formatv("{0} MiB", value >> 20).str()
                                : llvm::formatv("{0} KiB", value >> 10).str();
}

/// How the intrinsic wants its right operand in memory.
static std::string rhsLayout(const Intrinsic &intrinsic) {
  if (intrinsic.kInterleave == 1)
    return "row-major";
  return llvm::formatv("[k/{0}][n][{0}]", intrinsic.kInterleave);
}

/// Prints the types that it multiplies, and how wide sums are on their way to the accumulator.
static std::string typesOf(const Intrinsic &in) {
  std::string sums =
      in.partialProducts
          ? llvm::formatv(", {0} products in {1}", in.partialProducts, in.partialSum.name()).str()
          : "";
  return llvm::formatv("{0} x {1} -> {2}{3}", in.lhs.name(), in.rhs.name(), in.acc.name(), sums);
}

/// Names what executes the intrinsic in tests: the same text on every machine that writes the page.
static std::string executorOf(const Target &target, const Intrinsic &intrinsic) {
  llvm::Triple triple(target.triple);
  if (target.device)
    return "a GPU, else its emulator";
  if (triple.isX86())
    return "a CPU that has it, else the trap emulator";
  return ("a CPU that has it, else qemu-" + triple.getArchName()).str();
}

/// How results of whole programs are compared with those of plain loops.
static std::string comparisonOf(const Intrinsic &intrinsic) {
  double tolerance = toleranceOf(intrinsic);
  return tolerance == 0 ? "exact" : llvm::formatv("within {0:P1}", tolerance).str();
}

static void printIntrinsics(const Target &target, llvm::raw_ostream &os) {
  os << "\n| intrinsic | instruction | m x n x k | lhs x rhs -> acc | rhs in memory "
        "| executed in tests by | compared |\n"
     << "|---|---|---|---|---|---|---|\n";
  for (const Intrinsic &in : target.intrinsics) {
    IntrinsicOp intrinsic = in.op;
    os << llvm::formatv("| `{0}` | {1} | {2} x {3} x {4} | {5} | {6} | {7} | {8} |\n", in.name,
                        intrinsic.getMnemonic(), in.m, in.n, in.k, typesOf(in), rhsLayout(in),
                        executorOf(target, in), comparisonOf(in));
  }
}

static void printTarget(TargetOp op, const Target &target, llvm::raw_ostream &os) {
  os << llvm::formatv("\n## {0}\n\n`{1}`, features `{2}`, {3} registers of {4} bits.\n",
                      op.getSymName(), op.getTriple(), op.getFeatures(), op.getRegisterCount(),
                      op.getRegisterBits());
  if (!target.intrinsics.empty())
    printIntrinsics(target, os);
  for (auto lookup : op.getOps<LookupOp>())
    os << llvm::formatv("\nLook-ups in tables of 256 bytes: `{0}` by {1}, {2} at once.\n",
                        lookup.getSymName(), lookup.getMnemonic(), lookup.getLanes());
}

static LogicalResult printMachineTable(MachineOp op, llvm::raw_ostream &os) {
  FailureOr<Machine> machine = readMachine(op);
  if (failed(machine))
    return failure();
  os << llvm::formatv("\n## {0}\n\n{1} GHz; L1 {2}, L2 {3}, L3 {4}; bytes per cycle from L1 {5}, "
                      "L2 {6}, L3 {7}; {8} GB/s from memory. LLVM's names: {9}.\n\n",
                      machine->name, machine->clockGHz, bytes(machine->l1Bytes),
                      bytes(machine->l2Bytes), bytes(machine->l3Bytes), machine->l1BytesPerCycle,
                      machine->l2BytesPerCycle, machine->l3BytesPerCycle,
                      machine->memoryBytesPerSecond / 1e9,
                      llvm::join(op.getCpus().getAsValueRange<StringAttr>(), ", "));
  os << "| intrinsic | latency, cycles | distance of independent ones, cycles |\n|---|---|---|\n";
  for (NamedAttribute entry : op.getIntrinsics().value_or(DictionaryAttr::get(op.getContext()))) {
    auto costs = cast<DictionaryAttr>(entry.getValue());
    os << llvm::formatv("| `{0}` | {1:f2} | {2:f2} |\n", entry.getName().getValue(),
                        costs.getAs<FloatAttr>("latency_cycles").getValueAsDouble(),
                        costs.getAs<FloatAttr>("throughput_cycles").getValueAsDouble());
  }
  return success();
}

LogicalResult ucmoh::printTargetTable(std::shared_ptr<TargetLibrary> library,
                                      llvm::raw_ostream &os) {
  os << "# Targets\n\n"
        "Tests execute each intrinsic alone, on integers of all their type or floats that are "
        "small whole numbers, where its results have to be exact; and in whole programs, where "
        "the column 'compared' says by how much floats may differ from plain loops, which add in "
        "another order: relative to the largest magnitude that is expected of a result.\n";
  for (auto op : library->getModule().getOps<TargetOp>()) {
    FailureOr<Target> target = resolveTarget(library, op.getSymName());
    if (failed(target))
      return failure();
    printTarget(op, *target, os);
  }
  os << "\n# Machines\n";
  for (auto op : library->getModule().getOps<MachineOp>())
    if (failed(printMachineTable(op, os)))
      return failure();
  return success();
}
