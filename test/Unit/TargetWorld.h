//===- TargetWorld.h - All targets, and which of them run here
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_UNIT_TARGETWORLD_H
#define UCMOH_TEST_UNIT_TARGETWORLD_H

#include "mlir/InitAllPasses.h"
#include "ucmoh/Analysis/ElementRange.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Runtime/DeviceRuntime.h"
#include "ucmoh/Runtime/Executable.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

namespace ucmoh {

/// The emulator, or what UCMOH_DRIVER names, such as libcuda.so.1 where there is a device.
inline std::string driverOfDevices() {
  const char *driver = getenv("UCMOH_DRIVER");
  return driver ? driver : PTX_INTERPRETER;
}

/// Everything that is parsed once: one context, the targets, and those that this CPU runs, or the
/// emulator that is linked in (test/Emulator). Kernels of devices are interpreted.
struct World {
  World() {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
    mlir::registerAllPasses();
    mlir::DialectRegistry registry;
    registerExecutableDialects(registry);
    context.appendDialectRegistry(registry);
    library = *TargetLibrary::load(&context);
    noDevice = llvm::toString(DeviceRuntime::load(driverOfDevices()));
    for (auto target : library->getModule().getOps<TargetOp>()) {
      auto resolved = resolveTarget(library, target.getSymName());
      if (runsOnHost(target, Emulated::Included))
        onHost[target.getSymName()] = true;
      intrinsics.insert(intrinsics.end(), resolved->intrinsics.begin(), resolved->intrinsics.end());
    }
  }
  static World &get() {
    static World world;
    return world;
  }

  mlir::MLIRContext context;
  std::shared_ptr<TargetLibrary> library;
  std::vector<Intrinsic> intrinsics;
  llvm::StringMap<bool> onHost; ///< by target
  std::string noDevice;         ///< why there is none; empty if there is
};

/// Why nothing here can execute the intrinsic, neither this CPU nor an emulator; empty if it can.
inline std::string whyNotExecutable(const Intrinsic &intrinsic) {
  World &world = World::get();
  Target target = *resolveTarget(world.library, intrinsic.target);
  std::string triple = target.triple;
  if (target.device)
    return world.noDevice;
  if (isHostArchitecture(triple) && !world.onHost.count(intrinsic.target))
    return "this CPU lacks some of " + intrinsic.getTarget().getFeatures().str();
  return Executable::whyNotHere(triple);
}

/// The largest magnitude of elements of rhs with which `partial_sums` hold all products with lhs.
inline int64_t largestRhs(const Intrinsic &in) {
  if (!in.partialProducts)
    return std::numeric_limits<int64_t>::max();
  ElementRange lhs = fullRange(in.lhs);
  return fullRange(in.partialSum).high / in.partialProducts / std::max(-lhs.low, lhs.high);
}

/// The name of a test of the intrinsic at that position.
inline std::string intrinsicName(const ::testing::TestParamInfo<size_t> &info) {
  const Intrinsic &intrinsic = World::get().intrinsics[info.param];
  return intrinsic.target + "_" + intrinsic.name;
}

inline std::string toString(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

} // namespace ucmoh

#endif // UCMOH_TEST_UNIT_TARGETWORLD_H
