//===- Main.cpp - Times the implementations of one task, interleaved ------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiled.h"
#include "OneDNN.h"
#include "Peak.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace bench;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::opt<std::string> taskLine("task", cl::desc("a line of select_tasks.py"));
static cl::opt<std::string> types("types", cl::desc("u8s8s32, s8s8s32, f32 or bf16"),
                                  cl::init("u8s8s32"));
static cl::list<std::string> compiled("compiled",
                                      cl::desc("description of a compiled function (JSON file)"));
static cl::opt<int> rounds("rounds", cl::desc("samples per implementation"), cl::init(11));
static cl::opt<double> sampleSeconds("sample-seconds", cl::desc("least length of a sample"),
                                     cl::init(5e-3));
static cl::opt<bool> calibrate("calibrate", cl::desc("print the peaks of this CPU"));
static cl::list<std::string> around(cl::Positional,
                                    cl::desc("[-- command to run in a quiet window instead]"));
static cl::opt<std::string>
    dumpPrefix("dump", cl::desc("only write data and oneDNN's result to PREFIX.{lhs,rhs,result}"));

static int fail(llvm::Error error) {
  llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
  return 1;
}

static json::Object describe(const Implementation &implementation) {
  // JSON has no infinity.
  double error = std::min(implementation.error, 1e300);
  return json::Object{{"name", implementation.name},
                      {"detail", implementation.detail},
                      {"error", error},
                      {"seconds", json::Array(implementation.seconds)},
                      {"dropped", implementation.dropped}};
}

static int printCalibration() {
  ucmoh::Sentinel sentinel;
  llvm::outs() << json::Value(measurePeaks(sentinel)) << "\n";
  return 0;
}

/// Runs the command once between two looks at the sentinel. Exit status 75 says: noisy, try again.
static int runAround() {
  ucmoh::Sentinel sentinel;
  bool quiet = sentinel.wait(5.0);
  llvm::SmallVector<llvm::StringRef> arguments(around.begin(), around.end());
  int status = llvm::sys::ExecuteAndWait(arguments[0], arguments);
  if (status)
    return status;
  // Not isQuiet: the command emptied the sentinel's cache.
  return quiet && sentinel.wait(0) ? 0 : 75;
}

static llvm::Error writeFile(const llvm::Twine &path, const char *data, size_t size) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path.str(), error);
  stream.write(data, error ? 0 : size);
  return error ? llvm::createStringError(error, "cannot write " + path) : llvm::Error::success();
}

/// Writes what other processes need to run the task on the same data and to compare their result.
static llvm::Error dump(const Task &task, const Buffer &lhs, const Buffer &rhs,
                        const Implementation &implementation) {
  size_t lhsBytes = product(task.lhsShape()) * bytesOf(task.lhs);
  size_t rhsBytes = product(task.rhsShape()) * bytesOf(task.rhs);
  size_t resultBytes = product(task.resultShape()) * bytesOf(task.result);
  if (llvm::Error error = writeFile(dumpPrefix + ".lhs", lhs.data(), lhsBytes))
    return error;
  if (llvm::Error error = writeFile(dumpPrefix + ".rhs", rhs.data(), rhsBytes))
    return error;
  return writeFile(dumpPrefix + ".result", implementation.plainResult(), resultBytes);
}

static llvm::Error timeTask() {
  llvm::Expected<Task> task = parseTask(taskLine, types);
  if (!task)
    return task.takeError();
  Buffer lhs(product(task->lhsShape()) * bytesOf(task->lhs));
  Buffer rhs(product(task->rhsShape()) * bytesOf(task->rhs));
  fill(lhs, task->lhs, 1);
  fill(rhs, task->rhs, 2);
  std::vector<Implementation> implementations = makeOneDNN(*task, lhs, rhs);
  for (const std::string &path : compiled) {
    llvm::Expected<Implementation> implementation = loadCompiled(*task, path, lhs, rhs);
    if (!implementation)
      return implementation.takeError();
    implementations.push_back(std::move(*implementation));
  }
  for (Implementation &implementation : implementations) {
    implementation.run();
    implementation.error =
        maxError(*task, lhs.data(), rhs.data(), implementation.plainResult(), 3000);
  }
  if (!dumpPrefix.empty())
    return dump(*task, lhs, rhs, implementations.front());
  ucmoh::Sentinel sentinel;
  timeInterleaved(implementations, sentinel, rounds, sampleSeconds);
  json::Object result{{"task", task->name}, {"types", types.getValue()}, {"flops", task->flops()}};
  json::Array list;
  for (const Implementation &implementation : implementations)
    list.push_back(describe(implementation));
  result["implementations"] = std::move(list);
  llvm::outs() << json::Value(std::move(result)) << "\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Times the implementations of one task, interleaved\n");
  if (calibrate)
    return printCalibration();
  if (!around.empty())
    return runAround();
  if (llvm::Error error = timeTask())
    return fail(std::move(error));
  return 0;
}
