//===- KeepHandler.cpp - SIGILL stays the emulator's
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// LLVM's tools install handlers that print a stack trace for each deadly signal, and processes
/// that measure remove them. These functions, in front of the C library's, do so except for SIGILL.
///
//===----------------------------------------------------------------------===//

#include <csignal>
#include <dlfcn.h>

template <typename Function> static Function *nextOf(Function *, const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

extern "C" int sigaction(int signal, const struct sigaction *action,
                         struct sigaction *old) noexcept {
  static auto *next = nextOf(&sigaction, "sigaction");
  static bool isKept = false;
  if (signal != SIGILL || !action)
    return next(signal, action, old);
  if (isKept)
    return next(signal, nullptr, old);
  isKept = true; // the first one is that of installTrapHandler
  return next(signal, action, old);
}

extern "C" sighandler_t signal(int number, sighandler_t handler) noexcept {
  static auto *next = nextOf(&signal, "signal");
  return number == SIGILL ? SIG_DFL : next(number, handler);
}
