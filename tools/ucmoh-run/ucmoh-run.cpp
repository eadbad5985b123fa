//===- ucmoh-run.cpp - Compile, verify and time linalg programs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Support/FileUtilities.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Runtime/Profile.h"
#include "ucmoh/Runtime/ProgramOptions.h"
#include "ucmoh/Runtime/Runner.h"
#include "ucmoh/Runtime/Table.h"
#include "ucmoh/Tune/TunerOutput.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of ucmoh-run");
static ProgramOptions program(category);
static cl::opt<bool> verify(
    "verify", cl::init(true), cl::cat(category),
    cl::desc("Compare with the untransformed program as plain loops (default: yes): integers "
             "exactly, floats up to --tolerance"));
static cl::opt<double> tolerance(
    "tolerance", cl::init(-1), cl::cat(category),
    cl::desc("Allowed difference of floats, relative to a result's largest magnitude (default: "
             "1e-3, with f16 1e-2, with bf16 5e-2)"));
static cl::opt<double> leastDecibel(
    "least-snr", cl::init(RunOptions().leastDecibel), cl::cat(category),
    cl::desc("Signal-to-noise ratio in decibel that the result of a network must have, if the "
             "network rounds floats to integers and all of its kernels are right on their inputs "
             "(default: 10)"));
static cl::opt<int64_t> top("top", cl::init(0), cl::cat(category),
                            cl::desc("Measure so many of the best candidates of each op"));
static cl::opt<bool> exhaustive("exhaustive", cl::cat(category),
                                cl::desc("Measure all candidates of each op"));
static cl::opt<std::string> tuning(
    "tune", cl::cat(category),
    cl::desc("Search for faster choices first, for so long (30s, 5m, 1h), and run with them: "
             "what ucmoh-tune does, which can go on and keeps them"));
static cl::opt<std::string> driver(
    "driver", cl::cat(category),
    cl::desc("Library of the device's driver to load instead of the one that the target names"));
static cl::opt<std::string> assembler("assembler", cl::init("ptxas"), cl::cat(category),
                                      cl::desc("Assembler of the device, by path or name; where it "
                                               "is found, it says what each kernel needs"));
static cl::opt<int64_t> repeat("repeat", cl::init(20), cl::cat(category),
                               cl::desc("Samples per function; the table has the least of them"));
static cl::opt<double> budget("budget", cl::init(10), cl::cat(category),
                              cl::desc("Seconds for the samples of one function"));
static cl::opt<double> timeout("timeout", cl::init(600), cl::cat(category),
                               cl::desc("Seconds for each step of a child process"));
static cl::opt<bool> printJson("json", cl::cat(category),
                               cl::desc("One JSON line per function instead of a table"));
static cl::opt<std::string> profileFile(
    "profile", cl::cat(category),
    cl::desc(
        "File for a trace of one call per function, which Perfetto and chrome://tracing open"));
static cl::list<std::string>
    inputs("input", cl::cat(category),
           cl::desc(".npy file for the next argument that is no weight; may be repeated"));
static cl::opt<std::string> output("output", cl::cat(category),
                                   cl::desc("Directory for the results, as NAME.INDEX.npy"));
static cl::opt<std::string>
    saveArguments("save-arguments", cl::cat(category),
                  cl::desc("Directory for the arguments, weights too, as NAME.argument.INDEX.npy"));
static cl::opt<uint64_t> seed("seed", cl::init(0), cl::cat(category),
                              cl::desc("Seed of the generated arguments"));
static cl::opt<int64_t> dim("dim", cl::init(8), cl::cat(category),
                            cl::desc("Extent of dimensions that the program leaves open"));

/// The file of the choices that --tune finds.
static llvm::SmallString<64> tuned;

static RunOptions readOptions() {
  RunOptions options;
  options.trial.program = program.toCompileOptions();
  if (!tuned.empty())
    options.trial.program.choices = tuned.str().str();
  options.trial.program.driver = driver;
  options.trial.program.assembler = assembler;
  options.trial.inputs.seed = seed;
  options.trial.inputs.dynamicSize = dim;
  options.trial.inputs.files = inputs;
  if (tolerance >= 0)
    options.trial.tolerance = tolerance;
  options.verify = verify;
  options.leastDecibel = leastDecibel;
  options.top = exhaustive ? -1 : std::max<int64_t>(0, top);
  options.repeats = std::max<int64_t>(1, repeat);
  options.budgetSeconds = budget;
  options.timeoutSeconds = timeout;
  options.outputDirectory = output;
  options.argumentsDirectory = saveArguments;
  options.profile = !profileFile.empty();
  return options;
}

/// Runs one function and prints what came out; whether all was right.
static bool runAndPrint(ModuleOp module, llvm::StringRef function, const RunOptions &options,
                        Profile &profile) {
  llvm::json::Object report = runFunction(module, function, options);
  profile.take(report);
  bool good = report.get("error")->kind() == llvm::json::Value::Null;
  if (printJson)
    llvm::outs() << llvm::json::Value(std::move(report)) << "\n";
  else
    printTable(report, llvm::outs());
  llvm::outs().flush();
  return good;
}

/// Opens the file of --profile before anything runs, so that a bad path costs no time. Null after
/// an error.
static std::unique_ptr<llvm::ToolOutputFile> openProfile() {
  std::string message;
  auto file = openOutputFile(profileFile, &message);
  if (!file)
    llvm::errs() << "error: --profile: " << message << "\n";
  return file;
}

/// Runs the functions one after the other; whether all was right.
static bool runAll(ModuleOp module, llvm::ArrayRef<std::string> functions) {
  std::unique_ptr<llvm::ToolOutputFile> file;
  if (!profileFile.empty() && !(file = openProfile()))
    return false;
  RunOptions options = readOptions();
  Profile profile;
  bool good = true;
  for (const std::string &function : functions)
    good &= runAndPrint(module, function, options, profile);
  if (file) {
    file->os() << std::move(profile).toJson() << "\n";
    file->keep();
  }
  return good;
}

static llvm::Error tune(ModuleOp module, llvm::ArrayRef<std::string> functions) {
  auto budget = parseBudget(tuning, "--tune");
  if (!budget)
    return budget.takeError();
  TuneOptions options;
  options.trial = readOptions().trial;
  options.budgetSeconds = *budget;
  options.functions = functions;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("choices", "jsonl", tuned))
    return llvm::createStringError(error, "no file for the choices of --tune");
  auto records = Records::temporary();
  if (!records)
    return records.takeError();
  auto tuner = Tuner::create(module, *records, options);
  if (!tuner)
    return tuner.takeError();
  if (auto error = (*tuner)->run([] { return llvm::Error::success(); }))
    return error;
  printTable(**tuner, llvm::errs());
  return writeChoices(tuned, (*tuner)->getTasks());
}

static llvm::LogicalResult run(ModuleOp module, llvm::ArrayRef<std::string> functions) {
  llvm::FileRemover remover;
  if (!tuning.empty()) {
    if (failed(printError(tune(module, functions))))
      return failure();
    remover.setFile(tuned);
  }
  stayOnLast(program.getThreads());
  return success(runAll(module, functions));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Compile, verify and time linalg programs\n");
  // Children are forks, which need a process with a single thread.
  return program.run(MLIRContext::Threading::DISABLED, run);
}
