//===- Permission.cpp - Leave of the operating system ---------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Measure/Permission.h"
#include <array>
#include <set>
#include <unistd.h>

using namespace mlir;
using namespace ucmoh;

/// The numbers are those of the target's own system, of which this one has to be.
static void request(ArrayRef<int64_t> numbers) {
#ifdef __linux__
  std::array<int64_t, 7> all = {};
  llvm::copy(numbers, all.begin());
  syscall(all[0], all[1], all[2], all[3], all[4], all[5], all[6]);
#endif
}

void ucmoh::requestPermissions(const Target &target) {
  static std::set<SmallVector<int64_t>> requested;
  for (const Intrinsic &intrinsic : target.intrinsics) {
    TargetOp op = intrinsic.getTarget();
    if (std::optional<ArrayRef<int64_t>> numbers = op.getPermission();
        numbers && isHostArchitecture(op.getTriple()) &&
        requested.insert(SmallVector<int64_t>(*numbers)).second)
      request(*numbers);
  }
}
