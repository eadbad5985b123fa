// Calls a product of dynamic extent with several extents; refused ones leave the output as it was.
#include "open.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 65, K = 24, N = 16 };
static float x[MOST * K], y[MOST * N], w[K * N], result[MOST * N];

static int isRight(int64_t rows) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < N; ++j) {
      float expected = y[i * N + j];
      for (int64_t k = 0; k < K; ++k)
        expected += x[i * K + k] * w[k * N + j];
      if (!(fabsf(result[i * N + j] - expected) < 1e-3f))
        return 0;
    }
  return 1;
}

/// Whether nothing was written behind the rows.
static int isUntouched(int64_t rows) {
  for (int64_t i = rows; i < MOST; ++i)
    for (int64_t j = 0; j < N; ++j)
      if (result[i * N + j] != -1)
        return 0;
  return 1;
}

int main(void) {
  for (int i = 0; i < MOST * K; ++i)
    x[i] = (float)(i * 7 % 13) - 6;
  for (int i = 0; i < MOST * N; ++i)
    y[i] = (float)(i % 5);
  for (int i = 0; i < K * N; ++i)
    w[i] = (float)(i * 5 % 11) - 5;
  const void *weights[] = {w}, *inputs[] = {x, y};
  void *packed = aligned_alloc(64, main_packed_bytes()), *outputs[] = {result};
  if (main_pack(weights, packed))
    return 1;
  static const int64_t extents[] = {1, 2, 17, 64, 65, 0};
  for (int each = 0; each < 6; ++each) {
    for (int i = 0; i < MOST * N; ++i)
      result[i] = -1;
    int status = main_run(inputs, outputs, packed, &extents[each]);
    int64_t written = status ? 0 : extents[each];
    printf("%d rows: %d%s%s\n", (int)extents[each], status,
           status ? "" : isRight(written) ? ", right" : ", wrong",
           isUntouched(written) ? "" : ", written to behind its end");
  }
}
