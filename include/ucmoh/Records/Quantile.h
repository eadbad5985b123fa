//===- Quantile.h - What many samples say
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RECORDS_QUANTILE_H
#define UCMOH_RECORDS_QUANTILE_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace ucmoh {

/// The middle one; of an even number the lower of the two: noise makes a sample slower.
/// At least one sample.
double lowerMedian(std::vector<double> samples);

/// Between neighbours, as far as `fraction` (0 to 1) says; `sorted` has at least one.
double quantile(llvm::ArrayRef<double> sorted, double fraction);

} // namespace ucmoh

#endif // UCMOH_RECORDS_QUANTILE_H
