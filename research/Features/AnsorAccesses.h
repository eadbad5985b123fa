//===- AnsorAccesses.h - Statements that store, and what they touch
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_FEATURES_ANSORACCESSES_H
#define UCMOH_RESEARCH_FEATURES_ANSORACCESSES_H

#include "StatementNest.h"

namespace ucmoh {

/// All that a statement does with one buffer. Zeros where there is none.
struct StoreAccess {
  enum Reuse { ByLoop, ByStatement, NoReuse };

  BufferRole buffer = BufferRole::Lhs;
  bool isRead = false, isWritten = false;
  llvm::SmallVector<int64_t> strides; ///< elements, one for each loop of the nest
  double bytes = 0, uniqueBytes = 0;  ///< all accesses; what is touched at all
  double runBytes = 0;                ///< touched by one execution
  double stride = 0;                  ///< along the innermost loop that moves it
  Reuse reuse = NoReuse;
  /// Between two uses of an element: iterations, and bytes of all buffers; how often it is used.
  double reuseIterations = 0, reuseBytes = 0, reuseCount = 0;
  std::vector<double> touched; ///< bytes that all loops from the i-th on touch; last: one execution
};

struct StoreStatement {
  llvm::SmallVector<NestLoop> nest;
  std::vector<StoreAccess> accesses;
  double count = 1, elements = 0;       ///< unrolled fragments; elements stored by an execution
  double multiplyAdds = 0, selects = 0; ///< by an execution
  double allocatedBytes = 0;            ///< bytes of the kernel's own buffer that it writes

  double executions() const;
  /// log2(1 + operations) and operations per byte of ever more loops, from one execution on.
  std::vector<std::pair<double, double>> intensities() const;
};

/// The statements of the program; loads into registers are reads of the computes behind them.
std::vector<StoreStatement> storesOf(const Program &program, const Candidate &candidate);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_FEATURES_ANSORACCESSES_H
