//===- Support.h - What compiled programs bring with them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COMPILE_SUPPORT_H
#define UCMOH_LIB_COMPILE_SUPPORT_H

#include <stddef.h>

/// Made by the compiler: for each feature of the architecture's list, whether the code uses it.
extern const char ucmoh_uses[];

/// Made by the compiler: numbers of a system call and its arguments, three each, that give a
/// process registers; and how many calls there are.
extern const long ucmoh_permissions[][3];
extern const long ucmoh_permission_count;

/// Whether this CPU has all that the code uses, and the operating system permits it. In a file per
/// architecture, compiled for its oldest CPUs.
int ucmoh_cpu_suffices(void);

/// Calls `body(argument)` if the CPU suffices. 0: done. 1: the CPU does not. 2: memory was short.
/// 4: an assertion of the program did not hold. What had been allocated is freed.
int ucmoh_call(void (*body)(void *), void *argument);

/// Lets this core rest for a moment, in a loop that waits. In the file of the architecture.
void ucmoh_relax(void);

/// Calls `task(argument, index)` once for each index below `count`, on any threads, and returns
/// when all are done.
typedef void ParallelFor(void *context, size_t count, void (*task)(void *argument, size_t index),
                         void *argument);

/// Lets loops run on the program's threads; on the library's own ones if `run` is null.
void ucmoh_use_threads(ParallelFor *run, void *context);

/// Asks the system for large pages where new memory has none yet: there are fewer addresses to
/// translate, and one new page costs less than many. The system may have none.
void ucmoh_want_large_pages(void *memory, size_t bytes);

/// In place of the C library's malloc, calloc, aligned_alloc and free: they do not return where
/// memory is short.
void *ucmoh_malloc(size_t bytes);
void *ucmoh_calloc(size_t count, size_t bytes);
void *ucmoh_aligned_alloc(size_t alignment, size_t bytes);
void ucmoh_free(void *memory);

/// In place of the C library's abort, which assertions call: ends the call, not the process.
void ucmoh_abort(void) __attribute__((noreturn));

#endif // UCMOH_LIB_COMPILE_SUPPORT_H
