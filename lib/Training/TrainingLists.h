//===- TrainingLists.h - Lists of a training
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRAINING_TRAININGLISTS_H
#define UCMOH_LIB_TRAINING_TRAININGLISTS_H

#include "ucmoh/Training/Fit.h"
#include <random>

namespace ucmoh {

/// Lists to learn from, and lists of other tasks that decide which epoch is kept.
struct TrainingLists {
  std::vector<ProgramList> train, validation;
};

/// Divides what the options leave of the data.
TrainingLists splitLists(const Dataset &data, const FitOptions &options, std::mt19937_64 &random);

/// Parts of at most so many programs that `random` draws, in random order; the sizes of a list's
/// parts differ by one at most.
std::vector<ProgramList> divide(llvm::ArrayRef<ProgramList> lists, size_t programs,
                                std::mt19937_64 &random);

/// Groups of whole lists, in their order, of at least so many programs but for the last.
std::vector<llvm::ArrayRef<ProgramList>> group(llvm::ArrayRef<ProgramList> lists, size_t programs);

} // namespace ucmoh

#endif // UCMOH_LIB_TRAINING_TRAININGLISTS_H
