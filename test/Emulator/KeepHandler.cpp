//===- KeepHandler.cpp - SIGILL stays the emulator's
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// LLVM's tools install handlers that print a stack trace for each deadly signal. This `sigaction`,
/// in front of the C library's, does so except for SIGILL.
///
//===----------------------------------------------------------------------===//

#include <csignal>
#include <dlfcn.h>

static bool isOurs = false;

extern "C" int sigaction(int signal, const struct sigaction *action,
                         struct sigaction *old) noexcept {
  static const auto next = reinterpret_cast<decltype(&sigaction)>(dlsym(RTLD_NEXT, "sigaction"));
  if (signal != SIGILL || !action)
    return next(signal, action, old);
  if (isOurs)
    return next(signal, nullptr, old);
  isOurs = true; // the first one is that of installTrapHandler
  return next(signal, action, old);
}
