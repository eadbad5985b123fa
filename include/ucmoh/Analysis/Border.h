//===- Border.h - Steps of a reduction that meet zeros around an image
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_ANALYSIS_BORDER_H
#define UCMOH_ANALYSIS_BORDER_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/Nest.h"

namespace ucmoh {

/// A loop over the rows of a window in an image with zeros around it, or over its columns. In
/// iteration `at` it reads the padded image's row `place * stride + at * dilation`, `place` being
/// the value of a loop outside of the register tile. Iterations that read a row of padding add the
/// same to each place, and nothing where the intrinsic reads zeros.
struct Border {
  unsigned place;              ///< variable of the nest
  unsigned level;              ///< position in `Nest::outerK`
  unsigned placeDim, levelDim; ///< the same two as dims of the workload
  int64_t stride, dilation;    ///< in rows
  int64_t low, rows;           ///< rows of padding before the image, and rows of the image
  int64_t padding;             ///< what the intrinsic reads there: 128 for a zero with a sign
  /// Where the place is a part of the loop m: how many rows of the tile have the same one, and how
  /// many a tile has. It leaves out what all of them do.
  int64_t rowsOfPlace = 1, rowsOfTile = 1;

  /// The first iteration that reads a row of the image, and the one behind the last, of `extent`:
  /// max(first, 0) and min(end, extent), over `place` as dim 0.
  mlir::AffineExpr first(mlir::MLIRContext *context) const;
  mlir::AffineExpr end(mlir::MLIRContext *context) const;
};

/// Those of a kernel that reads its image, the lhs, in place, where each place reads some row of
/// the image. The intrinsic has to read zeros in all of them, or the result is corrected per column
/// anyway.
llvm::SmallVector<Border> findBorders(const Workload &workload, const Nest &nest,
                                      const Candidate &candidate);

/// The columns of zeros on both sides of the image, if the same kernel reads a row of results from
/// whole rows of the image, and each column of a window by whole steps of the intrinsic. Its place
/// is the loop m, its level is the outermost dim of the loop k.
std::optional<Border> findSides(const Workload &workload, const Nest &nest,
                                const Candidate &candidate);

/// Where row `at` of m begins to read the image in the loop k, and the end of it.
std::pair<int64_t, int64_t> stepsInside(const Border &sides, const Workload &workload,
                                        const Nest &nest, int64_t at);

/// What of the steps of the reduction is left, of 1.
double shareLeft(llvm::ArrayRef<Border> borders, const Workload &workload);

/// What `findBorders` sees around the image, as a key; empty if it sees nothing. Workloads of one
/// identity may differ in it.
std::string describePadding(const Workload &workload);

} // namespace ucmoh

#endif // UCMOH_ANALYSIS_BORDER_H
