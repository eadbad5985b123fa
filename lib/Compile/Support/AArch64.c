//===- AArch64.c - What an AArch64 CPU has
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <stdint.h>

unsigned long getauxval(unsigned long type);

static const struct Feature {
  unsigned long type;
  uint32_t bit;
} features[] = {
#define UCMOH_FEATURE(NAME, ...) {__VA_ARGS__},
#include "AArch64Features.def"
};

void ucmoh_relax(void) { __asm__ volatile("yield"); }

int ucmoh_cpu_suffices(void) {
  for (size_t i = 0; i < sizeof(features) / sizeof(*features); ++i)
    if (ucmoh_uses[i] && !(getauxval(features[i].type) >> features[i].bit & 1))
      return 0;
  return 1;
}
