//===- RunnerTest.cpp - Executables, trials, tables and clocks around a measurement
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Runner.h"
#include "ErrorText.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Runtime/ChildProcess.h"
#include "ucmoh/Runtime/Executable.h"
#include "ucmoh/Runtime/ObjectCache.h"
#include "ucmoh/Runtime/Sentinel.h"
#include "ucmoh/Runtime/Table.h"
#include "ucmoh/Runtime/Trial.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

namespace {

constexpr double enoughSeconds = 60;

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

/// Returns the assembly of a sum of two vectors that fill a register of AVX-512.
std::string assembleSum() {
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(R"mlir(
    llvm.func @sum(%p: !llvm.ptr, %q: !llvm.ptr) {
      %a = llvm.load %p : !llvm.ptr -> vector<16xf32>
      %b = llvm.load %q : !llvm.ptr -> vector<16xf32>
      %s = llvm.fadd %a, %b : vector<16xf32>
      llvm.store %s, %p : vector<16xf32>, !llvm.ptr
      llvm.return
    })mlir",
                                            ParserConfig(&context));
  return llvm::cantFail(Executable::assemble(*module, CodeTarget()));
}

TEST(ExecutableTest, UsesNoHiddenInstruction) {
  if (!hostFeatures(Emulated::Excluded).lookup("avx512f"))
    GTEST_SKIP() << "this CPU lacks avx512f";
  EXPECT_NE(assembleSum().find("%zmm"), std::string::npos);
  setenv("UCMOH_HOST_CPU", "x86-64-v3", /*overwrite=*/1);
  std::string hidden = assembleSum();
  unsetenv("UCMOH_HOST_CPU");
  EXPECT_EQ(hidden.find("%zmm"), std::string::npos) << hidden;
  EXPECT_NE(hidden.find("%ymm"), std::string::npos) << hidden;
}

//===----------------------------------------------------------------------===//
// Trial
//===----------------------------------------------------------------------===//

/// A sample that was not waited for is taken for none of a quiet moment.
TEST(TrialTest, AFirstRunBeyondTheBudgetIsNotQuiet) {
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>("func.func @f(%a: f32) -> f32 { return %a : f32 }",
                                            ParserConfig(&context));
  ResultFile results;
  TrialOptions options;
  options.program.tensorize = false;
  auto child = startTrial(*module, "f", options, results);
  ASSERT_EQ(errorOf(child), "");
  ASSERT_EQ(errorOf((*child)->ask(json::Object{{"do", "prepare"}}, enoughSeconds)), "");
  auto times = (*child)->ask(json::Object{{"do", "time"}, {"budget_seconds", 0}}, enoughSeconds);
  ASSERT_EQ(errorOf(times), "");
  EXPECT_EQ(times->getArray("seconds")->size(), 1u);
  EXPECT_EQ(times->getBoolean("quiet"), false);
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

TEST(TableTest, HasTheLeastOfTheSamples) {
  json::Array samples{3e-3, 1e-3, 2e-3};
  json::Object op{{"op", 0}, {"workload", "w"}, {"seconds", summarize(&samples)}};
  json::Object report{{"function", "f"},
                      {"machine", "m"},
                      {"ops", json::Array{std::move(op)}},
                      {"seconds", summarize(&samples)}};
  std::string text;
  llvm::raw_string_ostream stream(text);
  printTable(report, stream);
  EXPECT_NE(text.find("1.000 ms"), std::string::npos) << text;
  EXPECT_EQ(text.find("2.000 ms"), std::string::npos) << text;
}

//===----------------------------------------------------------------------===//
// Sentinel
//===----------------------------------------------------------------------===//

/// Whether this machine is quiet is unknown; that waiting ends is not.
TEST(SentinelTest, WaitsNoLongerThanAsked) {
  Sentinel sentinel;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) {
    sentinel.isQuiet();
    sentinel.wait(0.01);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

/// Good moments are some of those that were seen: runs are slower than they, and faster.
TEST(SentinelTest, KnowsMomentsThatItSaw) {
  Sentinel sentinel;
  bool wasFaster = false, wasSlower = false;
  for (int i = 0; i < 2000; ++i) {
    bool quiet = sentinel.isQuiet();
    EXPECT_GT(sentinel.getSlowness(), 0);
    EXPECT_EQ(quiet, sentinel.getSlowness() <= Sentinel::slowdownAllowed);
    wasFaster |= sentinel.getSlowness() < 1;
    wasSlower |= sentinel.getSlowness() > 1;
  }
  EXPECT_TRUE(wasFaster && wasSlower);
}

TEST(GateTest, QuietSamplesAreBroughtToTheClockOfGoodMoments) {
  Sentinel sentinel;
  GateOptions options;
  options.atBestClock = true;
  auto sample = takeSample(sentinel, options, []() -> llvm::Expected<CallTimes> {
    return CallTimes{1, 0.5}; // longer than a sample has to be: one call is enough
  });
  ASSERT_TRUE(bool(sample));
  double whole = sample->seconds[0];
  EXPECT_EQ(sample->seconds[1], whole / 2);
  EXPECT_TRUE(sample->quiet ? whole >= 1 / Sentinel::slowdownAllowed : whole == 1) << whole;
}

//===----------------------------------------------------------------------===//
// ObjectCache
//===----------------------------------------------------------------------===//

/// Signals are the program's own: an emulator of instructions in it goes on to get its traps.
TEST(ObjectCacheTest, KeepsHandlersOfSignals) {
  auto handlerOfTraps = [] {
    struct sigaction action = {};
    sigaction(SIGILL, nullptr, &action);
    return action.sa_handler;
  };
  auto *before = handlerOfTraps();
  ObjectCache::ofUser().store("of-runner-test", "object");
  EXPECT_EQ(handlerOfTraps(), before);
  if (auto found = ObjectCache::ofUser().find("of-runner-test"))
    EXPECT_EQ(found->getBuffer(), "object");
}

} // namespace
