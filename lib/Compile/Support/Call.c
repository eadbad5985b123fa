//===- Call.c - Calls that end where memory is short
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Code that MLIR makes does not look at what malloc returns. So each allocation of a call is kept
/// in a list, and one that fails frees the list and leaves the call.
///
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <stdint.h>

// Of the C library, whose headers are those of one architecture. No jmp_buf of it is larger.
typedef struct {
  uint64_t words[64];
} Resume;
int _setjmp(Resume *resume) __attribute__((returns_twice));
void longjmp(Resume *resume, int value) __attribute__((noreturn));
void *aligned_alloc(size_t alignment, size_t bytes);
void free(void *memory);
void abort(void) __attribute__((noreturn));
void *memset(void *memory, int value, size_t bytes);

/// Lies in front of each buffer.
struct Block {
  struct Block *next, **link; // the list; a null link: of no call
  void *memory;               // as the C library gave it
};

struct Call {
  struct Block *blocks;
  struct Call *outer;
  Resume resume;
};

enum { lineBytes = 64 };

/// Threads that OpenMP starts have none.
static _Thread_local struct Call *current;

static void freeBlocks(struct Call *call) {
  for (struct Block *block = call->blocks; block;) {
    void *memory = block->memory;
    block = block->next;
    free(memory);
  }
}

int ucmoh_call(void (*body)(void *), void *argument) {
  if (!ucmoh_cpu_suffices())
    return 1;
  struct Call call;
  call.blocks = NULL;
  call.outer = current;
  if (_setjmp(&call.resume)) {
    freeBlocks(&call);
    current = call.outer;
    return 2;
  }
  current = &call;
  body(argument);
  current = call.outer;
  return 0;
}

static void insert(struct Block *block) {
  block->next = current->blocks;
  block->link = &current->blocks;
  if (block->next)
    block->next->link = &block->next;
  current->blocks = block;
}

void *ucmoh_aligned_alloc(size_t alignment, size_t bytes) {
  size_t front = alignment > lineBytes ? alignment : lineBytes;
  size_t total = (bytes + 2 * front - 1) & -front;
  char *memory = total < bytes ? NULL : aligned_alloc(front, total);
  if (!memory && current)
    longjmp(&current->resume, 1);
  if (!memory)
    abort();
  struct Block *block = (struct Block *)(memory + front) - 1;
  block->memory = memory;
  block->link = NULL;
  if (current)
    insert(block);
  return memory + front;
}

void *ucmoh_malloc(size_t bytes) { return ucmoh_aligned_alloc(lineBytes, bytes); }

void *ucmoh_calloc(size_t count, size_t bytes) {
  return memset(ucmoh_malloc(count * bytes), 0, count * bytes);
}

void ucmoh_free(void *memory) {
  if (!memory)
    return;
  struct Block *block = (struct Block *)memory - 1;
  if (block->link) {
    *block->link = block->next;
    if (block->next)
      block->next->link = block->link;
  }
  free(block->memory);
}
