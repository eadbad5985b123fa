//===- Description.h - What a compiled function says of itself
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COMPILE_DESCRIPTION_H
#define UCMOH_LIB_COMPILE_DESCRIPTION_H

#include "CInterface.h"

namespace ucmoh {

/// What all functions of a library have in common.
struct LibraryTarget {
  std::string name, machine;         ///< as asked for; as resolved
  std::vector<std::string> features; ///< that the CPU is checked for
  int64_t threads;                   ///< that one kernel may use
};

/// JSON: function, target, machine, features, threads, types and shapes, bytes of packed weights,
/// and the choice of each op.
std::string describe(const CInterface &interface, const LibraryTarget &target);

} // namespace ucmoh

#endif // UCMOH_LIB_COMPILE_DESCRIPTION_H
