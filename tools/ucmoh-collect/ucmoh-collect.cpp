//===- ucmoh-collect.cpp - Measures candidates of many tasks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "ucmoh/Collect/Collector.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Runtime/ProgramOptions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of ucmoh-collect");
static cl::opt<std::string>
    taskFile("tasks", cl::Required, cl::cat(category),
             cl::desc("File of tasks: JSON lines {\"name\", \"ir\", \"tags\", \"choices\"}, where "
                      "choices, if there are any, are measured instead of drawn ones"));
static cl::opt<std::string> database("db", cl::Required, cl::cat(category),
                                     cl::desc("Database of records; it is made if there is none"));
static cl::opt<std::string> target("target", cl::init("host"), cl::cat(category),
                                   cl::desc("Target, as in the pass --ucmoh-select"));
static cl::opt<std::string>
    model("model", cl::init("analytic"), cl::cat(category),
          cl::desc("Cost model that ranks candidates for --guided, --active and --first"));
static cl::opt<std::string> run("run", cl::init("1"), cl::cat(category),
                                cl::desc("Label of this independent run of measurements"));
static cl::opt<int64_t>
    guided("guided", cl::init(12), cl::cat(category),
           cl::desc("Candidates per task and target, drawn from the best tenth by the model"));
static cl::opt<int64_t>
    uniform("uniform", cl::init(10), cl::cat(category),
            cl::desc("Candidates per task and target, drawn from all that the pass considers"));
static cl::opt<int64_t> wild(
    "wild", cl::init(6), cl::cat(category),
    cl::desc(
        "Candidates per task and target, drawn from legal ones that the pass does not consider"));
static cl::opt<int64_t>
    active("active", cl::init(0), cl::cat(category),
           cl::desc("Candidates per task and target that tell a model most: representative, "
                    "diverse, and ranked differently by the model and the roofline"));
static cl::opt<int64_t> first("first", cl::init(0), cl::cat(category),
                              cl::desc("Measure so many candidates of each task that the model "
                                       "ranks first, whatever their target, instead of drawing"));
static cl::opt<int64_t>
    atLeast("at-least", cl::init(0), cl::cat(category),
            cl::desc("Draw in the same proportion until each task and target has so many "
                     "candidates in this run, earlier ones counted in"));
static cl::opt<int64_t> threads(freeOptionName("threads"), cl::init(1), cl::cat(category),
                                cl::desc("Threads that share each candidate, on as many cores"));
static cl::opt<double>
    beatable("beatable", cl::init(0), cl::cat(category),
             cl::desc("Prune candidates whose executions alone, at this share of the measured "
                      "cycles, take longer than the best record of the task; 0 prunes nothing"));
static cl::opt<double> importantShare(
    "important-share", cl::init(1), cl::cat(category),
    cl::desc(
        "Share of the tasks to measure, drawn with chances proportional to operations times uses"));
static cl::opt<std::string> again("again", cl::cat(category),
                                  cl::desc("Measure what the run of this label measured"));
static cl::opt<double>
    againShare("again-share", cl::init(1), cl::cat(category),
               cl::desc("With --again, measure this share of each task's candidates"));
static cl::opt<bool> gated("gate", cl::init(true), cl::cat(category),
                           cl::desc("Samples wait for quiet moments (default: yes)"));
static cl::opt<bool>
    atBestClock("at-best-clock", cl::init(true), cl::cat(category),
                cl::desc("Samples are brought to the clock of good moments (default: yes)"));
static cl::opt<int64_t> rounds("rounds", cl::init(4), cl::cat(category),
                               cl::desc("Samples of each candidate"));
static cl::opt<bool> interleave("interleave", cl::init(true), cl::cat(category),
                                cl::desc("Samples of a batch are interleaved (default: yes)"));
static cl::opt<int64_t>
    refinements("refinements", cl::init(6), cl::cat(category),
                cl::desc("Further rounds over the best tenth of a task, at most"));
static cl::opt<double> maxFlops("max-flops", cl::init(3e9), cl::cat(category),
                                cl::desc("Tasks with more operations are skipped"));
static cl::opt<double> budget("budget-seconds", cl::init(1e9), cl::cat(category),
                              cl::desc("No task is started after so many seconds"));
static cl::opt<double> timeout("timeout", cl::init(120), cl::cat(category),
                               cl::desc("Seconds for each step of a child process"));
static cl::extrahelp examples(R"(
EXAMPLES:
  python3 -m ucmoh.tasks > tasks.jsonl
  ucmoh-collect --tasks=tasks.jsonl --db=mine.sqlite                # goes on where it was stopped
  ucmoh-collect --tasks=tasks.jsonl --db=mine.sqlite --run=2 --again=1 --again-share=0.1
                                                                    # how much do times repeat?
  ucmoh-collect --tasks=tasks.jsonl --db=mine.sqlite --first=64 --model=embedded
  ucmoh-collect --tasks=tasks.jsonl --db=mine.sqlite --first=1000000 --beatable=0.75
                                                                    # all that could be the best
  ucmoh-collect --tasks=tasks.jsonl --db=mine.sqlite --at-least=100 # what these tasks still lack
  ucmoh-collect --tasks=tasks.jsonl --db=mine.sqlite --important-share=0.5 \
      --guided=1 --uniform=0 --wild=0 --active=8 --model=embedded    # few rows that tell most
)");

static llvm::Error collectAll(MLIRContext &context) {
  auto tasks = readTaskFile(taskFile);
  if (!tasks)
    return tasks.takeError();
  auto records = Records::open(database, Records::Mode::Create);
  if (!records)
    return records.takeError();
  CollectOptions options;
  options.target = target;
  options.model = model;
  options.run = run;
  options.guided = guided;
  options.uniform = uniform;
  options.wild = wild;
  options.active = active;
  options.first = first;
  options.atLeast = atLeast;
  options.threads = threads;
  options.beatable = beatable;
  options.importantShare = importantShare;
  options.again = again;
  options.againShare = againShare;
  options.gated = gated;
  options.atBestClock = atBestClock;
  options.rounds = rounds;
  options.interleave = interleave;
  options.refinements = refinements;
  options.maxFlops = maxFlops;
  options.budgetSeconds = budget;
  options.timeoutSeconds = timeout;
  return collect(context, std::move(*tasks), *records, options);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Measures candidates of many tasks\n");
  DialectRegistry registry;
  registerExecutableDialects(registry);
  // Children are forks, which need a process with a single thread.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  return failed(printError(collectAll(context)));
}
