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
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <cstdlib>
#include <tuple>

using namespace llvm;
using namespace ucmoh;

bool ucmoh::isHostArchitecture(StringRef triple) {
  return Triple(sys::getProcessTriple()).getArch() == Triple(triple).getArch();
}

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

/// Features that the embedded targets need: "+a,+b" of each.
static constexpr StringLiteral targetFeatures[] = {
#include "EmbeddedFeatures.inc"
};

/// Processors that LLVM tells apart, and its name of each, which begins with the maker's.
static constexpr struct Processor {
  StringLiteral name, id;
} processors[] = {
#define X86_CPU_TYPE(ENUM, NAME) {NAME, #ENUM},
#define X86_CPU_SUBTYPE(ENUM, NAME) {NAME, #ENUM},
#define X86_CPU_SUBTYPE_ALIAS(ENUM, NAME) {NAME, #ENUM},
#include "llvm/TargetParser/X86TargetParser.def"
};

static bool isKnown(StringRef cpu) {
  SmallVector<StringRef> known;
  X86::fillValidCPUArchList(known, /*Only64Bit=*/true);
  return is_contained(known, cpu);
}

/// LLVM's lists leave out what the listed features imply, and what no 64-bit CPU is without.
StringMap<bool> ucmoh::featuresOfCpu(StringRef cpu) {
  StringMap<bool> features;
  if (!isKnown(cpu))
    return features;
  SmallVector<StringRef> names = {"64bit", "cmov", "cx8", "fxsr", "mmx", "sse2", "x87"};
  X86::getFeaturesForCPU(cpu, names);
  for (StringRef name : names) {
    features[name] = true;
    X86::updateImpliedFeatures(name, /*Enabled=*/true, features);
  }
  return features;
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

/// The value of UCMOH_HOST_CPU; empty without.
static StringRef assumedCpu() {
  const char *name = std::getenv("UCMOH_HOST_CPU");
  if (!name || !*name)
    return "";
  if (!Triple(sys::getProcessTriple()).isX86() || !isKnown(name))
    reportFatalUsageError("UCMOH_HOST_CPU must name an x86-64 processor of LLVM, on one such as "
                          "x86-64-v3, but is '" +
                          Twine(name) + "'");
  return name;
}

static StringMap<bool> visibleFeatures(const StringMap<bool> &all) {
  StringMap<bool> features = all;
  if (StringRef cpu = assumedCpu(); !cpu.empty()) {
    StringMap<bool> offered = featuresOfCpu(cpu);
    for (auto &entry : features)
      entry.second &= offered.lookup(entry.first());
  }
  return features;
}

StringMap<bool> ucmoh::hostFeatures(Emulated emulated) {
  StringMap<bool> all = sys::getHostCPUFeatures(), features = visibleFeatures(all);
  const char *added = std::getenv("UCMOH_EMULATED_FEATURES");
  if (emulated == Emulated::Excluded || !added)
    return features;
  const StringMap<bool> visible = features;
  StringSet<> emulatedOnes;
  for (StringRef feature : split(added, ","))
    if (feature.consume_front("+"))
      emulatedOnes.insert(feature);
  for (StringRef feature : emulatedOnes.keys()) {
    StringMap<bool> implied;
    X86::updateImpliedFeatures(feature, /*Enabled=*/true, implied);
    bool needsHidden = any_of(implied.keys(), [&](StringRef other) {
      return all.lookup(other) && !visible.lookup(other) && !emulatedOnes.contains(other);
    });
    if (!needsHidden)
      features[feature] = true;
  }
  return features;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// How badly a processor explains the features of this CPU; see plausibleCpu.
struct Misfit {
  Misfit(StringRef cpu, bool isReported, const StringMap<bool> &features);
  bool isExact() const { return missing == 0 && hidden == 0; }
  bool operator<(const Misfit &other) const { return key() < other.key(); }

private:
  std::tuple<size_t, bool, bool, size_t, size_t> key() const {
    return {missing, hidden > 0, !isReported, hidden, others};
  }
  bool isReported;
  size_t missing = 0, hidden = 0, others = 0;
};
} // namespace

static bool mayKernelsUse(StringRef feature) {
  return any_of(targetFeatures, [&](StringRef list) {
    return is_contained(split(list, ","), ("+" + feature).str());
  });
}

Misfit::Misfit(StringRef cpu, bool isReported, const StringMap<bool> &features)
    : isReported(isReported) {
  StringMap<bool> offered = featuresOfCpu(cpu);
  for (const auto &entry : features) {
    if (entry.second == offered.lookup(entry.first()))
      continue;
    size_t &count = !mayKernelsUse(entry.first()) ? others : entry.second ? missing : hidden;
    ++count;
  }
}

StringRef ucmoh::plausibleCpu(StringRef name, StringRef maker, const StringMap<bool> &features) {
  SmallVector<StringRef> candidates;
  if (isKnown(name)) {
    if (Misfit(name, /*isReported=*/true, features).isExact())
      return name;
    candidates.push_back(name);
  }
  for (const Processor &processor : processors)
    if (processor.id.starts_with(maker) && isKnown(processor.name))
      candidates.push_back(processor.name);
  auto misfit = [&](StringRef cpu) { return Misfit(cpu, cpu == name, features); };
  return *min_element(candidates,
                      [&](StringRef lhs, StringRef rhs) { return misfit(lhs) < misfit(rhs); });
}

/// As the identifiers of LLVM's processors begin.
static StringRef hostMaker() {
  switch (sys::detail::x86::getVendorSignature()) {
  case sys::detail::x86::VendorSignatures::AUTHENTIC_AMD:
    return "AMD";
  case sys::detail::x86::VendorSignatures::GENUINE_INTEL:
    return "INTEL";
  default:
    return "";
  }
}

static StringRef findHostCpuName() {
  if (!Triple(sys::getProcessTriple()).isX86())
    return sys::getHostCPUName();
  StringRef assumed = assumedCpu();
  return plausibleCpu(assumed.empty() ? sys::getHostCPUName() : assumed, hostMaker(),
                      hostFeatures(Emulated::Excluded));
}

StringRef ucmoh::hostCpuName() {
  static const StringRef name = findHostCpuName();
  return name;
}
