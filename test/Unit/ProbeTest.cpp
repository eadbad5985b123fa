//===- ProbeTest.cpp - The probe's programs hold what they measure; its numbers make a machine
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Probe/Probe.h"
#include "Probe/Benchmark.h"
#include "Probe/Streams.h"
#include "TargetWorld.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

namespace {

MLIRContext &getContext() {
  MLIRContext &context = World::get().context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect,
                      scf::SCFDialect, vector::VectorDialect>();
  return context;
}

/// The lines of the first loop: what follows the label that a branch goes back to.
std::vector<StringRef> loopOf(StringRef assembly) {
  std::vector<StringRef> lines;
  llvm::StringMap<size_t> labels;
  for (StringRef line : llvm::split(assembly, "\n")) {
    lines.push_back(line);
    if (line.starts_with(".L"))
      labels[line.split(':').first] = lines.size();
    // "\tjne\t.LBB0_2" or "\tcbnz\tx0, .LBB0_2"
    auto label = labels.find(line.substr(line.find_last_of(" \t") + 1));
    if (line.starts_with("\t") && !line.starts_with("\t.") && label != labels.end())
      return {lines.begin() + label->second, lines.end()};
  }
  return {};
}

/// What a core did before has set its clock.
TEST(Benchmark, BeginningOfARoundDoesNotCount) {
  TimePoint start = now();
  Benchmark benchmark("", /*usesCaches=*/false, [&] { return secondsSince(start); });
  benchmark.takeRound();
  EXPECT_GE(benchmark.best(), 1e-3);
}

TEST(Benchmark, SlowOneIsSampledOnceARound) {
  int64_t calls = 0;
  Benchmark benchmark("", /*usesCaches=*/false, [&] {
    for (TimePoint start = now(); secondsSince(start) < 5e-3;)
      continue;
    return static_cast<double>(++calls);
  });
  benchmark.takeRound();
  EXPECT_EQ(benchmark.samples(), 1);
  EXPECT_EQ(benchmark.best(), 2);
}

/// The fastest two of each half do not count.
TEST(Benchmark, HalvesAreCompared) {
  std::vector<double> values = {1, 1, 2, 3, 9, 1, 1, 2.5, 9, 3};
  Benchmark benchmark("", /*usesCaches=*/false, [&, i = 0]() mutable { return values[i++]; });
  benchmark.sample();
  EXPECT_EQ(benchmark.disagreement(), 0);
  while (benchmark.samples() < 10)
    benchmark.sample();
  EXPECT_EQ(benchmark.disagreement(), 0.25);
}

class StreamTest : public ::testing::TestWithParam<size_t> {
protected:
  const Intrinsic &intrinsic = World::get().intrinsics[GetParam()];

  std::string assemble(const StreamShape &shape) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&getContext()));
    addStream(*module, "stream", intrinsic, shape);
    llvm::cantFail(lowerPrograms(*module, intrinsic.target));
    Target target = *resolveTarget(World::get().library, intrinsic.target);
    return llvm::cantFail(Executable::assemble(*module, codeTargetOf(intrinsic, target)));
  }

  /// Instructions of the intrinsic in the loop; no register may go to memory there.
  int64_t countIn(const StreamShape &shape) {
    std::string assembly = assemble(shape);
    IntrinsicOp op = intrinsic.op;
    std::vector<StringRef> loop = loopOf(assembly);
    EXPECT_FALSE(llvm::any_of(loop, [](StringRef line) { return line.contains("(%rsp)"); }))
        << assembly;
    return llvm::count_if(
        loop, [&](StringRef line) { return line.contains("\t" + op.getMnemonic().str()); });
  }
};

/// LLVM neither hoists nor merges an execution.
TEST_P(StreamTest, LoopHoldsEachExecution) {
  if (!isHostArchitecture(intrinsic.getTarget().getTriple()) || intrinsic.isStaged)
    GTEST_SKIP() << "of another machine";
  StreamShape chain = chainOf(intrinsic), stream = streamOf(intrinsic);
  int64_t inChain = countIn(chain), perExecution = inChain / chain.executions;
  EXPECT_GE(perExecution, 1);
  EXPECT_EQ(inChain, perExecution * chain.executions);
  EXPECT_EQ(countIn(stream), perExecution * stream.executions);
  EXPECT_GE(stream.executions, 2);
  if (!isBroadcast(intrinsic))
    return;
  StreamShape loading = loadingStreamOf(intrinsic);
  EXPECT_EQ(countIn(loading), perExecution * loading.executions);
}

