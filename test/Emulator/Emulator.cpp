//===- Emulator.cpp - Instructions that this CPU lacks
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include "Amx.h"
#include "Vnni.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace emulator;

bool emulator::emulate(ucontext_t &context) {
  greg_t &pointer = context.uc_mcontext.gregs[REG_RIP];
  Instruction instruction;
  if (!decode(reinterpret_cast<const uint8_t *>(pointer), context, instruction))
    return false;
  if (!executeAmx(instruction, context) && !executeVnni(instruction, context))
    return false;
  pointer += instruction.length;
  return true;
}

/// Never silently: a wrong result would look like one of the compiler's.
[[noreturn]] static void reportUnknown(const ucontext_t &context) {
  auto *code = reinterpret_cast<const uint8_t *>(context.uc_mcontext.gregs[REG_RIP]);
  char text[160];
  int size = std::snprintf(text, sizeof(text),
                           "X86TrapEmulator: cannot emulate the instruction at %p:", code);
  for (unsigned i = 0; i < 10; ++i)
    size += std::snprintf(text + size, sizeof(text) - size, " %02x", code[i]);
  text[size++] = '\n';
  if (write(STDERR_FILENO, text, size) != size)
    std::abort();
  std::abort();
}

static void handleTrap(int, siginfo_t *, void *context) {
  auto &frame = *static_cast<ucontext_t *>(context);
  if (!emulate(frame))
    reportUnknown(frame);
}

void emulator::installTrapHandler() {
  struct sigaction action = {};
  action.sa_sigaction = handleTrap;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGILL, &action, nullptr);
}
