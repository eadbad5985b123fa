//===- MeasuringProcess.cpp - A process that measures
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/MeasuringProcess.h"
#include "ucmoh/Analysis/HostCores.h"
#include "llvm/Support/WithColor.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <sys/resource.h>
#include <utility>

using namespace ucmoh;

/// Allocators that treat large buffers differently begin with 8 MiB (jemalloc) or less.
static constexpr size_t triedBytes = 16 << 20;
static constexpr size_t pageBytes = 4 << 10;

static long countFaults() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/// Pages that are new to the process when a large buffer is written.
static long faultsOfBuffer() {
  long before = countFaults();
  // Volatile: else the buffer would be optimized away.
  auto *buffer = static_cast<volatile char *>(std::malloc(triedBytes));
  for (size_t i = 0; buffer && i < triedBytes; i += pageBytes)
    buffer[i] = 1;
  std::free(const_cast<char *>(buffer));
  return countFaults() - before;
}

bool ucmoh::keepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  faultsOfBuffer();
  // Even in pages of 2 MiB there is one fault at least for each.
  return faultsOfBuffer() < static_cast<long>(triedBytes >> 21);
}

void ucmoh::keepFreedMemoryOrWarn() {
  static bool kept = keepFreedMemory();
  static bool warned = false;
  if (kept || std::exchange(warned, true))
    return;
  llvm::WithColor::warning()
      << "the allocator gives large buffers back to the system when they are "
         "freed: times of programs with results of megabytes contain the "
         "making of new pages; run without LD_PRELOAD of another allocator\n";
}

static std::atomic<bool> stopRequested;

void ucmoh::becomeMeasuringProcess() {
  for (int number : {SIGINT, SIGTERM})
    std::signal(number, [](int) { stopRequested = true; });
  keepFreedMemoryOrWarn();  // children inherit it
  if (!mayGoBeforeOthers()) // else compilers use the last core too, between samples
    avoidLast();
}

bool ucmoh::isInterrupted() { return stopRequested; }

double ucmoh::getMonotonicSeconds() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}
