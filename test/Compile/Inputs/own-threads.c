// A layer whose kernels run on threads that this program hands in, and on two calls at once.
#include "bert.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Task {
  void (*run)(void *argument, size_t index);
  void *argument;
  size_t index;
};
static void *runTask(void *task) {
  struct Task *it = task;
  it->run(it->argument, it->index);
  return NULL;
}

/// A new thread for each part but the first, whose number is counted in *context.
static void parallelFor(void *context, size_t count, void (*run)(void *, size_t), void *argument) {
  pthread_t threads[8];
  struct Task tasks[8];
  *(long *)context += count;
  for (size_t i = 1; i < count; ++i) {
    tasks[i] = (struct Task){run, argument, i};
    pthread_create(&threads[i], NULL, runTask, &tasks[i]);
  }
  run(argument, 0);
  for (size_t i = 1; i < count; ++i)
    pthread_join(threads[i], NULL);
}

/// One thread for all parts, the last one first.
static void oneByOne(void *context, size_t count, void (*run)(void *, size_t), void *argument) {
  *(long *)context += count;
  while (count)
    run(argument, --count);
}

static float input[MAIN_INPUT0_BYTES / 4], expected[MAIN_OUTPUT0_BYTES / 4];
static void *packed;

/// Whether a call gives what the first one gave.
static void *check(void *isRight) {
  const void *inputs[] = {input};
  void *outputs[] = {malloc(MAIN_OUTPUT0_BYTES)};
  *(int *)isRight = !main_run(inputs, outputs, packed) && !memcmp(outputs[0], expected, sizeof(expected));
  free(outputs[0]);
  return NULL;
}

int main(void) {
  static const size_t bytes[] = MAIN_WEIGHT_BYTES;
  const void *weights[MAIN_WEIGHTS], *inputs[] = {input};
  void *outputs[] = {expected};
  for (int i = 0; i < MAIN_WEIGHTS; ++i) {
    char *weight = calloc(1, bytes[i]);
    for (size_t k = 0; k < bytes[i]; ++k)
      weight[k] = k % 4 == 3 ? 0 : k * 7;
    weights[i] = weight;
  }
  for (size_t i = 0; i < sizeof(input) / 4; ++i)
    input[i] = i % 100 / 50.f - 1;
  packed = aligned_alloc(64, main_packed_bytes());
  if (main_pack(weights, packed) || main_run(inputs, outputs, packed))
    return 1;
  int isRight[3];
  long parts[2] = {0, 0};
  main_use_threads(parallelFor, &parts[0]);
  check(&isRight[0]);
  main_use_threads(oneByOne, &parts[1]);
  check(&isRight[1]);
  main_use_threads(NULL, NULL);
  printf("%d %d, parts: %s\n", isRight[0], isRight[1], parts[0] && parts[0] == parts[1] ? "same" : "other");
  for (int turn = 0; turn < 50; ++turn) {
    pthread_t other;
    pthread_create(&other, NULL, check, &isRight[0]);
    check(&isRight[1]);
    pthread_join(other, NULL);
    if (!isRight[0] || !isRight[1])
      return printf("two at once differ\n");
  }
  return printf("two at once\n") < 0;
}
