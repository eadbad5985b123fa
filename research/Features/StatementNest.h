//===- StatementNest.h - The loops around a statement, with exact trip counts
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_FEATURES_STATEMENTNEST_H
#define UCMOH_RESEARCH_FEATURES_STATEMENTNEST_H

#include "ucmoh/Analysis/Program.h"

namespace ucmoh {

struct NestLoop {
  unsigned id; ///< into Program::loops
  LoopKind kind;
  /// Per iteration of the loops around it, on average: the product of a nest is how often its
  /// statement is executed. Below 1 for a guard.
  double trips;
  bool isSpatial; ///< the written place moves with it; else a reduction
};

/// Outermost first: one for each stride of the statement's accesses.
llvm::SmallVector<NestLoop> nestOf(const Program &program, const Statement &statement);

/// Name_0, name_1, …
std::vector<std::string> numberedNames(llvm::StringRef name, unsigned count);

/// log2(1 + |x|) with the sign of x, as Ansor has it.
float signedLog(double x);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_FEATURES_STATEMENTNEST_H
