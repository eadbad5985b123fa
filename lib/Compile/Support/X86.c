//===- X86.c - What an x86-64 CPU has
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <stdint.h>

long syscall(long number, ...);

static const struct Feature {
  uint32_t leaf, subleaf, word, bit, registers;
} features[] = {
#define UCMOH_FEATURE(NAME, ...) {__VA_ARGS__},
#include "X86Features.def"
};

void ucmoh_relax(void) { __asm__ volatile("pause"); }

static void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t words[4]) {
  __asm__ volatile("cpuid"
                   : "=a"(words[0]), "=b"(words[1]), "=c"(words[2]), "=d"(words[3])
                   : "a"(leaf), "c"(subleaf));
}

/// The registers that the operating system saves; none where it does not say.
static uint32_t savedRegisters(void) {
  uint32_t words[4], low, high;
  cpuid(1, 0, words);
  if (!(words[2] >> 27 & 1))
    return 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int has(const struct Feature *feature, uint32_t saved) {
  uint32_t words[4];
  cpuid(feature->leaf & 0x80000000, 0, words);
  if (words[0] < feature->leaf)
    return 0;
  cpuid(feature->leaf, feature->subleaf, words);
  return (words[feature->word] >> feature->bit & 1) &&
         (saved & feature->registers) == feature->registers;
}

static int find(void) {
  uint32_t saved = savedRegisters();
  for (size_t i = 0; i < sizeof(features) / sizeof(*features); ++i)
    if (ucmoh_uses[i] && !has(&features[i], saved))
      return 0;
  for (long i = 0; i < ucmoh_permission_count; ++i) {
    const long *numbers = ucmoh_permissions[i];
    if (syscall(numbers[0], numbers[1], numbers[2]))
      return 0;
  }
  return 1;
}

int ucmoh_cpu_suffices(void) {
  static int known; // 0: not yet; two threads that ask at once find the same
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!answer)
    __atomic_store_n(&known, answer = find() ? 1 : 2, __ATOMIC_RELAXED);
  return answer == 1;
}
