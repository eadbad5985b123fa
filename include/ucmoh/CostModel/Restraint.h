//===- Restraint.h - What a learned model may say of machines that it has never seen
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_RESTRAINT_H
#define UCMOH_COSTMODEL_RESTRAINT_H

#include "ucmoh/CostModel/Features.h"
#include "llvm/ADT/ArrayRef.h"

namespace ucmoh {

/// The numbers by which weights remember a machine that they were made from.
std::vector<double> machineNumbers(const FeatureRow &row);

/// Whether two machines have nearly the same numbers: the same CPU that was measured twice has, a
/// CPU of another generation has not. Of lists of another length: no.
bool areAlike(llvm::ArrayRef<double> first, llvm::ArrayRef<double> second);

/// Corrects the scores that a learned model gave the programs of one task on a machine that it has
/// never seen. Which intrinsic is the best there, the roofline says, for it knows their costs;
/// among the programs of one intrinsic the model's correction of the roofline counts, three
/// quarters of it (docs/network.md, "A machine that it has never seen").
///
/// All three have an entry for each program: `intrinsics` a number that programs of the same
/// intrinsic share, `roofline` and `scores` positive seconds. Scores stay comparable: each
/// intrinsic's best one becomes its best by the roofline.
void restrain(llvm::ArrayRef<unsigned> intrinsics, llvm::ArrayRef<double> roofline,
              llvm::MutableArrayRef<float> scores);

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_RESTRAINT_H
