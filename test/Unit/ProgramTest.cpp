//===- ProgramTest.cpp - The program that is scored is the one that is compiled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Program.h"
#include "WorkloadFixture.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Transforms/Passes.h"
#include <random>

using namespace mlir;
using namespace ucmoh;

namespace {

/// Targets of one ISA each, on a machine.
constexpr const char *hostTargets[] = {
    "x86_avx512_vnni+x86_avx512vl_vnni+x86_avx512_bf16+x86_avx512f+x86_avx2_fma@zen4",
    "x86_amx_int8+x86_amx_bf16+x86_amx_fp16@sapphirerapids",
    "aarch64_dotprod+aarch64_i8mm+aarch64_bf16+aarch64_neon@graviton3"};

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
  candidate.threads = pick(1, 1, 1, 2, 3, 8);
  candidate.tileM = intrinsic.m * pick(1, 2, 3, 5, 8, 12);
  candidate.tileN = intrinsic.n * pick(1, 1, 2, 3);
  candidate.cacheM = candidate.tileM * pick(1, 2, 5, 1000);
  candidate.cacheN = candidate.tileN * pick(1, 2, 3, 1000);
  candidate.cacheK = pick(16, 64, 100, 128, 1 << 20) * intrinsic.k;
  candidate.order = {random() % 2 == 0, random() % 2 == 0};
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
  candidate.pipelineDepth = pick(1, 2, 3, 5);
  candidate.order = {random() % 2 == 0, /*rowTilesInside=*/true};
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
    if (succeeded(verifyCandidate(workload, candidate)))
      chosen.push_back(candidate);
  }
  return chosen;
}

TEST_F(ProgramTest, WhatIsReadIsWhatWasBuilt) {
  std::mt19937 random(7);
  std::vector<Workload> workloads = corpus();
  for (const char *name : hostTargets) {
    useTarget(name);
    int64_t before = compared;
    for (auto [workload, module] : llvm::zip_equal(workloads, modules))
      check(*module, workload, choose(workload, 150, random, vary));
    EXPECT_GE(compared - before, 1000) << name;
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

//===----------------------------------------------------------------------===//
// Kernels that nobody here wrote
//===----------------------------------------------------------------------===//

class OddKernelTest : public WorkloadTest {
protected:
  OddKernelTest() {
    DialectRegistry registry;
    registry.insert<affine::AffineDialect, gpu::GPUDialect, memref::MemRefDialect, scf::SCFDialect,
                    ub::UBDialect, vector::VectorDialect>();
    context.appendDialectRegistry(registry);
  }

  /// Returns what the reader says of a kernel with this body on %l, %r and %o: memrefs of the types
  /// given.
  std::string read(llvm::StringRef body, llvm::StringRef type = "64xf32",
                   llvm::StringRef results = "64xf32") {
    std::string text = llvm::formatv(
        "func.func @f(%0: memref<{0}>, %1: memref<{0}>, %2: memref<{1}>) {{\n"
        "ucmoh.kernel \"contract\" ins(%0, %1 : memref<{0}>, memref<{0}>) outs(%2 : memref<{1}>) "
        "(%l: memref<{0}>, %r: memref<{0}>, %o: memref<{1}>) {{\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%c8 = arith.constant 8 : index\n%v = arith.constant dense<0.0> : vector<16xf32>\n"
        "{2}\nucmoh.yield\n}\nreturn\n}",
        type, results, body);
    return readText(text);
  }

  std::string readText(llvm::StringRef text) {
    std::string message = "it was read";
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str();
    ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    if (module)
      module->walk([&](KernelOp kernel) {
        if (succeeded(readProgram(kernel, *library)))
          message = "it was read";
      });
    return message;
  }

  /// A body that is launched on a grid.
  static std::string launch(llvm::StringRef body, llvm::StringRef threads = "%c8",
                            llvm::StringRef blocks = "%c1") {
    return llvm::formatv("gpu.launch blocks(%bx, %by, %bz) in (%gx = {2}, %gy = %c1, %gz = %c1) "
                         "threads(%tx, %ty, %tz) in (%sx = {1}, %sy = %c1, %sz = %c1) {{\n{0}\n"
                         "gpu.terminator\n}",
                         body, threads, blocks);
  }
};

constexpr llvm::StringLiteral store = "vector.store %v, %o[{0}] : memref<64xf32>, vector<16xf32>";

std::string storeAt(llvm::StringRef index) { return llvm::formatv(store.data(), index); }

TEST_F(OddKernelTest, OperandsThatNoProgramHas) {
  EXPECT_EQ(read("", "?xf32"), "a buffer of a program needs static shape, of integers or floats, "
                               "but is 'memref<?xf32>'");
  EXPECT_EQ(read("", "64xindex"), "a buffer of a program needs static shape, of integers or "
                                  "floats, but is 'memref<64xindex>'");
  EXPECT_EQ(readText("func.func @f(%0: memref<4xf32>) {\n ucmoh.kernel \"contract\" "
                     "outs(%0 : memref<4xf32>) (%o: memref<4xf32>) {\nucmoh.yield\n}\nreturn\n}"),
            "a program needs two inputs, lhs and rhs, and an output");
}

TEST_F(OddKernelTest, PositionsThatNoProgramHas) {
  const char *unknown = "accesses a position that does not follow from loops and threads";
  EXPECT_EQ(read("scf.for %i = %c0 to %c8 step %c1 {\n%p = affine.apply affine_map<(d0)[s0] -> "
                 "(d0 floordiv s0)>(%i)[%c0]\n" +
                 storeAt("%p") + "\n}"),
            unknown);
  EXPECT_EQ(read("scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {\n" +
                 storeAt("%j") + "\n}"),
            "a loop of a program has one variable and bounds");
}

TEST_F(OddKernelTest, GridsThatNoProgramHas) {
  auto withSize = [&](llvm::StringRef body) {
    return readText(("func.func @f(%0: memref<64xf32>) {\nucmoh.kernel \"contract\" ins(%0, %0 : "
                     "memref<64xf32>, memref<64xf32>) outs(%0 : memref<64xf32>) (%l: "
                     "memref<64xf32>, %r: memref<64xf32>, %o: memref<64xf32>) {\n%c1 = "
                     "arith.constant 1 : index\n%e = ub.poison : index\n" +
                     body + "\nucmoh.yield\n}\nreturn\n}")
                        .str());
  };
  EXPECT_EQ(withSize(launch("", "%e")), "a grid of a program needs a constant number of threads");
  EXPECT_EQ(withSize(launch("", "%c1", "%e")),
            "a grid of a program needs a constant number of blocks");
}

TEST_F(OddKernelTest, StatementsThatNoGridHas) {
  for (const char *division :
       {"arith.divui %tx, %c0 : index", "arith.remui %tx, %c0 : index",
        "affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%tx, %c0]",
        "affine.apply affine_map<()[s0, s1] -> (s0 ceildiv s1)>()[%tx, %c0]",
        "affine.apply affine_map<()[s0, s1] -> (s0 mod s1)>()[%tx, %c0]"})
    EXPECT_EQ(read(launch(("%p = " + llvm::Twine(division) + "\n" + storeAt("%p")).str())),
              "accesses a position that does not follow from loops and threads")
        << division;
}

} // namespace
