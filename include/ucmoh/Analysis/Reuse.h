//===- Reuse.h - What the loops of a program touch, and what caches must deliver
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_REUSE_H
#define UCMOH_ANALYSIS_REUSE_H

#include "ucmoh/Analysis/Program.h"

namespace ucmoh {

/// Footprints of a program: how many distinct bytes each access touches within each loop, and all
/// accesses together in one iteration. From these follow the reuse of data and the bytes that a
/// level of the memory hierarchy must deliver, for any program and any machine.
///
/// Invariants: a footprint grows from loop to loop outwards, and never beyond the buffer; what must
/// be delivered is at most what is accessed, and falls with the capacity.
class Reuse {
public:
  explicit Reuse(const Program &program);

  /// Iterations of the loops around a statement, outermost first: of each instance of a loop. A
  /// loop that refines another one counts for its part; a guard for the share of iterations that
  /// fulfil it.
  llvm::SmallVector<double, 8> tripsAround(const Statement &statement) const;
  /// Executions of the statement.
  double executions(const Statement &statement) const;
  /// Distinct bytes that the access touches in one iteration of the loop at `depth` - 1 of the
  /// statement's nest: in the loops from `depth` on. At 0 it is the whole program.
  double footprintBytes(const Statement &statement, const Access &access, unsigned depth) const;
  /// Distinct bytes that all statements touch in one iteration of a loop; of the whole program for
  /// none.
  double bodyBytes(std::optional<unsigned> loop) const { return loop ? bodies[*loop] : whole; }

  /// Bytes of the access that a cache of this capacity does not hold until they are used again,
  /// over the whole program, which is executed again and again.
  double beyondBytes(const Statement &statement, const Access &access, double capacity_bytes) const;

  /// The innermost loop in which the access touches the same elements each time.
  struct Distance {
    double trips = 0,
           bytes = 0; ///< iterations, and what is touched in one of them; 0 without reuse
  };
  /// The reuse of one access; zeros without.
  Distance reuseOf(const Statement &statement, const Access &access) const;

private:
  const Program &program;
  std::vector<double> bodies; ///< by loop
  double whole = 0;
};

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_REUSE_H
