//===- ProgramTest.cpp - The program that is scored is the one that is compiled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Program.h"
#include "WorkloadFixture.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Transforms/Passes.h"
#include <random>

using namespace mlir;
using namespace ucmoh;

namespace {

constexpr const char *hostTargets =
    "x86_avx512_vnni+x86_avx512vl_vnni+x86_avx512_bf16+x86_avx512f+x86_avx2_fma@zen4";

std::string print(const Program &program) {
  std::string text;
  llvm::raw_string_ostream(text) << program;
  return text;
}

/// Fields that the enumeration leaves as they are, or sets together: here, anything legal goes.
Candidate vary(Candidate candidate, std::mt19937 &random) {
  auto pick = [&](auto... values) {
    int64_t all[] = {values...};
    return all[random() % std::size(all)];
  };
  const Intrinsic &intrinsic = *candidate.intrinsic;
  candidate.unroll = pick(1, 1, 2, 3, 4);
  candidate.threads = pick(1, 1, 1, 2, 3, 8);
  candidate.tileM = intrinsic.m * pick(1, 2, 3, 5, 8, 12);
  candidate.tileN = intrinsic.n * pick(1, 1, 2, 3);
  candidate.cacheM = candidate.tileM * pick(1, 2, 5, 1000);
  candidate.cacheN = candidate.tileN * pick(1, 2, 3, 1000);
  candidate.cacheK = pick(16, 64, 100, 128, 1 << 20) * intrinsic.k;
  const char *orders[] = {"nmk.nm", "nmk.mn", "mnk.nm", "mnk.mn", "mkn.nm", "knm.mn"};
  candidate.order = orders[random() % std::size(orders)];
  return candidate;
}

/// The same for intrinsics that a grid of blocks and warps executes.
Candidate varyGrid(Candidate candidate, std::mt19937 &random) {
  auto pick = [&](auto... values) {
    int64_t all[] = {values...};
    return all[random() % std::size(all)];
  };
  const Intrinsic &intrinsic = *candidate.intrinsic;
  do {
    candidate.tileM = intrinsic.m * pick(1, 1, 2, 3);
    candidate.tileN = intrinsic.n * pick(1, 2, 3, 5);
  } while (candidate.tileM * candidate.tileN > largestTileElements);
  candidate.cacheM = candidate.tileM * pick(1, 2, 3, 4);
  candidate.cacheN = candidate.tileN * pick(1, 2, 3);
  candidate.cacheK = intrinsic.k * pick(1, 2, 3, 4);
  candidate.stages = pick(1, 2, 3, 5);
  candidate.order = random() % 2 ? "nmk.nm" : "mnk.nm";
  return candidate;
}

class ProgramTest : public WorkloadTest {
protected:
  void useTarget(const char *name) {
    all = target(name);
    passes.emplace(&context);
    passes->addNestedPass<func::FuncOp>(createTile({name}));
    passes->addNestedPass<func::FuncOp>(createTensorize({name}));
  }
  /// Candidates of the enumeration and varied ones, that are legal.
  std::vector<Candidate> choose(const Workload &workload, size_t count, std::mt19937 &random,
                                Candidate (*variation)(Candidate, std::mt19937 &));

  /// One function per candidate, emitted together.
  void check(ModuleOp source, const Workload &workload, ArrayRef<Candidate> candidates) {
    auto original = *source.getOps<func::FuncOp>().begin();
    OwningOpRef<ModuleOp> module = ModuleOp::create(original.getLoc());
    for (auto [i, candidate] : llvm::enumerate(candidates)) {
      func::FuncOp copy = original.clone();
      copy.setName("f" + std::to_string(i));
      copy.walk([&](linalg::LinalgOp op) { op->setAttr("ucmoh.choice", candidate.toAttr(0, "")); });
      module->push_back(copy);
    }
    ASSERT_TRUE(succeeded(passes->run(*module)));
    for (auto [function, candidate] : llvm::zip_equal(module->getOps<func::FuncOp>(), candidates))
      function.walk([&](KernelOp kernel) {
        if (kernel.getKind() == "contract")
          compare(kernel, workload, candidate);
      });
  }

  void compare(KernelOp kernel, const Workload &workload, const Candidate &candidate) {
    ++compared;
    FailureOr<Program> read = readProgram(kernel, *library);
    Program built = buildProgram(workload, candidate);
    if (succeeded(read) && *read == built)
      return;
    ++different;
    if (different > 3)
      return;
    std::string choice;
    llvm::raw_string_ostream(choice) << candidate.toAttr(0, "");
    ADD_FAILURE() << workload.name() << " " << choice << "\nbuilt:\n"
                  << print(built) << "read:\n"
                  << (succeeded(read) ? print(*read) : "nothing");
  }

  Target all;
  std::optional<PassManager> passes;
  int64_t compared = 0, different = 0;
};

std::vector<Candidate> ProgramTest::choose(const Workload &workload, size_t count,
                                           std::mt19937 &random,
                                           Candidate (*variation)(Candidate, std::mt19937 &)) {
  std::string reason;
  std::vector<Candidate> candidates = enumerateCandidates(workload, all, reason), chosen;
  for (int64_t attempt = 0; !candidates.empty() && attempt < 3000 && chosen.size() < count;
       ++attempt) {
    Candidate candidate = candidates[random() % candidates.size()];
    if (attempt % 4)
      candidate = variation(candidate, random);
    if (whyIllegal(workload, candidate, all).empty())
      chosen.push_back(candidate);
  }
  return chosen;
}

TEST_F(ProgramTest, WhatIsReadIsWhatWasBuilt) {
  std::mt19937 random(7);
  useTarget(hostTargets);
  std::vector<Workload> workloads = corpus();
  for (auto [workload, module] : llvm::zip_equal(workloads, modules)) {
    std::vector<Candidate> chosen = choose(workload, 240, random, vary);
    ASSERT_FALSE(chosen.empty());
    check(*module, workload, chosen);
  }
  EXPECT_EQ(different, 0);
  EXPECT_GE(compared, 10000);
}

/// Each device's intrinsics, for those workloads whose types they have.
TEST_F(ProgramTest, WhatIsReadOfGridsIsWhatWasBuilt) {
  std::mt19937 random(11);
  std::vector<Workload> workloads = corpus();
  workloads.push_back(make("linalg.matmul", "61x129xf16", "129x83xf16", "61x83xf32"));
  workloads.push_back(make("linalg.matmul", "61x136xf16", "136x88xf16", "61x88xf32", ""));
  workloads.push_back(
      make("linalg.batch_matmul", "3x61x136xf16", "3x136x88xf16", "3x61x88xf32", ""));
  workloads.push_back(make("linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}",
                           "2x11x11x16xf16", "3x3x16x40xf16", "2x5x5x40xf32"));
  for (const char *name : {"nvidia_sm80", "nvidia_sm80_tf32", "nvidia_sm80_wmma", "nvidia_sm90a"}) {
    useTarget(name);
    int64_t before = compared;
    for (auto [workload, module] : llvm::zip_equal(workloads, modules))
      check(*module, workload, choose(workload, 16, random, varyGrid));
    EXPECT_GT(compared, before) << name;
  }
  EXPECT_EQ(different, 0);
  EXPECT_GE(compared, 1000);
  llvm::outs() << "compared " << compared << " kernels\n";
}

} // namespace
