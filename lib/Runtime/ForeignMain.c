//===- ForeignMain.c - Runs one call of code compiled for another processor
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Linked with the compiled module. Reads a call from standard input and writes its results to
/// standard output, both as CallImage.h describes them.
///
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Made by the compiler: calls the module's function of that number.
void ucmoh_call(int64_t function, void **pointers);

struct Header {
  int64_t function, imageBytes, pointersAt, resultsAt, resultCount, relocationCount;
};

struct Result {
  int64_t offset, rank, elementBytes; // rank is -1 for a scalar
};

struct Descriptor {
  char *allocated, *aligned;
  int64_t offset, extents[]; // sizes, then strides
};

struct Unranked {
  int64_t rank;
  struct Descriptor *descriptor;
};

static void copyElements(int64_t rank, int64_t bytes, char *from, const int64_t *fromExtents,
                         char *to, const int64_t *toExtents, int64_t stridesAt) {
  if (rank == 0) {
    memcpy(to, from, bytes);
    return;
  }
  for (int64_t i = 0; i < fromExtents[0]; ++i)
    copyElements(rank - 1, bytes, from + i * fromExtents[stridesAt] * bytes, fromExtents + 1,
                 to + i * toExtents[stridesAt] * bytes, toExtents + 1, stridesAt);
}

/// Compiled code calls it for copies between layouts.
void memrefCopy(int64_t bytes, struct Unranked *from, struct Unranked *to) {
  struct Descriptor *source = from->descriptor, *target = to->descriptor;
  copyElements(from->rank, bytes, source->aligned + source->offset * bytes, source->extents,
               target->aligned + target->offset * bytes, target->extents, from->rank);
}

static void readAll(void *to, int64_t bytes) {
  if ((int64_t)fread(to, 1, bytes, stdin) != bytes) {
    fprintf(stderr, "the call ends early\n");
    exit(2);
  }
}

static void *readWords(int64_t words) {
  void *memory = malloc(words * sizeof(int64_t) + 1);
  readAll(memory, words * sizeof(int64_t));
  return memory;
}

static void writeResult(const struct Result *result, const char *results) {
  const char *at = results + result->offset;
  if (result->rank < 0) {
    fwrite(at, 1, result->elementBytes, stdout);
    return;
  }
  const struct Descriptor *descriptor = (const struct Descriptor *)at;
  int64_t count = 1;
  for (int64_t i = 0; i < result->rank; ++i)
    count *= descriptor->extents[i];
  fwrite(descriptor->extents, sizeof(int64_t), result->rank, stdout);
  fwrite(descriptor->aligned + descriptor->offset * result->elementBytes, result->elementBytes,
         count, stdout);
}

int main(void) {
  struct Header header;
  readAll(&header, sizeof(header));
  struct Result *results = readWords(header.resultCount * 3);
  int64_t *relocations = readWords(header.relocationCount);
  char *image = aligned_alloc(64, header.imageBytes);
  readAll(image, header.imageBytes);
  for (int64_t i = 0; i < header.relocationCount; ++i)
    *(int64_t *)(image + relocations[i]) += (int64_t)image;
  ucmoh_call(header.function, (void **)(image + header.pointersAt));
  for (int64_t i = 0; i < header.resultCount; ++i)
    writeResult(&results[i], image + header.resultsAt);
  return 0;
}
