//===- TargetTest.cpp - Target files, machines and the names they are asked for by
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/HostMachine.h"
#include "ucmoh/Analysis/Tolerance.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

namespace {

/// A context that knows the dialects, and the text of the errors it was given.
class TargetTest : public ::testing::Test {
protected:
  TargetTest() {
    DialectRegistry registry;
    registerUCMoH(registry);
    context.appendDialectRegistry(registry);
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      llvm::raw_string_ostream(errors) << diagnostic.getLocation() << ": " << diagnostic << "\n";
    });
  }
  /// Writes a file that lives as long as the test.
  std::string write(StringRef text) {
    SmallString<128> path;
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("ucmoh", "mlir", descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
    files.push_back(std::make_unique<llvm::FileRemover>(path));
    return path.str().str();
  }
  const Intrinsic *find(const Target &target, StringRef id) {
    for (const Intrinsic &intrinsic : target.intrinsics)
      if (intrinsic.id() == id)
        return &intrinsic;
    return nullptr;
  }

  MLIRContext context;
  std::string errors;
  std::vector<std::unique_ptr<llvm::FileRemover>> files;
};

//===----------------------------------------------------------------------===//
// The CPU's name
//===----------------------------------------------------------------------===//

/// As the operating system lists them of a processor, without some that a hypervisor hides.
llvm::StringMap<bool> featuresOf(StringRef cpu, llvm::ArrayRef<StringRef> hidden) {
  llvm::StringMap<bool> features;
  llvm::SmallVector<StringRef> names;
  for (StringRef every : {"sapphirerapids", "rocketlake", "znver5"})
    llvm::X86::getFeaturesForCPU(every, names);
  for (StringRef name : names)
    features[name] = false;
  names.clear();
  llvm::X86::getFeaturesForCPU(cpu, names);
  for (StringRef name : names)
    features[name] = !llvm::is_contained(hidden, name);
  return features;
}

TEST(HostCpuTest, NumberOfAnotherModel) {
  EXPECT_EQ(
      plausibleCpu("rocketlake", featuresOf("sapphirerapids", {"waitpkg", "uintr", "enqcmd"})),
      "sapphirerapids");
  EXPECT_EQ(plausibleCpu("rocketlake", featuresOf("znver4", {})), "znver4");
}

TEST(HostCpuTest, HiddenFeaturesDoNotChangeTheName) {
  EXPECT_EQ(plausibleCpu("sapphirerapids", featuresOf("sapphirerapids", {"amx-tile", "amx-int8"})),
            "sapphirerapids");
  EXPECT_EQ(plausibleCpu("neoverse-v1", featuresOf("znver4", {})), "neoverse-v1");
}

/// What is printed of the shipped files is read back as the same.
TEST_F(TargetTest, FilesSurviveARoundTrip) {
  auto library = TargetLibrary::load(&context);
  ASSERT_TRUE(succeeded(library)) << errors;
  auto print = [](ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    return text;
  };
  std::string text = print((*library)->getModule());
  auto again = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  ASSERT_TRUE(again) << errors;
  EXPECT_EQ(print(*again), text);
}

TEST_F(TargetTest, NamedTargetOnNamedMachine) {
  auto target = loadTarget(&context, "x86_avx512_vnni@zen4");
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_EQ(target->machine.name, "zen4");
  EXPECT_EQ(target->machine.l2Bytes, 1 << 20);
  EXPECT_EQ(target->cpu, "znver4");
  EXPECT_EQ(target->features, "+avx512f,+avx512vnni,+fast-dpwssd");
  const Intrinsic *vpdpbusd = find(*target, "x86_avx512_vnni::vpdpbusd_512");
  ASSERT_TRUE(vpdpbusd);
  EXPECT_EQ(vpdpbusd->n, 16);
  EXPECT_EQ(vpdpbusd->k, 4);
  EXPECT_EQ(vpdpbusd->lhs.name(), "u8");
  EXPECT_EQ(vpdpbusd->rhs.name(), "s8");
  EXPECT_EQ(vpdpbusd->acc.name(), "s32");
  EXPECT_EQ(vpdpbusd->throughputCycles, 1.0);
  EXPECT_EQ(vpdpbusd->registersFor(16, 32), 1);
  EXPECT_EQ(vpdpbusd->registersFor(17, 32), 2);
  EXPECT_EQ(target->library->lookup(vpdpbusd->getSymbol()), vpdpbusd->op);
}

