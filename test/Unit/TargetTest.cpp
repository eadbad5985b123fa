//===- TargetTest.cpp - Target files, machines and the names they are asked for by
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Target.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Analysis/HostMachine.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"
#include <cmath>
#include <sched.h>

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

/// Returns the features that a virtual machine on the processor reports: no more than LLVM's
/// features of it, without those that its hypervisor hides.
llvm::StringMap<bool> featuresUnder(llvm::ArrayRef<StringRef> hidden, StringRef cpu) {
  llvm::StringMap<bool> features, offered = featuresOfCpu(cpu);
  for (StringRef every : {"diamondrapids", "sapphirerapids", "rocketlake", "znver5"})
    for (const auto &entry : featuresOfCpu(every))
      features[entry.first()] = offered.lookup(entry.first());
  for (StringRef name : hidden)
    features[name] = false;
  return features;
}

const std::initializer_list<StringRef> hiddenFromAmd = {
    "pku",      "mwaitx", "movdiri",   "movdir64b",
    "wbnoinvd", "rdpru",  "prefetchi", "avx512vp2intersect"};
const std::initializer_list<StringRef> hiddenFromIntel = {
    "pku",     "waitpkg", "uintr", "enqcmd", "cldemote",  "movdiri",  "movdir64b",
    "pconfig", "ptwrite", "sgx",   "hreset", "serialize", "tsxldtrk", "wbnoinvd"};

/// Every host has what LLVM's lists of processors leave out.
TEST(HostCpuTest, FeaturesWithWhatTheyImply) {
  llvm::StringMap<bool> features = featuresOfCpu("x86-64-v3");
  for (StringRef name : {"64bit", "cmov", "sse2", "avx", "avx2", "fma"})
    EXPECT_TRUE(features.lookup(name)) << name.str();
  EXPECT_FALSE(features.lookup("avx512f"));
  EXPECT_TRUE(featuresOfCpu("generic").empty());
}

TEST(HostCpuTest, NumberIsBelievedUnderAHypervisor) {
  for (StringRef cpu : {"znver2", "znver3", "znver4", "znver5"})
    EXPECT_EQ(plausibleCpu(cpu, "AMD", featuresUnder(hiddenFromAmd, cpu)), cpu);
  for (StringRef cpu : {"haswell", "skylake-avx512", "cascadelake", "icelake-server",
                        "sapphirerapids", "emeraldrapids", "graniterapids"})
    EXPECT_EQ(plausibleCpu(cpu, "INTEL", featuresUnder(hiddenFromIntel, cpu)), cpu);
}

/// Word for word what a virtual machine on a Zen 4 has, whose processor is "AMD EPYC".
TEST(HostCpuTest, Zen4AsReported) {
  llvm::StringMap<bool> features = featuresUnder({}, "x86-64");
  for (StringRef name : llvm::split(
           "64bit,adx,aes,avx,avx2,avx512bf16,avx512bitalg,avx512bw,avx512cd,avx512dq,avx512f,"
           "avx512ifma,avx512vbmi,avx512vbmi2,avx512vl,avx512vnni,avx512vpopcntdq,bmi,bmi2,"
           "clflushopt,clwb,clzero,cmov,crc32,cx16,cx8,f16c,fma,fsgsbase,fxsr,gfni,invpcid,lzcnt,"
           "mmx,movbe,pclmul,popcnt,prfchw,rdpid,rdrnd,rdseed,sahf,sha,shstk,sse,sse2,sse3,sse4.1,"
           "sse4.2,sse4a,ssse3,vaes,vpclmulqdq,xsave,xsavec,xsaveopt,xsaves",
           ","))
    features[name] = true;
  EXPECT_EQ(plausibleCpu("znver4", "AMD", features), "znver4");
  EXPECT_EQ(plausibleCpu("generic", "AMD", features), "znver4"); // a number that LLVM knows not
}

/// What a CPU executes beyond its number's processor no hypervisor can have added.
TEST(HostCpuTest, NumberOfAnotherModel) {
  EXPECT_EQ(plausibleCpu("rocketlake", "INTEL", featuresUnder(hiddenFromIntel, "sapphirerapids")),
            "sapphirerapids");
  EXPECT_EQ(plausibleCpu("znver2", "AMD", featuresUnder(hiddenFromAmd, "znver5")), "znver5");
  EXPECT_EQ(plausibleCpu("znver3", "AMD", featuresUnder(hiddenFromAmd, "znver4")), "znver4");
}

