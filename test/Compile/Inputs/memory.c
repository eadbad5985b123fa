// Counts what a library asks the C library for memory, and which memory it wants in large pages.
#include "chain.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int allocations;
static size_t largest;

/// In place of the C library's.
void *aligned_alloc(size_t alignment, size_t bytes) {
  void *memory = NULL;
  ++allocations;
  return posix_memalign(&memory, alignment, bytes) ? NULL : memory;
}
int madvise(void *memory, size_t bytes, int advice) {
  if (advice == 14 && (uintptr_t)memory % 4096 == 0 && bytes > largest)
    largest = bytes;
  return -1; // there are none: nothing depends on it
}

int main(void) {
  static float input[CHAIN_INPUT0_BYTES / 4], output[CHAIN_OUTPUT0_BYTES / 4];
  static const size_t bytes[] = CHAIN_WEIGHT_BYTES;
  const void *inputs[] = {input}, *weights[CHAIN_WEIGHTS];
  void *outputs[] = {output}, *packed = aligned_alloc(64, chain_packed_bytes());
  for (int i = 0; i < CHAIN_WEIGHTS; ++i)
    weights[i] = calloc(1, bytes[i]);
  if (chain_pack(weights, packed))
    return 1;
  printf("weights: %s pages\n", largest > chain_packed_bytes() - 8192 ? "large" : "small");
  for (int call = 0; call < 3; ++call) {
    allocations = largest = 0;
    if (chain_run(inputs, outputs, packed))
      return 1;
    printf("call %d: %s allocations, %s pages\n", call, allocations ? "some" : "no", largest ? "large" : "no new");
  }
  return 0;
}
