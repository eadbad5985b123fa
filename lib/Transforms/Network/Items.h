//===- Items.h - Loops that threads may share
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NETWORK_ITEMS_H
#define UCMOH_LIB_TRANSFORMS_NETWORK_ITEMS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ucmoh {

/// Whether each step of a bufferized loop over batches writes only to its own part of what there is
/// outside of the loop, and calls no function that is for one thread, such as a comparison. Clocks
/// know threads.
bool areIndependent(mlir::scf::ForOp loop);

/// Whether all steps of a bufferized loop write to the same place outside of it: to a buffer of
/// which neither a view nor an index depends on the step.
bool writeToOnePlace(mlir::scf::ForOp loop);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NETWORK_ITEMS_H
