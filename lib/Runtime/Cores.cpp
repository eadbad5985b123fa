//===- Cores.cpp - On which of its cores a thread runs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Cores.h"
#include "ucmoh/Analysis/HostCores.h"
#include <sched.h>

using namespace ucmoh;

void ucmoh::stayOn(llvm::ArrayRef<int> cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int core : cores)
    CPU_SET(core, &set);
  sched_setaffinity(0, sizeof(set), &set);
}

static llvm::ArrayRef<int> coresAtStart() {
  static const std::vector<int> cores = allowedCores();
  return cores;
}

void ucmoh::stayOnLast(int64_t count) {
  llvm::ArrayRef<int> cores = coresAtStart();
  stayOn(cores.take_back(std::min<size_t>(count, cores.size())));
}

void ucmoh::avoidLast() {
  if (llvm::ArrayRef<int> cores = coresAtStart(); cores.size() > 1)
    stayOn(cores.drop_back());
}

static bool setPolicy(int policy, int priority) {
  sched_param parameters = {};
  parameters.sched_priority = priority;
  return sched_setscheduler(0, policy, &parameters) == 0;
}

bool ucmoh::goBeforeOthers() { return setPolicy(SCHED_FIFO, 1); }

bool ucmoh::mayGoBeforeOthers() { return goBeforeOthers() && setPolicy(SCHED_OTHER, 0); }
