//===- MachineJitter.h - Machines that are not quite those of the data
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRAINING_MACHINEJITTER_H
#define UCMOH_LIB_TRAINING_MACHINEJITTER_H

#include "ucmoh/Training/Batch.h"
#include <random>

namespace ucmoh {

/// Describes the batch's programs anew, as if the clock, the bandwidths and the costs of intrinsics
/// of their machine were others: each number of a list is multiplied by exp2 of a normal deviate
/// with this standard deviation, in every second list. The measured seconds stay, the roofline
/// follows the numbers. So the network learns not to rest on numbers that only few machines have.
void jitterMachines(const Dataset &data, const NetworkData &network,
                    llvm::ArrayRef<ProgramList> lists, double deviation, std::mt19937_64 &random,
                    Batch &batch);

} // namespace ucmoh

#endif // UCMOH_LIB_TRAINING_MACHINEJITTER_H
