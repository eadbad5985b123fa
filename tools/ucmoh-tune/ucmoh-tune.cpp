//===- ucmoh-tune.cpp - Measures what a model could be faster with
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/ProgramOptions.h"
#include "ucmoh/Support/Files.h"
#include "ucmoh/Tune/TunerOutput.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of ucmoh-tune");
static ProgramOptions program(category);
static cl::opt<std::string> output("output", cl::Required, cl::cat(category),
                                   cl::desc("File for the choices, a JSON line per workload, which "
                                            "--choices of the other tools reads"));
static cl::opt<std::string> budget("budget", cl::init("60s"), cl::cat(category),
                                   cl::desc("Time for the search, as in 30s, 5m or 1h"));
static cl::opt<int64_t> trials("trials", cl::init(INT64_MAX), cl::cat(category),
                               cl::desc("Candidates to measure, of all workloads together, at most "
                                        "(default: as many as the budget allows)"));
static cl::opt<std::string>
    ops("ops", cl::init("."), cl::cat(category),
        cl::desc("Regular expression of the names of workloads to tune (default: all)"));
static cl::opt<std::string>
    database("records", cl::cat(category),
             cl::desc("Database of records, which is made if there is none: what it has is not "
                      "measured again, and all that is measured goes there"));
static cl::opt<uint64_t> seed("seed", cl::init(0), cl::cat(category),
                              cl::desc("Seed of the generated arguments; nothing else is random"));
static cl::opt<std::string>
    correction("correction", cl::init("nearby"), cl::cat(category),
               cl::desc("What measurements change in the model's ranking: nearby (candidates that "
                        "are alike), linear (a function of the features) or none"));
static cl::opt<double>
    leastGain("least-gain", cl::init(0.002), cl::cat(category),
              cl::desc("Stop when a round of each workload promises less than this share of the "
                       "time of all of them"));
static cl::opt<bool> gated("gate", cl::init(true), cl::cat(category),
                           cl::desc("Samples wait for quiet moments (default: yes)"));
static cl::opt<bool>
    inPlace("in-place", cl::init(true), cl::cat(category),
            cl::desc("Keep choices only that make the model faster, too, where the "
                     "budget allows to time it eight times (default: yes)"));
static cl::opt<double> timeout("timeout", cl::init(120), cl::cat(category),
                               cl::desc("Seconds for each step of a child process"));
static cl::opt<std::string>
    pinned("pinned", cl::cat(category),
           cl::desc("File for the module with the choices as attributes of its ops"));
static cl::opt<std::string>
    curve("curve", cl::cat(category),
          cl::desc("File for the time of all workloads after each round, as JSON lines"));
static cl::opt<std::string> report(
    "report", cl::cat(category),
    cl::desc("HTML file, complete in itself, with the table and a plot of time against time"));
static cl::opt<unsigned>
    plan("plan", cl::init(0), cl::cat(category),
         cl::desc("Measure nothing: write so many rounds to --output, as tasks for ucmoh-collect, "
                  "whose rows --records may have the next time"));
static cl::extrahelp examples(R"(
EXAMPLES:
  ucmoh-tune model.mlir --budget=60s --output=choices.jsonl
  ucmoh-run model.mlir --choices=choices.jsonl
  ucmoh-tune model.mlir --records=mine.sqlite --output=choices.jsonl   # goes on where it was stopped
  ucmoh-tune model.mlir --trials=100 --ops=conv --output=choices.jsonl --pinned=pinned.mlir
)");

static llvm::Expected<TuneOptions> readOptions() {
  TuneOptions options;
  auto seconds = parseBudget(budget, "--budget");
  if (!seconds)
    return seconds.takeError();
  auto how = parseCorrection(correction);
  if (!how)
    return llvm::createStringError("--correction must be nearby, linear or none, but is '" +
                                   correction + "'");
  if (trials < 1)
    return llvm::createStringError("--trials must be positive; the pass chooses without any");
  std::string message;
  if (!llvm::Regex(ops).isValid(message))
    return llvm::createStringError("--ops is no regular expression: " + message);
  options.trial.program = program.toCompileOptions();
  options.trial.inputs.seed = seed;
  options.budgetSeconds = *seconds;
  options.timeoutSeconds = timeout;
  options.ops = ops;
  options.correction = *how;
  options.schedule.trials = trials;
  options.schedule.leastGain = leastGain;
  options.gated = gated;
  options.inPlace = inPlace;
  return options;
}

static llvm::Error writePinned(Tuner &tuner) {
  return writeAtomically(pinned, [&](llvm::raw_ostream &out) {
    out << tuner.pin() << "\n";
    return llvm::Error::success();
  });
}

static llvm::Error writeCurve(const Tuner &tuner) {
  return writeAtomically(curve, [&](llvm::raw_ostream &out) {
    for (const TunePoint &point : tuner.getCurve())
      out << llvm::json::Value(llvm::json::Object{{"seconds", point.seconds},
                                                  {"trials", point.trials},
                                                  {"before_seconds", point.before},
                                                  {"after_seconds", point.after}})
          << "\n";
    return llvm::Error::success();
  });
}

static llvm::Error writePlan(Tuner &tuner) {
  return writeAtomically(output, [&](llvm::raw_ostream &out) {
    for (llvm::json::Object &line : tuner.plan(plan))
      out << llvm::json::Value(std::move(line)) << "\n";
    return llvm::Error::success();
  });
}

static llvm::Error tune(ModuleOp module, ArrayRef<std::string> functions) {
  auto options = readOptions();
  if (!options)
    return options.takeError();
  options->functions = functions;
  auto records =
      database.empty() ? Records::temporary() : Records::open(database, Records::Mode::Create);
  if (!records)
    return records.takeError();
  auto tuner = Tuner::create(module, *records, *options);
  if (!tuner)
    return tuner.takeError();
  if (plan > 0)
    return writePlan(**tuner);
  // The first lines are written before anything is measured: a bad path costs no time.
  if (auto error = (*tuner)->run([&] { return writeChoices(output, (*tuner)->getTasks()); }))
    return error;
  printTable(**tuner, llvm::outs());
  if (!report.empty())
    if (auto error = writeReport(report, **tuner))
      return error;
  if (!curve.empty())
    if (auto error = writeCurve(**tuner))
      return error;
  return pinned.empty() ? llvm::Error::success() : writePinned(**tuner);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Measures what a model could be faster with\n");
  // Children are forks, which need a process with a single thread.
  return program.run(MLIRContext::Threading::DISABLED,
                     [](ModuleOp module, ArrayRef<std::string> functions) {
                       return printError(tune(module, functions));
                     });
}
