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
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace ucmoh {

/// The order of a kernel's loops. Blocks of the reduction are the innermost block loop.
struct LoopOrder {
  bool rowBlocksOutside = false; ///< the loop over blocks of m is around that over blocks of n
  bool rowTilesInside = false;   ///< register tiles of one column panel follow each other
  /// The loop over blocks of n is around the loops over rows that no tile crosses, such as the
  /// rows of an image: a block of rhs is read for all of them before the next one is.
  bool columnBlocksOutside = false;

  /// As in `#ucmoh.choice`: "nmk.nm", block loops and then tile loops, outermost first. An `o`
  /// after `n` stands for the loops over rows that no tile crosses.
  llvm::StringRef toText() const;
  /// None for a text that is no such order.
  static std::optional<LoopOrder> parse(llvm::StringRef text);
  bool operator==(const LoopOrder &other) const {
    return rowBlocksOutside == other.rowBlocksOutside && rowTilesInside == other.rowTilesInside &&
           columnBlocksOutside == other.columnBlocksOutside;
  }
};

/// One way to do it. Field by field what `#ucmoh.choice` documents.
struct Candidate {
  const Intrinsic *intrinsic = nullptr;       ///< into Target::intrinsics
  int64_t tileM = 0, tileN = 0;               ///< register tile, elements of the result
  int64_t cacheM = 0, cacheN = 0, cacheK = 0; ///< cache tile, elements
  LoopOrder order;                            ///< how block loops and tile loops are nested
  Packing packLhs = Packing::None, packRhs = Packing::None; ///< how operands are read
  int64_t threads = 1;                                      ///< that share the outermost loop
  int64_t pipelineDepth = 1; ///< cache tiles of the reduction in shared memory at once

  /// The candidate as an attribute of its op.
  ChoiceAttr toAttr(double predictedSeconds, llvm::StringRef model) const;
  /// Fails with a message in `error` when the attribute names an unknown intrinsic.
  static mlir::FailureOr<Candidate> fromAttr(ChoiceAttr attr, const Target &target,
                                             std::string &error);
};

/// Returns the number that a conversion from `have` to `want` adds to each value: 128 or -128
/// between 8-bit integers that differ in sign.
int64_t signShift(ElementType have, ElementType want);

/// Whether products with the operand have to be corrected by sums of the other one: it has a zero
/// point, or is shifted to the sign that the intrinsic wants, and the two do not cancel.
bool isShifted(const Operand &operand, ElementType want);

/// Whether an operand of type `have` can be brought to what the intrinsic wants (`want`), exactly:
/// the same type, an 8-bit integer of the other sign (shifted by 128 and compensated), or a
/// narrower integer.
bool isConvertible(ElementType have, ElementType want);

/// Receives the reason why something is refused. A caller that wants the verdict alone, as the
/// enumeration does, passes nullptr: then no text is built.
using Explain = llvm::function_ref<void(const llvm::Twine &)>;

/// Fails, and passes the reason on where someone asks for it.
mlir::LogicalResult refuse(Explain explain, const llvm::Twine &why);

/// Fails when no candidate can use the intrinsic: its types differ, or sums of products might not
/// fit where it adds them (`partial_sums`).
mlir::LogicalResult verifyIntrinsic(const Workload &workload, const Intrinsic &intrinsic,
                                    Explain explain = nullptr);

/// Names the target's intrinsics whose types would do but whose sums might not fit. The text is
/// empty if there are none.
std::string explainRejected(const Workload &workload, const Target &target);

/// Fails when tiles, blocks, packing or staging of the candidate cannot be compiled. `nest` is that
/// of the workload under the candidate's packings.
mlir::LogicalResult verifySchedule(const Workload &workload, const Nest &nest,
                                   const Candidate &candidate, Explain explain = nullptr);

/// Fails when the candidate cannot be compiled for the workload: by its intrinsic or its schedule.
mlir::LogicalResult verifyCandidate(const Workload &workload, const Candidate &candidate,
                                    Explain explain = nullptr);

/// Whether a CPU multiplies one row of f32 by a matrix that lies along its reduction and is no
/// constant, such as the keys of a cache. To bring it into the order of an intrinsic takes longer
/// than sums over its rows as they lie. Narrower elements are multiplied several at once, which
/// makes up for it.
bool isSumOfRows(const Workload &workload, const Target &target);

/// All legal candidates, in a fixed order. When there is none `reason` says why: none is legal, or
/// all of them are slower than loops without an intrinsic.
std::vector<Candidate> enumerateCandidates(const Workload &workload, const Target &target,
                                           std::string &reason);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_CANDIDATES_H