/// A name stays if some of its features are hidden and no other processor of its maker has just the
/// rest.
TEST(HostCpuTest, HiddenInstructions) {
  EXPECT_EQ(plausibleCpu("sapphirerapids", "INTEL",
                         featuresUnder({"amx-tile", "amx-int8", "amx-bf16"}, "sapphirerapids")),
            "sapphirerapids");
  EXPECT_EQ(plausibleCpu("znver4", "AMD", featuresUnder({}, "znver3")), "znver3");
  EXPECT_EQ(plausibleCpu("cascadelake", "INTEL", featuresUnder({}, "skylake")), "skylake");
}

/// A number of tomorrow: the nearest of the same maker, or of all where LLVM knows no maker.
TEST(HostCpuTest, NoName) {
  EXPECT_EQ(plausibleCpu("generic", "AMD", featuresUnder(hiddenFromAmd, "znver5")), "znver5");
  EXPECT_EQ(plausibleCpu("generic", "", featuresUnder(hiddenFromAmd, "znver3")), "znver3");
  EXPECT_EQ(plausibleCpu("x86-64", "INTEL", featuresUnder(hiddenFromIntel, "cascadelake")),
            "cascadelake");
}

//===----------------------------------------------------------------------===//
// What is hidden
//===----------------------------------------------------------------------===//

/// Sets variables of the environment, and takes them back.
class HiddenFeaturesTest : public ::testing::Test {
protected:
  ~HiddenFeaturesTest() override {
    for (auto [name, old] : before)
      old ? setenv(name, old->c_str(), 1) : unsetenv(name);
  }
  void set(const char *name, const char *value) {
    const char *old = getenv(name);
    before.emplace_back(name, old ? std::optional<std::string>(old) : std::nullopt);
    setenv(name, value, /*overwrite=*/1);
  }
  std::vector<std::pair<const char *, std::optional<std::string>>> before;
};

TEST_F(HiddenFeaturesTest, AllBeyondTheProcessor) {
  if (!llvm::Triple(llvm::sys::getProcessTriple()).isX86())
    GTEST_SKIP() << "no x86-64 CPU";
  auto all = llvm::sys::getHostCPUFeatures();
  set("UCMOH_HOST_CPU", "x86-64-v3");
  auto features = hostFeatures(Emulated::Excluded);
  for (StringRef name : {"64bit", "cmov", "sse2", "avx2", "fma"})
    EXPECT_EQ(features.lookup(name), all.lookup(name)) << name.str();
  for (StringRef name : {"avx512f", "avx512vnni", "avxvnni", "amx-tile", "gfni"})
    EXPECT_FALSE(features.lookup(name)) << name.str();
}

/// An emulator adds what it can do without the hidden registers.
TEST_F(HiddenFeaturesTest, EmulatedFeatures) {
  if (!llvm::Triple(llvm::sys::getProcessTriple()).isX86())
    GTEST_SKIP() << "no x86-64 CPU";
  set("UCMOH_HOST_CPU", "x86-64-v3");
  set("UCMOH_EMULATED_FEATURES", "+amx-tile,+amx-int8,+avx10.2");
  EXPECT_FALSE(hostFeatures(Emulated::Excluded).lookup("amx-int8"));
  auto features = hostFeatures(Emulated::Included);
  EXPECT_TRUE(features.lookup("amx-int8"));
  if (!llvm::sys::getHostCPUFeatures().lookup("avx512f"))
    GTEST_SKIP() << "this CPU lacks avx512f";
  EXPECT_FALSE(features.lookup("avx10.2"));
}

TEST_F(HiddenFeaturesTest, UnknownProcessor) {
  set("UCMOH_HOST_CPU", "zen99");
  EXPECT_EXIT(hostFeatures(Emulated::Excluded), ::testing::ExitedWithCode(1),
              "UCMOH_HOST_CPU must name an x86-64 processor of LLVM.*'zen99'");
}

//===----------------------------------------------------------------------===//
// Cores
//===----------------------------------------------------------------------===//

TEST(HostCoresTest, ThreadsOfOneCoreCountOnce) {
  auto siblings = [](int cpu) { return std::to_string(cpu % 4); };
  EXPECT_EQ(firstOfEachCore({0, 1, 4, 5}, siblings), (std::vector<int>{0, 1}));
  EXPECT_EQ(firstOfEachCore({5, 6}, siblings), (std::vector<int>{5, 6}));
  auto unknown = [](int) { return std::string(); };
  EXPECT_EQ(firstOfEachCore({0, 1}, unknown), (std::vector<int>{0, 1}));
}

