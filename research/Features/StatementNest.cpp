//===- StatementNest.cpp - The loops around a statement, with exact trip counts
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatementNest.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

/// Whether something that is written moves with the loop.
static bool isSpatial(const Program &program, unsigned loop) {
  for (const Statement &statement : program.statements) {
    SmallVector<unsigned> ids = program.nest(statement.loop);
    const unsigned *at = llvm::find(ids, loop);
    if (at == ids.end())
      continue;
    for (const Access &access : statement.accesses)
      if (access.isWrite && !access.strides.empty() && access.strides[at - ids.begin()] != 0)
        return true;
  }
  return false;
}

SmallVector<NestLoop> ucmoh::nestOf(const Program &program, const Statement &statement) {
  SmallVector<unsigned> ids = program.nest(statement.loop);
  SmallVector<NestLoop> nest;
  for (unsigned id : ids) {
    const Loop &loop = program.loops[id];
    double trips = loop.trips();
    // Both together visit the extent once.
    if (loop.refines && llvm::is_contained(ids, *loop.refines))
      trips /= program.loops[*loop.refines].trips();
    nest.push_back({id, loop.kind, trips, isSpatial(program, id)});
  }
  return nest;
}

std::vector<std::string> ucmoh::numberedNames(StringRef name, unsigned count) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i)
    names.push_back((name + "_" + Twine(i)).str());
  return names;
}

float ucmoh::signedLog(double x) {
  return static_cast<float>(std::copysign(std::log2(1 + std::fabs(x)), x));
}
