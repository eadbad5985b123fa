//===- Learn.h - Learns on without forgetting
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRAINING_LEARN_H
#define UCMOH_TRAINING_LEARN_H

#include "ucmoh/Training/Fit.h"
#include "ucmoh/Training/Metrics.h"
#include <set>

namespace ucmoh {

/// The records that weights learn on from, and those that judge them.
struct LearnData {
  Dataset records;             ///< new measurements
  std::set<std::string> aside; ///< ids of their tasks that only judge
  Dataset drawn;               ///< programs of what is known, with the old weights' seconds
  Dataset exam;                ///< measurements of what is known (Exam.h)
};

/// How to learn on.
struct LearnOptions {
  FitOptions fit;           ///< `from` are the old weights, `output` where the new ones go
  double forgetting = 0.01; ///< how much the top-1 geomean of a known machine may fall
};

/// Settings for some hundred to some ten thousand rows beside drawn programs.
FitOptions learning();

/// How old and new weights rank programs, as the compiler would with them.
struct Standing {
  std::string machine, intrinsic; ///< no intrinsic: all programs of the machine
  bool isNew;                     ///< in the records, not in the exam
  size_t lists, programs;         ///< that were judged
  Metrics before, after;          ///< with the old weights, with the new ones
};

/// Holds what was learned, before it is decided whether it is kept.
struct Lesson {
  std::vector<Standing> standings; ///< machines of the exam, then those of the records
  std::string refusal;             ///< why the weights are not written; empty if they are
};

/// Why the new weights must not take the place of the old ones; empty if they may. The top-1
/// geomean of no machine, known or new, falls by more than `forgetting`, and that or the pairs of a
/// machine of the records rise.
std::string refusal(llvm::ArrayRef<Standing> standings, double forgetting);

/// Learns on and judges. The weights of `fit.output` are written only if nothing is to be said
/// against them. An interrupted call goes on behind its last epoch, of which "OUTPUT.state" knows.
/// Errors: those of fit, and tasks too few to learn from some and to be judged on others.
llvm::Expected<Lesson> learn(const LearnData &data, const LearnOptions &options);

/// A Markdown table.
std::string toMarkdown(llvm::ArrayRef<Standing> standings);

} // namespace ucmoh

#endif // UCMOH_TRAINING_LEARN_H
