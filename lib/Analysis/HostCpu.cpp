//===- HostCpu.cpp - The CPU that this process runs on
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/HostCpu.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <cstdlib>

using namespace llvm;

bool ucmoh::isHostArchitecture(StringRef triple) {
  return Triple(sys::getProcessTriple()).getArch() == Triple(triple).getArch();
}

StringMap<bool> ucmoh::hostFeatures(Emulated emulated) {
  StringMap<bool> features = sys::getHostCPUFeatures();
  const char *added = std::getenv("UCMOH_EMULATED_FEATURES");
  if (emulated == Emulated::Included && added)
    for (StringRef feature : split(added, ","))
      if (feature.consume_front("+"))
        features[feature] = true;
  return features;
}

static StringSet<> featuresOf(StringRef cpu) {
  SmallVector<StringRef> names;
  X86::getFeaturesForCPU(cpu, names);
  StringSet<> features;
  features.insert_range(names);
  return features;
}

static size_t countDifferences(StringRef cpu, const StringMap<bool> &features) {
  StringSet<> offered = featuresOf(cpu);
  return count_if(features, [&](const auto &entry) {
    return entry.getValue() != offered.contains(entry.getKey());
  });
}

StringRef ucmoh::plausibleCpu(StringRef name, const StringMap<bool> &features) {
  SmallVector<StringRef> known;
  X86::fillValidCPUArchList(known, /*Only64Bit=*/true);
  if (!is_contained(known, name))
    return name;
  StringSet<> offered = featuresOf(name);
  bool isPlausible = all_of(features, [&](const auto &entry) {
    return !entry.getValue() || offered.contains(entry.getKey());
  });
  if (isPlausible)
    return name;
  return *min_element(known, [&](StringRef lhs, StringRef rhs) {
    return countDifferences(lhs, features) < countDifferences(rhs, features);
  });
}

StringRef ucmoh::hostCpuName() {
  static const StringRef name =
      Triple(sys::getProcessTriple()).isX86()
          ? plausibleCpu(sys::getHostCPUName(), hostFeatures(Emulated::Excluded))
          : sys::getHostCPUName();
  return name;
}
