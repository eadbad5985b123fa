//===- Affinity.cpp - Which cores this process runs on
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Measure/Affinity.h"
#include <optional>
#include <sched.h>

using namespace ucmoh;

/// Those of the first call, in this process or the one it is a fork of: what is pinned can be moved
/// again.
static std::optional<cpu_set_t> allowedCores() {
  static const std::optional<cpu_set_t> cores = [] {
    cpu_set_t allowed;
    bool known = sched_getaffinity(0, sizeof(allowed), &allowed) == 0;
    return known ? std::optional<cpu_set_t>(allowed) : std::nullopt;
  }();
  return cores;
}

/// The last `count` of the set.
static cpu_set_t lastOf(const cpu_set_t &cores, int64_t count) {
  cpu_set_t last;
  CPU_ZERO(&last);
  for (int core = CPU_SETSIZE - 1; core >= 0 && count > 0; --core)
    if (CPU_ISSET(core, &cores)) {
      CPU_SET(core, &last);
      --count;
    }
  return last;
}

void ucmoh::pinToLastCores(int64_t count) {
  std::optional<cpu_set_t> allowed = allowedCores();
  if (!allowed)
    return;
  cpu_set_t last = lastOf(*allowed, count);
  sched_setaffinity(0, sizeof(last), &last);
}

void ucmoh::avoidLastCore() {
  std::optional<cpu_set_t> allowed = allowedCores();
  if (!allowed || CPU_COUNT(&*allowed) < 2)
    return;
  cpu_set_t last = lastOf(*allowed, 1), others;
  CPU_XOR(&others, &*allowed, &last);
  sched_setaffinity(0, sizeof(others), &others);
}
