// Lets each allocation of a call fail in turn.
#include "bert.h"
#include <stdio.h>
#include <stdlib.h>

static int allowed, left;

/// In place of the C library's.
void *aligned_alloc(size_t alignment, size_t bytes) {
  void *memory = NULL;
  if (!allowed || posix_memalign(&memory, alignment, bytes))
    return NULL;
  --allowed;
  ++left;
  return memory;
}
extern void __libc_free(void *memory);
void free(void *memory) {
  left -= memory != NULL;
  __libc_free(memory);
}

int main(void) {
  static const size_t weightBytes[] = MAIN_WEIGHT_BYTES;
  static float input[MAIN_INPUT0_BYTES / 4], output[MAIN_OUTPUT0_BYTES / 4];
  const void *weights[MAIN_WEIGHTS], *inputs = input;
  void *outputs = output, *packed = NULL;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (int i = 0; i < MAIN_WEIGHTS; ++i)
    weights[i] = calloc(1, weightBytes[i]);
  if (posix_memalign(&packed, 64, main_packed_bytes()))
    return 1;
  allowed = 1000;
  if (main_pack(weights, packed))
    return 1;
  for (int count = 0, error = 2; error; ++count) {
    allowed = count;
    error = main_run(&inputs, &outputs, packed);
    printf("after %d allocations: error %d, %d left\n", count, error, left);
  }
  return 0;
}