/// Sums of integers are exact in any order; what floats lose depends on the operands.
TEST_F(TargetTest, ToleranceFollowsFromOperands) {
  auto tolerance = [&](StringRef name) {
    auto target = loadTarget(&context, name.split("::").first);
    const Intrinsic *intrinsic = find(*target, name);
    return intrinsic ? toleranceOf(*intrinsic) : NAN;
  };
  EXPECT_EQ(tolerance("x86_avx512_vnni::vpdpbusd_512"), 0);
  EXPECT_EQ(tolerance("x86_avx512f::vfmadd_512"), 1e-3);
  EXPECT_EQ(tolerance("nvidia_sm80::mma_m16n8k16_f16_f32"), 1e-2);
  EXPECT_EQ(tolerance("nvidia_sm80::mma_m16n8k16_bf16_f32"), 5e-2);
  EXPECT_EQ(tolerance("nvidia_sm80::mma_m16n8k32_s8_s8"), 0);
  EXPECT_EQ(defaultTolerance(Float8E5M2Type::get(&context)), 1e-2);
  EXPECT_EQ(defaultTolerance(Float64Type::get(&context)), 1e-3);
  EXPECT_EQ(defaultTolerance(IndexType::get(&context)), 0);
}

TEST_F(TargetTest, JoinedTargetsHaveAllIntrinsicsAndFeatures) {
  auto target = loadTarget(&context, "x86_avx512_vnni+x86_avx512f@cascadelake");
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_TRUE(find(*target, "x86_avx512_vnni::vpdpwssd_512"));
  EXPECT_TRUE(find(*target, "x86_avx512f::vfmadd_512"));
  EXPECT_EQ(target->features, "+avx512f,+avx512vnni,+fast-dpwssd");
}

TEST_F(TargetTest, HostHasExactlyTheTargetsOfItsFeatures) {
  auto target = loadTarget(&context, "host");
  auto features = llvm::sys::getHostCPUFeatures();
  bool isX86 = llvm::Triple(llvm::sys::getProcessTriple()).isX86();
  if (!isX86 || !features.lookup("avx2") || !features.lookup("fma"))
    GTEST_SKIP() << "no x86 target runs here";
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_TRUE(find(*target, "x86_avx2_fma::vfmadd_256"));
  bool vnni = features.lookup("avx512f") && features.lookup("avx512vnni");
  EXPECT_EQ(find(*target, "x86_avx512_vnni::vpdpbusd_512") != nullptr, vnni);
  EXPECT_EQ(find(*target, "x86_avxvnni::vpdpbusd_256") != nullptr, features.lookup("avxvnni"));
  EXPECT_EQ(target->cpu, hostCpuName());
  EXPECT_GE(target->machine.l1Bytes, 8 << 10);
  EXPECT_GE(target->machine.cores, 1);
}

TEST_F(TargetTest, CostsThatNoMachineHas) {
  std::string machine = write(R"mlir(ucmoh.machine @clock cpus ["x"] numbers {clock_ghz = 2.5})mlir");
  auto target = loadTarget(&context, "x86_avx2_fma@" + machine);
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_EQ(target->machine.clockGHz, 2.5);
  EXPECT_EQ(target->machine.l2BytesPerCycle, defaultMachine().l2BytesPerCycle);
  EXPECT_EQ(target->machine.source, machine);
  EXPECT_EQ(find(*target, "x86_avx2_fma::vfmadd_256")->throughputCycles, 0.5); // the target's own
  target = loadTarget(&context, "x86_avx2_fma@default");
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_FALSE(target->machineOp);
  EXPECT_EQ(target->machine.source, "defaults");
  EXPECT_EQ(find(*target, "x86_avx2_fma::vfmadd_256")->latencyCycles, 4);
  EXPECT_TRUE(adviceOnMachine(*target, "x86_avx2_fma@default").empty()); // was asked for
}

/// What the probe installed is found by "host" and by nothing that names a machine.
TEST_F(TargetTest, InstalledMachineIsThisMachine) {
  SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ucmoh-data", folder));
  auto removeFolder = llvm::make_scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
  std::string before = getenv("XDG_DATA_HOME") ? getenv("XDG_DATA_HOME") : "";
  setenv("XDG_DATA_HOME", folder.c_str(), 1);
  auto restore = llvm::make_scope_exit([&] { setenv("XDG_DATA_HOME", before.c_str(), 1); });

  auto target = loadTarget(&context, "host");
  if (failed(target))
    GTEST_SKIP() << "no known target runs on this CPU";
  std::string path = probedMachinePath(*target->library);
  EXPECT_TRUE(StringRef(path).starts_with(folder));
  ASSERT_FALSE(llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)));
  auto install = [&](StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
  };
  std::string without = target->machineId();
  install(R"mlir(ucmoh.machine @zen4 cpus ["x"] numbers {clock_ghz = 9.25})mlir");
  target = loadTarget(&context, "host");
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_EQ(target->machine.clockGHz, 9.25);
  EXPECT_EQ(target->machine.source, path);
  EXPECT_NE(target->machineId(), without);
  EXPECT_TRUE(adviceOnMachine(*target, "host").empty());
  // Pinned: the shipped machine of that name, whatever is installed.
  auto pinned = loadTarget(&context, "host@zen4");
  ASSERT_TRUE(succeeded(pinned)) << errors;
  EXPECT_EQ(pinned->machine.clockGHz, 3.7);
  EXPECT_EQ(pinned->machine.source, "targets/machines/zen4.mlir");

  install("no machine");
  errors.clear();
  EXPECT_TRUE(failed(loadTarget(&context, "host")));
  EXPECT_NE(errors.find("run ucmoh-probe again, or remove the file"), std::string::npos);
}

