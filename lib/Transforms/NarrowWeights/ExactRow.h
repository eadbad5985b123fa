//===- ExactRow.h - A row that is multiplied as plain loops do it
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_EXACTROW_H
#define UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_EXACTROW_H

#include "NarrowParts.h"

namespace ucmoh {

/// Emits one row times a panel with weights as plain loops have them: each integer becomes a float,
/// is scaled and has its offset added before it is multiplied. Slow, and right for infinity and
/// NaN: sums of the row, which other tiles subtract, would make NaN of infinity.
void emitExactRow(NarrowParts &parts, NarrowParts::Index row, NarrowParts::Index panel,
                  int64_t columns);

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_NARROWWEIGHTS_EXACTROW_H
