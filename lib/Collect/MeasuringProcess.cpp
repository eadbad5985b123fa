//===- MeasuringProcess.cpp - A process that measures for minutes or hours
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/MeasuringProcess.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Runtime/FreedMemory.h"
#include <atomic>
#include <chrono>
#include <csignal>

using namespace ucmoh;

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
