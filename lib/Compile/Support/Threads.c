//===- Threads.c - Kernels on several threads
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Code that MLIR makes calls the functions of LLVM's OpenMP runtime. Those few that loops of a
/// kernel need are here, so that a library needs no runtime. The parts of a loop run on the
/// program's threads if it has handed some in, and on threads of the library's own otherwise.
///
/// A loop has as many parts as the compiler said, whatever runs them: with fewer threads, one of
/// them runs several parts, one after the other. So no part may wait for another one.
///
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <stdarg.h>
#include <stdint.h>

// This is the C library's sem_t. No library's is larger, and threads are numbers.
typedef struct {
  uint64_t words[8];
} Semaphore;
int sem_init(Semaphore *semaphore, int isShared, unsigned value);
int sem_destroy(Semaphore *semaphore);
int sem_post(Semaphore *semaphore);
int sem_wait(Semaphore *semaphore);
int sem_trywait(Semaphore *semaphore);
int pthread_create(unsigned long *thread, const void *attributes, void *(*body)(void *),
                   void *argument);
int pthread_join(unsigned long thread, void **result);
int getpid(void);

enum { mostThreads = 256 };

/// A loop's function, which gets these besides what it captures.
typedef void Part(int32_t *number, int32_t *bound, void *captured);

/// A loop whose parts are to be run.
struct Loop {
  Part *part;
  void *captured;
  size_t parts;
};

/// The part that this thread runs, of how many, and the parts of the loop that comes next.
static _Thread_local struct Position {
  size_t index, parts, next;
} here = {0, 1, 1};

//===----------------------------------------------------------------------===//
// Parts of a loop
//===----------------------------------------------------------------------===//

static void runPart(void *argument, size_t index) {
  const struct Loop *loop = argument;
  int32_t number = (int32_t)index, bound = 0;
  struct Position outside = here;
  here.index = index;
  here.parts = loop->parts;
  loop->part(&number, &bound, loop->captured);
  here = outside;
}

static void runAlone(struct Loop *loop) {
  for (size_t i = 0; i < loop->parts; ++i)
    runPart(loop, i);
}

//===----------------------------------------------------------------------===//
// Threads of the library's own
//===----------------------------------------------------------------------===//

static struct {
  char isTaken; // by a call
  int process;  // in which the threads are: a child of it has none
  size_t count;
  unsigned long threads[mostThreads];
  Semaphore work, done;
  struct Loop *loop; // null: end
  size_t next;       // part
} own;

/// Waits for work that comes soon without asking the system, which takes longer than most kernels.
static void wait(Semaphore *semaphore) {
  enum { turns = 2000 };
  for (int turn = 0; turn < turns; ++turn) {
    if (!sem_trywait(semaphore))
      return;
    ucmoh_relax();
  }
  while (sem_wait(semaphore)) // a signal came
    ;
}

static void runParts(struct Loop *loop) {
  size_t index;
  while ((index = __atomic_fetch_add(&own.next, 1, __ATOMIC_RELAXED)) < loop->parts)
    runPart(loop, index);
}

static void *work(void *unused) {
  (void)unused;
  for (;;) {
    wait(&own.work);
    if (!own.loop)
      return NULL;
    runParts(own.loop);
    sem_post(&own.done);
  }
}

/// Threads for all parts but the caller's, or as many as there can be.
static void start(size_t count) {
  if (own.process != getpid()) {
    own.process = getpid();
    own.count = 0;
    sem_init(&own.work, 0, 0);
    sem_init(&own.done, 0, 0);
  }
  while (own.count < count && own.count < mostThreads &&
         !pthread_create(&own.threads[own.count], NULL, work, NULL))
    ++own.count;
}

static void wake(struct Loop *loop) {
  own.loop = loop;
  own.next = 0;
  for (size_t i = 0; i < own.count; ++i)
    sem_post(&own.work);
}

static void runOnOwn(struct Loop *loop) {
  if (__atomic_test_and_set(&own.isTaken, __ATOMIC_ACQUIRE)) // another call has the threads
    return runAlone(loop);
  start(loop->parts - 1);
  wake(loop);
  runParts(loop);
  for (size_t i = 0; i < own.count; ++i)
    wait(&own.done);
  __atomic_clear(&own.isTaken, __ATOMIC_RELEASE);
}

/// When the library is unloaded.
__attribute__((destructor)) static void end(void) {
  if (!own.count || own.process != getpid() ||
      __atomic_test_and_set(&own.isTaken, __ATOMIC_ACQUIRE))
    return;
  wake(NULL);
  for (size_t i = 0; i < own.count; ++i)
    pthread_join(own.threads[i], NULL);
  sem_destroy(&own.work);
  sem_destroy(&own.done);
}

//===----------------------------------------------------------------------===//
// Threads of the program
//===----------------------------------------------------------------------===//

static struct {
  ParallelFor *run; // null: there are none
  void *context;
} given;

void ucmoh_use_threads(ParallelFor *run, void *context) {
  given.run = run;
  given.context = context;
}

//===----------------------------------------------------------------------===//
// What loops call
//===----------------------------------------------------------------------===//

int32_t __kmpc_global_thread_num(void *place) {
  (void)place;
  return (int32_t)here.index;
}

void __kmpc_push_num_threads(void *place, int32_t thread, int32_t count) {
  (void)place, (void)thread;
  here.next = count;
}

void __kmpc_fork_call(void *place, int32_t captures, Part *part, ...) {
  (void)place;
  va_list list;
  va_start(list, part);
  struct Loop loop = {part, captures ? va_arg(list, void *) : NULL, here.next};
  va_end(list);
  if (here.parts > 1) // inside of a loop that threads share already
    runAlone(&loop);
  else if (given.run)
    given.run(given.context, loop.parts, runPart, &loop);
  else
    runOnOwn(&loop);
}

/// The iterations of this part, from *first to *last, of those that there are: an equal number, and
/// one more for the first parts.
void __kmpc_for_static_init_8u(void *place, int32_t thread, int32_t schedule, int32_t *isLast,
                               uint64_t *first, uint64_t *last, int64_t *stride, int64_t increment,
                               int64_t chunk) {
  (void)place, (void)thread, (void)schedule, (void)increment, (void)chunk;
  uint64_t count = *last - *first + 1, each = count / here.parts, more = count % here.parts;
  uint64_t index = here.index;
  *first += index * each + (index < more ? index : more);
  *last = *first + each + (index < more) - 1;
  *isLast = index + 1 == here.parts;
  *stride = (int64_t)count;
}

void __kmpc_for_static_fini(void *place, int32_t thread) { (void)place, (void)thread; }

/// Behind the loop, whose end the caller waits for anyway.
void __kmpc_barrier(void *place, int32_t thread) { (void)place, (void)thread; }
