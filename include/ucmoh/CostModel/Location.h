//===- Location.h - Where a program is among others
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_LOCATION_H
#define UCMOH_COSTMODEL_LOCATION_H

#include "ucmoh/CostModel/Features.h"

namespace ucmoh {

/// A point per program, with as many coordinates as there are features: sums over the rows, as
/// counts and bytes of a program add up, and of these the logarithms, as sizes span decades.
std::vector<double> locate(const ProgramFeatures &rows);

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_LOCATION_H
