//===- ucmoh-featurize.cpp - Measurements as data for training
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Dataset/ReadData.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options");
static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore, cl::cat(category),
                                    cl::desc("RECORDS.{jsonl,jsonl.zst,sqlite}..."));
static cl::opt<int64_t> leastSamples(
    "least-samples", cl::init(1), cl::cat(category),
    cl::desc("Skip programs that were timed less often, since a single sample may be noisy"));
static cl::opt<std::string>
    machine("machine", cl::value_desc("NAME|FILE.mlir"), cl::cat(category),
            cl::desc("Describe programs with this machine's numbers instead of those recorded with "
                     "them; default: with what is known of a machine without a file"));
static cl::opt<std::string> output("output", cl::Required, cl::cat(category),
                                   cl::value_desc("FILE.safetensors"),
                                   cl::desc("Where the tensors are written"));
static cl::extrahelp overview(R"(
Reads measurements, rebuilds each workload and candidate from its text, and writes the features of
each program with its seconds: what ucmoh-train reads. Rows that cannot be rebuilt are left out and
counted.

  ucmoh-featurize data/*.jsonl.zst --output=features.safetensors
)");

static int fail(llvm::Error error) {
  llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
  return 1;
}

static int run() {
  llvm::Expected<ReadData> read = readData(inputs, {/*kind=*/nullptr, leastSamples, machine});
  if (!read)
    return fail(read.takeError());
  if (llvm::Error error = writeDatasetFile(output, read->data))
    return fail(std::move(error));
  llvm::outs() << read->data.tasks.size() << " tasks, " << read->data.programs() << " programs -> "
               << output << "\n";
  read->warn();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Measurements as data for training\n");
  return run();
}
