//===- Permission.cpp - Leave of the operating system
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Permission.h"
#include <map>
#include <mutex>
#include <unistd.h>

using namespace mlir;
using namespace ucmoh;

/// The verifier has let no other call through than those that ask for registers.
static bool request(ArrayRef<int64_t> numbers) {
#ifdef __linux__
  return syscall(numbers[0], numbers[1], numbers[2]) == 0;
#else
  return false;
#endif
}

bool ucmoh::requestPermission(TargetOp target) {
  static std::mutex mutex;
  static std::map<SmallVector<int64_t>, bool> granted;
  std::optional<ArrayRef<int64_t>> numbers = target.getPermission();
  if (!numbers)
    return true;
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isNew] = granted.try_emplace(SmallVector<int64_t>(*numbers), false);
  if (isNew)
    entry->second = request(*numbers);
  return entry->second;
}
