//===- HostCores.cpp - The cores that this process may use
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/HostCores.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sched.h>
#include <set>

using namespace ucmoh;

std::vector<int> ucmoh::firstOfEachCore(llvm::ArrayRef<int> cpus,
                                        llvm::function_ref<std::string(int)> siblingsOf) {
  std::vector<int> first;
  std::set<std::string> seen;
  for (int cpu : cpus)
    if (std::string siblings = siblingsOf(cpu); siblings.empty() || seen.insert(siblings).second)
      first.push_back(cpu);
  return first;
}

/// The mask of logical CPUs that share the core of this one.
static std::string readSiblings(int cpu) {
  auto file = llvm::MemoryBuffer::getFileAsStream("/sys/devices/system/cpu/cpu" + llvm::Twine(cpu) +
                                                  "/topology/thread_siblings");
  return file ? (*file)->getBuffer().str() : std::string();
}

static std::vector<int> allowedCpus() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed))
    return {0};
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed))
      cpus.push_back(cpu);
  return cpus;
}

std::vector<int> ucmoh::allowedCores() { return firstOfEachCore(allowedCpus(), readSiblings); }

void ucmoh::stayOn(llvm::ArrayRef<int> cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int core : cores)
    CPU_SET(core, &set);
  sched_setaffinity(0, sizeof(set), &set);
}

llvm::ArrayRef<int> ucmoh::cpusAtStart() {
  static const std::vector<int> cpus = allowedCpus();
  return cpus;
}

static llvm::ArrayRef<int> coresAtStart() {
  static const std::vector<int> cores = firstOfEachCore(cpusAtStart(), readSiblings);
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