/// The machine's cores are those that this process may use, as the probe counts them.
TEST(HostCoresTest, OnlyAllowedCores) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  CPU_SET(allowedCores().front(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  Machine machine = defaultMachine();
  machine.cores = 0;
  readHostCaches(machine);
  EXPECT_EQ(machine.cores, 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  readHostCaches(machine);
  EXPECT_EQ(machine.cores, static_cast<int64_t>(allowedCores().size()));
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

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
  auto features = hostFeatures(Emulated::Excluded);
  bool isX86 = llvm::Triple(llvm::sys::getProcessTriple()).isX86();
  if (!isX86 || !features.lookup("avx2") || !features.lookup("fma"))
    GTEST_SKIP() << "this CPU lacks avx2 or fma";
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
  std::string machine =
      write(R"mlir(ucmoh.machine @clock cpus ["x"] numbers {clock_ghz = 2.5})mlir");
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
  llvm::scope_exit removeFolder([&] { llvm::sys::fs::remove_directories(folder); });
  std::string before = getenv("XDG_DATA_HOME") ? getenv("XDG_DATA_HOME") : "";
  setenv("XDG_DATA_HOME", folder.c_str(), 1);
  llvm::scope_exit restore([&] { setenv("XDG_DATA_HOME", before.c_str(), 1); });

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

/// A CPU whose registers the operating system keeps for itself lacks the target.
TEST_F(TargetTest, RefusedPermission) {
  if (!hostFeatures(Emulated::Excluded).lookup("avx2"))
    GTEST_SKIP() << "this CPU lacks avx2";
  auto target = [&](StringRef permission) {
    return write(("ucmoh.target @t triple(\"x86_64-unknown-linux-gnu\") features(\"+avx2\") "
                  "registers(16 x 256) " +
                  permission + " {}")
                     .str());
  };
  auto runs = [&](StringRef path) {
    auto loaded = loadTarget(&context, path);
    EXPECT_TRUE(succeeded(loaded)) << errors;
    return runsOnHost((*loaded).library->getTarget("t"), Emulated::Included);
  };
  EXPECT_TRUE(runs(target("")));
  EXPECT_FALSE(runs(target("permission([158, 4131, 62])"))); // no CPU has that state
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

/// A variant of a target is a line: its intrinsics with the variant's registers.
TEST_F(TargetTest, TargetExtendsAnother) {
  std::string path = write(R"mlir(
    ucmoh.target @mine extends([@x86_avx512bw::@vpmaddwd_512, @x86_avx512f]) triple("x86_64-unknown-linux-gnu")
        features("+avx512f") registers(4 x 512) {}
    )mlir");
  auto target = loadTarget(&context, path);
  ASSERT_TRUE(succeeded(target)) << errors;
  EXPECT_EQ(target->intrinsics.size(), 3u);
  const Intrinsic *taken = find(*target, "mine::vpmaddwd_512");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->registerCount, 4);
  EXPECT_EQ(taken->kInterleave, 2);
  IntrinsicOp op = taken->op;
  EXPECT_FALSE(op.getLoadLhs().empty());
  EXPECT_EQ(op.getLhsFragmentAttr().getRootReference(), "x86_avx512bw");
}

TEST_F(TargetTest, WhatCannotBeTakenOver) {
  auto refuses = [&](StringRef extends, StringRef body, StringRef error) {
    errors.clear();
    EXPECT_TRUE(failed(loadTarget(
        &context,
        write((R"(ucmoh.target @mine extends([)" + extends +
               R"(]) triple("x86_64-unknown-linux-gnu") features("") registers(4 x 512) {)" + body +
               "}")
                  .str()))));
    EXPECT_NE(errors.find(error), std::string::npos) << errors;
  };
  refuses("@nowhere", "", "target @mine extends @nowhere, but there is no target @nowhere");
  refuses("@mine", "", "target @mine extends itself");
  refuses("@x86_avx512f::@nothing", "",
          "extends @x86_avx512f::@nothing, which is no intrinsic or asynchronous copy");
  refuses("", "ucmoh.async_copy @c bytes(4) like(@x86_avx512f::@vfmadd_512)",
          "async_copy @c is like @x86_avx512f::@vfmadd_512, which is no 'ucmoh.async_copy'");
  StringRef intrinsic = R"(
    ucmoh.intrinsic @i shape [1, 16, 1] types(f32, f32, f32) mnemonic("") lhs @x86_avx512f::@sums_f32x16
    rhs @x86_avx512f::@sums_f32x16 acc @x86_avx512bw::@SUMS
    compute (%a: vector<16xf32>, %b: vector<16xf32>, %c: vector<16xf32>) { ucmoh.yield %c : vector<16xf32> })";
  refuses("", intrinsic, "intrinsic @i: acc @x86_avx512bw::@SUMS is not defined");
  auto [before, after] = intrinsic.split("SUMS");
  refuses("", (before + "sums_i32x16" + after).str(),
          "intrinsic @i: 'load_acc' of fragment @x86_avx512bw::@sums_i32x16 takes");
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
