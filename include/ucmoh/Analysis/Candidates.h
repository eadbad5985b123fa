//===- Candidates.h - The legal ways to tensorize a workload
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_CANDIDATES_H
#define UCMOH_ANALYSIS_CANDIDATES_H

#include "ucmoh/Analysis/Nest.h"
#include "ucmoh/Analysis/Target.h"

namespace ucmoh {

/// One way to do it. Field by field what `#ucmoh.choice` documents.
struct Candidate {
  const Intrinsic *intrinsic = nullptr;       ///< into Target::intrinsics
  int64_t tileM = 0, tileN = 0;               ///< register tile, elements of the result
  int64_t cacheM = 0, cacheN = 0, cacheK = 0; ///< cache block, elements
  std::string order;                          ///< "nmk.nm"
  Packing packLhs = Packing::None, packRhs = Packing::None;
  int64_t unroll = 1;
  int64_t threads = 1;
  int64_t stages = 1;

  ChoiceAttr toAttr(double predictedSeconds, llvm::StringRef model) const;
  /// Fails with a message in `error` when the attribute names an unknown intrinsic.
  static mlir::FailureOr<Candidate> fromAttr(ChoiceAttr attr, const Target &target,
                                             std::string &error);
};

/// Whether an operand of type `have` can be brought to what the intrinsic wants (`want`), exactly:
/// the same type, an 8-bit integer of the other sign (shifted by 128 and compensated), or a
/// narrower integer.
bool isConvertible(ElementType have, ElementType want);

/// Why no candidate can use the intrinsic: its types, or sums of products that might not fit where
/// it adds them (`partial_sums`); empty if one can.
std::string whyUnusable(const Workload &workload, const Intrinsic &intrinsic);

/// What is said of the intrinsics of the target whose types would do but whose sums might not fit;
/// empty if there are none.
std::string explainLeftOut(const Workload &workload, const Target &target);

/// Why the candidate cannot be compiled for the workload; empty if it can.
std::string whyIllegal(const Workload &workload, const Candidate &candidate, const Target &target);

/// All legal candidates, in a fixed order. When there is none `reason` says why.
std::vector<Candidate> enumerateCandidates(const Workload &workload, const Target &target,
                                           std::string &reason);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_CANDIDATES_H
