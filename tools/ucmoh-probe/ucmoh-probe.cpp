//===- ucmoh-probe.cpp - Measure this machine
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "ucmoh/Analysis/HostMachine.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Probe/Probe.h"
#include "ucmoh/Runtime/ProgramOptions.h"
#include "ucmoh/Runtime/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of ucmoh-probe");
static cl::opt<std::string> output("output", cl::cat(category),
                                   cl::desc("Machine file to write instead of installing it; - is "
                                            "standard output"));
static cl::opt<std::string> machineName("name", cl::cat(category),
                                        cl::desc("The machine's name in the file (default: LLVM's "
                                                 "name of this CPU)"));
static cl::opt<std::string> target("target", cl::init("host"), cl::cat(category),
                                   cl::desc("Whose intrinsics: host (default), a target's name, or "
                                            "a target file; without --output, what is not of host "
                                            "is only printed"));
static cl::opt<double> budget("budget-seconds", cl::init(25), cl::cat(category),
                              cl::desc("Seconds that the measurement takes (default: 25)"));
static cl::extrahelp examples(R"(
EXAMPLES

  ucmoh-probe
  ucmoh-run IN.mlir

The first command measures the intrinsics that this CPU executes, its clock, its caches and its
memory, prints them, and installs them in this user's data folder ($XDG_DATA_HOME/ucmoh/machines,
~/.local/share/ucmoh/machines without that variable). target=host, the default of all tools, chooses
and predicts with these numbers from then on.

  ucmoh-probe --output=here.mlir
  ucmoh-run --target=host@here.mlir IN.mlir

The same with a file of your own, which other machines can use and which never changes by itself.
)");

/// LLVM's name of this CPU, as a symbol: "sapphirerapids", "neoverse_v1".
static std::string defaultName() {
  std::string name = hostCpuName().str();
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '_';
  return name;
}

/// Where the file does not go, so that it can be piped.
static llvm::raw_ostream &peopleStream() { return output == "-" ? llvm::errs() : llvm::outs(); }

static void printRows(const ProbeResult &result) {
  std::vector<std::vector<std::string>> rows = {
      {"benchmark", "value", "unit", "samples", "halves differ"}};
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

/// Where the file goes: where the user says, else, if it has all that the CPU executes, where
/// target=host looks for it. Empty: nowhere.
static llvm::Expected<std::string> findOutput(MLIRContext &context) {
  if (!output.empty() || target != "host")
    return output;
  auto library = TargetLibrary::load(&context);
  std::string path = succeeded(library) ? probedMachinePath(**library) : "";
  if (path.empty())
    return llvm::createStringError("this user has no home to install the numbers in; set "
                                   "XDG_DATA_HOME, or give --output=FILE");
  if (std::error_code code = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
    return llvm::createStringError("the folder of '" + path + "' cannot be made: " +
                                   code.message() + "; set XDG_DATA_HOME, or give --output=FILE");
  return path;
}

static llvm::Expected<ProbeResult> measure(MLIRContext &context) {
  ProbeOptions options;
  options.target = target;
  options.budgetSeconds = budget;
  options.onProgress = [](double seconds) {
    llvm::errs() << llvm::formatv("\rmeasuring: {0:f0} of {1:f0} s", seconds, budget.getValue());
  };
  auto result = probe(&context, options);
  llvm::errs() << "\n";
  return result;
}

static llvm::Error run(MLIRContext &context) {
  std::string name = machineName.empty() ? defaultName() : machineName;
  if (!(budget > 0))
    return llvm::createStringError("--budget-seconds must be positive");
  auto path = findOutput(context);
  if (!path)
    return path.takeError();
  if (auto error = checkMachineFile(&context, path->empty() ? "-" : *path, name))
    return error;
  auto result = measure(context);
  if (!result)
    return result.takeError();
  printRows(*result);
  warnOfUnsteady(*result);
  if (path->empty())
    return llvm::Error::success();
  if (auto error = writeMachineFile(*path, printMachineFile(*result, name, hostCpuName())))
    return error;
  if (output.empty())
    peopleStream() << "installed: " << *path << "\ntarget=host uses these numbers from now on\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Measure this machine and write its numbers as a file\n");
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  return failed(printError(run(context)));
}
