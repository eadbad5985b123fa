//===- Call.c - Calls that end where memory is short
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Code that MLIR makes does not look at what malloc returns. So each allocation of a call is kept
/// in a list, and one that fails frees the list and leaves the call. An assertion that does not hold
/// leaves it in the same way.
///
/// What a call frees is kept for the next one: else the system would make new pages each time,
/// which takes as long as a small network. Calls at the same time have a workspace each.
///
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <stdint.h>

// This is the C library's jmp_buf, whose headers are those of one architecture. No library's is
// larger.
typedef struct {
  uint64_t words[64];
} Resume;
int _setjmp(Resume *resume) __attribute__((returns_twice));
void longjmp(Resume *resume, int value) __attribute__((noreturn));
void *aligned_alloc(size_t alignment, size_t bytes);
void free(void *memory);
int madvise(void *memory, size_t bytes, int advice);
void abort(void) __attribute__((noreturn));
void *memset(void *memory, int value, size_t bytes);

/// What ucmoh_call returns.
enum { outOfMemory = 2, brokenAssertion = 4 };

enum { lineBytes = 64, pageBytes = 4096, largePageBytes = 2 << 20, wantLargePages = 14 };

/// Lies in front of each buffer.
struct Block {
  struct Block *next, **link; // a list; a null link: of no call
  char *memory;               // as the C library gave it
  size_t bytes;               // bytes of `memory`
};

struct Workspace {
  struct Workspace *next;
  struct Block *used, *unused;
};

struct Call {
  struct Workspace *workspace;
  struct Call *outer;
  Resume resume;
};

/// Other threads that run a kernel have none.
static _Thread_local struct Call *current;

/// Those that no call has.
static struct Workspace *workspaces;
static char workspacesLock;

static void lock(void) {
  while (__atomic_test_and_set(&workspacesLock, __ATOMIC_ACQUIRE))
    ;
}
static void unlock(void) { __atomic_clear(&workspacesLock, __ATOMIC_RELEASE); }

//===----------------------------------------------------------------------===//
// Lists of blocks
//===----------------------------------------------------------------------===//

static void insert(struct Block *block, struct Block **list) {
  block->next = *list;
  block->link = list;
  if (block->next)
    block->next->link = &block->next;
  *list = block;
}

static void unlinkBlock(struct Block *block) {
  *block->link = block->next;
  if (block->next)
    block->next->link = block->link;
}

static void freeList(struct Block **list) {
  while (*list) {
    struct Block *block = *list;
    *list = block->next;
    free(block->memory);
  }
}

//===----------------------------------------------------------------------===//
// Workspaces
//===----------------------------------------------------------------------===//

static struct Workspace *takeWorkspace(void) {
  lock();
  struct Workspace *workspace = workspaces;
  if (workspace)
    workspaces = workspace->next;
  unlock();
  if (!workspace && (workspace = aligned_alloc(lineBytes, lineBytes)))
    workspace->used = workspace->unused = NULL;
  return workspace;
}

static void giveBack(struct Workspace *workspace) {
  lock();
  workspace->next = workspaces;
  workspaces = workspace;
  unlock();
}

static void freeWorkspace(struct Workspace *workspace) {
  freeList(&workspace->used);
  freeList(&workspace->unused);
  free(workspace);
}

/// When the library is unloaded.
__attribute__((destructor)) static void freeWorkspaces(void) {
  for (struct Workspace *workspace; (workspace = workspaces);) {
    workspaces = workspace->next;
    freeWorkspace(workspace);
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

int ucmoh_call(void (*body)(void *), void *argument) {
  if (!ucmoh_cpu_suffices())
    return 1;
  struct Call call;
  call.workspace = takeWorkspace();
  call.outer = current;
  if (!call.workspace)
    return outOfMemory;
  int failure = _setjmp(&call.resume);
  if (failure) {
    freeWorkspace(call.workspace);
    current = call.outer;
    return failure;
  }
  current = &call;
  body(argument);
  current = call.outer;
  giveBack(call.workspace);
  return 0;
}

void ucmoh_abort(void) {
  if (current)
    longjmp(&current->resume, brokenAssertion);
  abort();
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

void ucmoh_want_large_pages(void *memory, size_t bytes) {
  char *first = (char *)(((uintptr_t)memory + pageBytes - 1) & -(uintptr_t)pageBytes);
  char *end = (char *)(((uintptr_t)memory + bytes) & -(uintptr_t)pageBytes);
  if (end >= first + largePageBytes)
    madvise(first, end - first, wantLargePages);
}

/// From the C library; large pages need memory that begins with one.
static char *allocate(size_t alignment, size_t bytes) {
  if (bytes < largePageBytes)
    return aligned_alloc(alignment, bytes);
  char *memory = aligned_alloc(largePageBytes, bytes);
  if (memory)
    ucmoh_want_large_pages(memory, bytes);
  return memory;
}

/// A block of the size, or not much more; null if there is none.
static struct Block *reuse(size_t front, size_t bytes) {
  for (struct Block *block = current->workspace->unused; block; block = block->next)
    if (block->bytes >= bytes && block->bytes / 2 <= bytes &&
        (char *)(block + 1) - block->memory == (ptrdiff_t)front) {
      unlinkBlock(block);
      return block;
    }
  return NULL;
}

static struct Block *create(size_t front, size_t bytes) {
  char *memory = allocate(front, bytes);
  if (!memory && current) { // what is kept may be too small
    freeList(&current->workspace->unused);
    memory = allocate(front, bytes);
  }
  if (!memory && current)
    longjmp(&current->resume, outOfMemory);
  if (!memory)
    abort();
  struct Block *block = (struct Block *)(memory + front) - 1;
  block->memory = memory;
  block->bytes = bytes;
  block->link = NULL;
  return block;
}

void *ucmoh_aligned_alloc(size_t alignment, size_t bytes) {
  size_t front = alignment > lineBytes ? alignment : lineBytes;
  size_t total = (bytes + 2 * front - 1) & -front;
  struct Block *block = current ? reuse(front, total) : NULL;
  if (!block)
    block = create(front, total);
  if (current)
    insert(block, &current->workspace->used);
  return block + 1;
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
    unlinkBlock(block);
    insert(block, &current->workspace->unused);
  } else {
    free(block->memory);
  }
}
