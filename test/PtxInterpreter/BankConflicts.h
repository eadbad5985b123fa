//===- BankConflicts.h - Banks of shared memory -----------------*- C++ -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PTXINTERPRETER_BANKCONFLICTS_H
#define UCMOH_PTXINTERPRETER_BANKCONFLICTS_H

#include "Warp.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ucmoh::ptx {

/// The passes beyond the first that an access of `size` bytes a lane needs: 32 banks of 4 bytes, a
/// bank gives one word a pass. Wide accesses are split, so that a part moves at most 128 bytes: 8
/// bytes go by half warps, 16 by quarters.
unsigned countBankConflicts(LaneMask lanes, unsigned size,
                            llvm::function_ref<uint32_t(unsigned)> addressOf);

} // namespace ucmoh::ptx

#endif // UCMOH_PTXINTERPRETER_BANKCONFLICTS_H
