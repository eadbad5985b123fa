//===- Reuse.cpp - What the loops of a program touch, and what caches must deliver
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Reuse.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

static constexpr double lineBytes = 64; // as all machines have that there are files of

Reuse::Reuse(const Program &program) : program(program), bodies(program.loops.size(), 0) {
  // For each buffer the sum takes the most that one statement touches in an iteration of a loop,
  // because statements of whole tiles and of remainders touch much the same. Over the whole program
  // the blocks of a reduction touch different parts: what they touch adds up to the buffer at most.
  std::vector<std::array<double, bufferRoleCount>> most(program.loops.size() + 1);
  for (const Statement &statement : program.statements) {
    SmallVector<unsigned> nest = program.nest(statement.loop);
    for (const Access &access : statement.accesses)
      for (unsigned depth = 0; depth <= nest.size(); ++depth) {
        size_t body = depth == 0 ? program.loops.size() : nest[depth - 1];
        double &bytes = most[body][static_cast<unsigned>(access.buffer)];
        double own = footprintBytes(statement, access, depth);
        bytes = depth > 0 ? std::max(bytes, own)
                          : std::min(bytes + own, std::max(program[access.buffer].bytes(), own));
      }
  }
  auto sum = [](const std::array<double, bufferRoleCount> &bytes) {
    double all = 0;
    for (double one : bytes)
      all += one;
    return all;
  };
  for (size_t loop = 0; loop < bodies.size(); ++loop)
    bodies[loop] = sum(most[loop]);
  whole = sum(most.back());
}

SmallVector<double, 8> Reuse::tripsAround(const Statement &statement) const {
  SmallVector<double, 8> trips;
  for (unsigned id : program.nest(statement.loop)) {
    const Loop &loop = program.loops[id];
    double count = loop.trips();
    // Both together visit the extent once.
    if (loop.refines)
      count /= std::max<double>(program.loops[*loop.refines].trips(), 1);
    trips.push_back(count);
  }
  return trips;
}

double Reuse::executions(const Statement &statement) const {
  double count = 1;
  for (double trips : tripsAround(statement))
    count *= trips;
  return count;
}

/// Whole lines, where less than a line is contiguous.
static double withLines(double bytes, double contiguousBytes) {
  return contiguousBytes >= lineBytes ? bytes : bytes * lineBytes / std::max(contiguousBytes, 1.0);
}

double Reuse::footprintBytes(const Statement &statement, const Access &access,
                             unsigned depth) const {
  SmallVector<double, 8> trips = tripsAround(statement);
  double elements = std::min<double>(access.elements, access.span);
  double span = access.span, contiguous = access.run;
  for (size_t i = access.strides.size(); i-- > depth;) {
    double stride = std::abs(access.strides[i]), count = std::max(trips[i], 1.0);
    if (stride == 0)
      continue;
    elements *= count;
    span += stride * (count - 1);
    if (stride <= contiguous)
      contiguous += stride * (count - 1);
  }
  const Buffer &buffer = program[access.buffer];
  elements = std::min({elements, span, double(buffer.elements)});
  double bytesEach = buffer.elementBits / 8.0;
  return std::min(withLines(elements * bytesEach, contiguous * bytesEach),
                  std::max(buffer.bytes(), lineBytes));
}

double Reuse::beyondBytes(const Statement &statement, const Access &access,
                          double capacity_bytes) const {
  if (whole <= capacity_bytes)
    return 0; // stays from call to call
  SmallVector<double, 8> trips = tripsAround(statement);
  SmallVector<unsigned> nest = program.nest(statement.loop);
  double instances = 1; // executions of the loop at `depth`
  for (unsigned depth = 0; depth < nest.size(); ++depth) {
    if (bodies[nest[depth]] <= capacity_bytes)
      return instances * footprintBytes(statement, access, depth);
    instances *= trips[depth];
  }
  return instances * footprintBytes(statement, access, nest.size());
}

Reuse::Distance Reuse::reuseOf(const Statement &statement, const Access &access) const {
  SmallVector<double, 8> trips = tripsAround(statement);
  SmallVector<unsigned> nest = program.nest(statement.loop);
  for (size_t i = access.strides.size(); i-- > 0;)
    if (access.strides[i] == 0 && trips[i] > 1)
      return {trips[i], bodies[nest[i]]};
  return {};
}
