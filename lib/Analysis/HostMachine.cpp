//===- HostMachine.cpp - What is known of the machine that this process runs on
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/HostMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

using namespace ucmoh;
namespace path = llvm::sys::path;

/// Returns the field of the first processor, as Linux lists them: "25" for "cpu family : 25". It is
/// empty if the processor has none.
static llvm::StringRef cpuinfoField(llvm::StringRef cpuinfo, llvm::StringRef name) {
  for (llvm::StringRef line : llvm::split(cpuinfo, '\n')) {
    auto [key, value] = line.split(':');
    if (key.trim() == name)
      return value.trim();
  }
  return "";
}

/// Family, model and stepping of x86; implementer, part and revision of AArch64.
static std::string reportedModel() {
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  std::string model;
  for (llvm::StringRef name :
       {"cpu family", "model", "stepping", "CPU implementer", "CPU part", "CPU revision"})
    if (file)
      if (llvm::StringRef value = cpuinfoField((*file)->getBuffer(), name); !value.empty())
        model += ("-" + value).str();
  return model;
}

/// The intrinsics that a file of this CPU has numbers for depend on them.
static uint32_t hashOfNativeTargets(const TargetLibrary &library) {
  std::string names;
  for (auto target : library.getModule().getOps<TargetOp>())
    if (runsOnHost(target, Emulated::Excluded))
      names += (target.getSymName() + " ").str();
  return llvm::xxh3_64bits(names) >> 32;
}

std::string ucmoh::hostSignature(const TargetLibrary &library) {
  Machine machine = defaultMachine();
  readHostCaches(machine);
  return llvm::formatv("{0}{1}-{2}K-{3}K-{4}K-{5}", hostCpuName(), reportedModel(),
                       machine.l1Bytes >> 10, machine.l2Bytes >> 10, machine.l3Bytes >> 10,
                       llvm::utohexstr(hashOfNativeTargets(library), /*LowerCase=*/true,
                                       /*Width=*/8))
      .str();
}

/// Sets the folder of the XDG Base Directory Specification, which ignores paths that are not
/// absolute.
static bool dataFolder(llvm::SmallVectorImpl<char> &folder) {
  std::optional<std::string> given = llvm::sys::Process::GetEnv("XDG_DATA_HOME");
  if (given && path::is_absolute(*given)) {
    folder.assign(given->begin(), given->end());
    return true;
  }
  if (!path::home_directory(folder))
    return false;
  path::append(folder, ".local", "share");
  return true;
}

std::string ucmoh::probedMachinePath(const TargetLibrary &library) {
  llvm::SmallString<128> file;
  if (!dataFolder(file))
    return "";
  path::append(file, "ucmoh", "machines", hostSignature(library) + ".mlir");
  return file.str().str();
}

std::string ucmoh::adviceOnMachine(const Target &target, llvm::StringRef name) {
  bool runsHere = !target.device && llvm::all_of(target.intrinsics, [](const Intrinsic &intrinsic) {
    return runsOnHost(intrinsic.getTarget(), Emulated::Excluded);
  });
  if (target.machineOp || name.contains('@') || !runsHere)
    return "";
  // docs/results/unknown-machines.md says what it is worth.
  return llvm::formatv(
             "no numbers of this CPU ({0}) are known, those of a typical one decide; "
             "'ucmoh-probe' measures and installs them, once, in 25 s: choices were up to "
             "11 % faster for it where that was tried",
             hostCpuName())
      .str();
}
