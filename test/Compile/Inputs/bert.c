// Runs a BERT layer on the arguments that ucmoh-run saved in the folder argv[1], compares with the
// result that it saved there, and prints the largest difference.
#include "bert.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// The elements of an array that NumPy has saved: the end of the file.
static void *load(const char *folder, const char *name, int index, size_t bytes) {
  char path[1000];
  snprintf(path, sizeof(path), "%s/main.%s%d.npy", folder, name, index);
  FILE *file = fopen(path, "rb");
  void *data = malloc(bytes);
  if (!file || fseek(file, -(long)bytes, SEEK_END) || fread(data, 1, bytes, file) != bytes)
    exit((perror(path), 1));
  fclose(file);
  return data;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  static const size_t weightBytes[] = MAIN_WEIGHT_BYTES;
  const void *input = load(argv[1], "argument.", 0, MAIN_INPUT0_BYTES), *weights[MAIN_WEIGHTS];
  for (int i = 0; i < MAIN_WEIGHTS; ++i)
    weights[i] = load(argv[1], "argument.", i + 1, weightBytes[i]);
  void *packed = aligned_alloc(64, main_packed_bytes());
  float *output = malloc(MAIN_OUTPUT0_BYTES);
  int error = main_pack(weights, packed);
  for (int i = 0; i < 2 && !error; ++i)
    error = main_run(&input, (void *const *)&output, packed);
  const float *expected = load(argv[1], "", 0, MAIN_OUTPUT0_BYTES);
  float difference = 0;
  for (size_t i = 0; i < MAIN_OUTPUT0_BYTES / sizeof(float); ++i)
    difference = fmaxf(difference, fabsf(output[i] - expected[i]));
  printf("error %d, difference %g\n", error, difference);
  return error || !(difference < 1e-3);
}