INSTANTIATE_TEST_SUITE_P(All, StreamTest,
                         ::testing::Range<size_t>(0, World::get().intrinsics.size()),
                         intrinsicName);

//===----------------------------------------------------------------------===//
// Numbers and files
//===----------------------------------------------------------------------===//

/// A path that nothing has yet, removed after the test.
struct FreshPath {
  FreshPath() {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("ucmoh", "mlir", path));
    remover.setFile(path);
    llvm::sys::fs::remove(path);
  }
  SmallString<128> path;
  llvm::FileRemover remover;
};

TEST(ProbeTest, NumbersMakeAMachine) {
  if (World::get().onHost.empty())
    GTEST_SKIP() << "no known target runs on this CPU";
  ProbeOptions options;
  options.budgetSeconds = 0.1;
  auto result = probe(&getContext(), options);
  ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
  for (const ProbeRow &row : result->rows)
    EXPECT_TRUE(std::isfinite(row.value) && row.value > 0 && row.samples > 0) << row.name;
  EXPECT_FALSE(result->target.intrinsics.empty());
  for (const Intrinsic &measured : result->target.intrinsics)
    EXPECT_GE(measured.latencyCycles, measured.throughputCycles) << measured.id();

  FreshPath file;
  llvm::cantFail(writeMachineFile(file.path, printMachineFile(*result, "here", "some_cpu")));
  llvm::cantFail(checkMachineFile(&getContext(), file.path, "here")); // may be replaced
  auto target = loadTarget(&getContext(), ("host@" + file.path).str());
  ASSERT_TRUE(succeeded(target));
  EXPECT_EQ(target->machine.name, "here");
  EXPECT_EQ(target->cpu, hostCpuName()); // code is for this CPU still
  EXPECT_EQ(target->machine.l2Bytes, result->target.machine.l2Bytes);
  EXPECT_NEAR(target->machine.clockGHz, result->target.machine.clockGHz, 0.01);
  EXPECT_NEAR(target->machine.memoryBytesPerSecond, result->target.machine.memoryBytesPerSecond,
              1e8);
  ASSERT_EQ(target->intrinsics.size(), result->target.intrinsics.size());
  for (auto [read, measured] : llvm::zip_equal(target->intrinsics, result->target.intrinsics)) {
    EXPECT_EQ(read.id(), measured.id());
    EXPECT_NEAR(read.latencyCycles, measured.latencyCycles, 0.01);
    EXPECT_NEAR(read.throughputCycles, measured.throughputCycles, 0.01);
  }
}

TEST(ProbeTest, OnlyMachineFilesAreReplaced) {
  auto message = [](StringRef path, StringRef name) {
    return llvm::toString(checkMachineFile(&getContext(), path, name));
  };
  FreshPath file;
  EXPECT_EQ(message(file.path, "m"), "");
  llvm::cantFail(writeMachineFile(file.path, "a letter"));
  EXPECT_NE(message(file.path, "m").find("is no machine file"), std::string::npos);
  llvm::cantFail(writeMachineFile(file.path, "ucmoh.machine @m cpus [] numbers {}"));
  EXPECT_EQ(message(file.path, "m"), "");
  EXPECT_NE(message(file.path, "my machine").find("--name=NAME takes"), std::string::npos);
  EXPECT_NE(message(file.path, "4").find("--name=NAME takes"), std::string::npos);
}

TEST(ProbeTest, TargetsOfOtherMachinesAreRefused) {
  ProbeOptions options;
  options.target =
      llvm::Triple(llvm::sys::getProcessTriple()).isX86() ? "aarch64_neon" : "x86_avx512f";
  auto result = probe(&getContext(), options);
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("this CPU does not execute"),
            std::string::npos);
}

} // namespace
