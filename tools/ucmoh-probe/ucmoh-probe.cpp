//===- ucmoh-probe.cpp - Measure this machine
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Measure/Probe.h"
#include "ucmoh/Measure/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of ucmoh-probe");
static cl::opt<std::string> output("output", cl::cat(category),
                                   cl::desc("Machine file to write; - is standard output (default: "
                                            "only the table)"));
static cl::opt<std::string> machineName("name", cl::cat(category),
                                        cl::desc("The machine's name in the file (default: LLVM's "
                                                 "name of this CPU)"));
static cl::opt<std::string> target("target", cl::init("host"), cl::cat(category),
                                   cl::desc("Whose intrinsics: host (default), a target's name, or "
                                            "a target file"));
static cl::opt<double> budget("budget-seconds", cl::init(25), cl::cat(category),
                              cl::desc("Seconds that the measurement takes (default: 25)"));
static cl::extrahelp examples(R"(
EXAMPLES

  ucmoh-probe --output=here.mlir
  ucmoh-run --target=host@here.mlir IN.mlir

The first command measures the intrinsics that this CPU executes, its clock, its caches and its
memory, and prints them; the second one chooses and predicts with these numbers.
)");

/// LLVM's name of this CPU, as a symbol: "sapphirerapids", "neoverse_v1".
static std::string defaultName() {
  std::string name = hostCpuName().str();
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '_';
  return name;
}

static int fail(llvm::Error error) {
  llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
  return 1;
}

/// Where the file does not go, so that it can be piped.
static llvm::raw_ostream &peopleStream() { return output == "-" ? llvm::errs() : llvm::outs(); }

static void printRows(const ProbeResult &result) {
  std::vector<std::vector<std::string>> rows = {
      {"quantity", "value", "unit", "samples", "halves differ"}};
  for (const ProbeRow &row : result.rows)
    rows.push_back({row.name, llvm::formatv("{0:f2}", row.value), row.unit,
                    llvm::formatv("{0}", row.samples),
                    llvm::formatv("{0:f1} %", row.disagreement * 100)});
  printColumns(rows, peopleStream());
}

/// The best of the faster half may be right all the same, but nothing says so.
static void warnOfUnsteady(const ProbeResult &result) {
  auto count = llvm::count_if(result.rows, [](const ProbeRow &row) { return !row.isSteady(); });
  if (count > 0)
    llvm::WithColor::warning() << llvm::formatv(
        "{0} of {1} numbers differ by more than 5 % between the halves of the time: others use "
        "this machine, or its clock changes; measure again, until two files agree\n",
        count, result.rows.size());
}

static int run(MLIRContext &context) {
  std::string name = machineName.empty() ? defaultName() : machineName;
  if (!(budget > 0))
    return fail(llvm::createStringError("--budget-seconds must be positive"));
  if (auto error = checkMachineFile(&context, output.empty() ? "-" : output.getValue(), name))
    return fail(std::move(error));
  ProbeOptions options;
  options.target = target;
  options.budgetSeconds = budget;
  options.onProgress = [](double seconds) {
    llvm::errs() << llvm::formatv("\rmeasuring: {0:f0} of {1:f0} s", seconds, budget.getValue());
  };
  auto result = probe(&context, options);
  llvm::errs() << "\n";
  if (!result)
    return fail(result.takeError());
  printRows(*result);
  warnOfUnsteady(*result);
  if (output.empty())
    return 0;
  std::string text = printMachineFile(*result, name, hostCpuName());
  if (auto error = writeMachineFile(output, text))
    return fail(std::move(error));
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Measure this machine and write its numbers as a file\n");
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  return run(context);
}
