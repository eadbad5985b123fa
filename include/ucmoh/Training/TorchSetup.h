//===- TorchSetup.h - What LibTorch needs before it computes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_TORCHSETUP_H
#define UCMOH_TRAINING_TORCHSETUP_H

#include <cstdint>

namespace ucmoh {

/// Sets the threads of LibTorch, and keeps large temporaries in the heap: each step has the same
/// ones, and a tenth of the time would go to pages that the system takes and gives.
void prepareTorch(int64_t threads);

} // namespace ucmoh

#endif // UCMOH_TRAINING_TORCHSETUP_H
