//===- Verdict.h - Whether a program is right
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_VERDICT_H
#define UCMOH_LIB_RUNTIME_VERDICT_H

#include "ucmoh/Runtime/Runner.h"

namespace ucmoh {

/// Asks the child, whose program is prepared and has the contractions `ops`, whether its results
/// are right, and adds the answer to `report`: "verified", "max_abs_error", "snr_db", "differing",
/// "checks", and "error" if they are wrong.
///
/// The result of a single kernel says whether that is right. In a network each kernel is compared
/// on its inputs there. Then a network that rounds floats to integers is right if the noise of its
/// result is small, because a sum in another order may round to the next integer.
llvm::Error addVerdict(ChildProcess &child, const RunOptions &options, const llvm::json::Array &ops,
                       llvm::json::Object &report);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_VERDICT_H
