//===- AsyncCopy.h - cp.async and its groups --------------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_ASYNCCOPY_H
#define UCMOH_PTXINTERPRETER_ASYNCCOPY_H

#include "Kernel.h"
#include <deque>

namespace ucmoh::ptx {

/// The copies that the lanes of a warp have under way. The bytes move when a copy is issued, but
/// they stay pending, so that nobody may look, until the lane has waited for their group.
class AsyncCopies {
public:
  struct Copy {
    uint32_t address, size;
  };
  using Group = llvm::SmallVector<Copy, 4>;

  void reset();
  void add(unsigned lane, Copy copy) { open[lane].push_back(copy); }
  void commit(unsigned lane);
  /// Takes the copies of all but the `keep` latest groups; with `all` also those in no group.
  Group finish(unsigned lane, size_t keep, bool all);

private:
  Group open[warpSize];
  std::deque<Group> groups[warpSize];
};

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_ASYNCCOPY_H