TEST_F(TargetTest, FileReplacesEmbeddedTarget) {
  std::string path = write(R"mlir(
    ucmoh.target @x86_avx512f triple("x86_64-unknown-linux-gnu") features("+avx512f") registers(8 x 512) {
    })mlir");
  auto target = loadTarget(&context, path + "+x86_avx2_fma@zen4");
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_FALSE(find(*target, "x86_avx512f::vfmadd_512"));
  EXPECT_EQ(target->library->getTarget("x86_avx512f").getRegisterCount(), 8u);
}

TEST_F(TargetTest, MachineNumbersHaveDefaults) {
  std::string path = write(R"mlir(
    ucmoh.machine @tiny cpus [] numbers {l1_bytes = 4096}
    )mlir");
  auto library = TargetLibrary::load(&context, path);
  ASSERT_TRUE(succeeded(library)) << errors;
  auto target = resolveTarget(*library, "x86_avx2_fma@tiny");
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_EQ(target->machine.l1Bytes, 4096);
  EXPECT_EQ(target->machine.l2Bytes, defaultMachine().l2Bytes);
  EXPECT_GT(target->intrinsics.front().latencyCycles, 0);
}

TEST_F(TargetTest, MachineByItsFile) {
  std::string path = write(R"mlir(
    ucmoh.machine @zen4 cpus ["znver4"] numbers {l1_bytes = 4096}
        intrinsics {"x86_avx2_fma::vfmadd_256" = {latency_cycles = 7.0, throughput_cycles = 3.0}}
    )mlir");
  auto target = loadTarget(&context, "x86_avx2_fma@" + path);
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_EQ(target->machine.l1Bytes, 4096);
  EXPECT_EQ(find(*target, "x86_avx2_fma::vfmadd_256")->latencyCycles, 7.0);
  // A file of targets and a machine may be both.
  EXPECT_TRUE(succeeded(loadTarget(&context, path + "+x86_avx2_fma@" + path))) << errors;

  EXPECT_TRUE(failed(loadTarget(&context, "x86_avx2_fma@does/not/exist.mlir")));
  EXPECT_NE(errors.find("cannot read machine file 'does/not/exist.mlir'"), std::string::npos)
      << errors;
  EXPECT_TRUE(failed(loadTarget(&context, "x86_avx2_fma@" + write(""))));
  EXPECT_NE(errors.find("has no ucmoh.machine; ucmoh-probe writes one"), std::string::npos);
  std::string two =
      write("ucmoh.machine @a cpus [] numbers {} ucmoh.machine @b cpus [] numbers {}");
  EXPECT_TRUE(failed(loadTarget(&context, "x86_avx2_fma@" + two)));
  EXPECT_NE(errors.find("has 2 machines"), std::string::npos) << errors;
  EXPECT_TRUE(succeeded(loadTarget(&context, "x86_avx2_fma+" + two + "@b"))) << errors;
}

TEST_F(TargetTest, ErrorsNameWhatIsKnown) {
  EXPECT_TRUE(failed(loadTarget(&context, "x86_avx1024")));
  EXPECT_NE(errors.find("unknown target 'x86_avx1024'"), std::string::npos) << errors;
  EXPECT_NE(errors.find("@x86_avx512_vnni"), std::string::npos) << errors;
  errors.clear();
  EXPECT_TRUE(failed(loadTarget(&context, "x86_avx512f@zen99")));
  EXPECT_NE(errors.find("unknown machine 'zen99'; known machines: @"), std::string::npos) << errors;
  errors.clear();
  EXPECT_TRUE(failed(loadTarget(&context, "does/not/exist.mlir")));
  EXPECT_NE(errors.find("cannot read target file 'does/not/exist.mlir'"), std::string::npos)
      << errors;
  errors.clear();
  EXPECT_TRUE(failed(loadTarget(&context, "")));
  EXPECT_NE(errors.find("unknown target ''"), std::string::npos) << errors;
  errors.clear();
  EXPECT_TRUE(failed(loadTarget(&context, write("ucmoh.machine @m cpus [] numbers {}"))));
  EXPECT_NE(errors.find("names no target, only machines"), std::string::npos) << errors;
}

TEST_F(TargetTest, ErrorsPointIntoTheFile) {
  std::string unknown = write("\nucmoh.machine @m cpus [] numbers {l9_bytes = 1}\n");
  EXPECT_TRUE(failed(loadTarget(&context, unknown + "+x86_avx512f@m")));
  EXPECT_NE(errors.find(unknown + "\":2:1"), std::string::npos) << errors;
  EXPECT_NE(errors.find("unknown number 'l9_bytes'"), std::string::npos) << errors;
}

} // namespace
