//===- Convolution.cpp - IREE's ways to tile a convolution
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilationInfo.h"
#include "ucmoh/Iree/Configuration.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace mlir;
using namespace ucmoh;
using llvm::formatv;

/// Columns of the result's image in one vector tile, and steps along the input's channels.
static constexpr int64_t vectorColumns[] = {1, 2, 4, 7, 8, 14, 16};
static constexpr int64_t vectorSteps[] = {1, 2, 4, 8};
/// A workgroup has so many of those tiles along each dim, and so many rows of the image.
static constexpr int64_t factors[] = {1, 2, 4, 8};
static constexpr int64_t groupRows[] = {1, 2, 4, 7, 8, 14, 16};

namespace {
/// How IREE tiles a convolution: a workgroup takes rows, and inside of it a tile of columns and
/// channels is computed at a time, with all steps of its reduction.
struct ConvolutionTiles {
  int64_t rows;        ///< rows of the image that a workgroup computes
  Configuration tiles; ///< m are columns of the image, n the result's channels, k the reduction

  auto key() const {
    return std::make_tuple(tiles.predictedSeconds, rows, tiles.distributionM, tiles.distributionN,
                           tiles.vectorM, tiles.vectorN, tiles.vectorK);
  }
  /// The one that is predicted to be faster comes first; equal ones have an order all the same.
  bool operator<(const ConvolutionTiles &other) const { return key() < other.key(); }
};

/// Walks the space of one convolution.
class Enumeration {
public:
  Enumeration(linalg::LinalgOp op, const linalg::ConvolutionDimensions &dims,
              const Intrinsic &intrinsic, int64_t steps)
      : extents(op.getStaticLoopRanges()), dims(dims), intrinsic(intrinsic), steps(steps) {}

  std::vector<ConvolutionTiles> run() {
    for (int64_t columns : vectorColumns)
      for (int64_t channels = intrinsic.n; channels <= 8 * intrinsic.n; channels *= 2)
        for (int64_t input : vectorSteps)
          if (extents[dims.inputChannel[0]] % input == 0)
            addWorkgroups({0, 0, 0, 0, steps, columns, channels, input});
    return std::move(found);
  }

private:
  void addWorkgroups(Configuration tiles) {
    if (!fitsRegisters(tiles, intrinsic))
      return;
    for (int64_t rows : groupRows)
      for (int64_t columns : factors)
        for (int64_t channels : factors) {
          tiles.distributionM = tiles.cacheM = columns * tiles.vectorM;
          tiles.distributionN = tiles.cacheN = channels * tiles.vectorN;
          if (extents[dims.outputImage[0]] % rows == 0 &&
              extents[dims.outputImage[1]] % tiles.cacheM == 0 &&
              extents[dims.outputChannel[0]] % tiles.cacheN == 0)
            found.push_back({rows, tiles});
        }
  }

  SmallVector<int64_t> extents;
  const linalg::ConvolutionDimensions &dims;
  const Intrinsic &intrinsic;
  int64_t steps; ///< steps of the whole reduction
  std::vector<ConvolutionTiles> found;
};
} // namespace

llvm::Expected<linalg::ConvolutionDimensions> ucmoh::convolutionDimsOf(linalg::LinalgOp op) {
  auto no = [](const char *reason) { return llvm::createStringError(reason); };
  auto dims = linalg::inferConvolutionDims(op);
  if (failed(dims))
    return no("it is neither a product with one dim of m, n and k each nor a convolution");
  if (dims->outputImage.size() != 2 || dims->outputChannel.size() != 1 ||
      dims->inputChannel.size() != 1 || !dims->depth.empty())
    return no("it is no convolution of images with all of their channels");
  if (dims->batch.empty() || op.getStaticLoopRanges()[dims->batch.front()] == 1)
    return no("IREE takes no configuration for the convolution of a single image");
  if (llvm::all_of(dims->filterLoop, [&](unsigned d) { return op.getStaticLoopRanges()[d] == 1; }))
    return no("IREE makes a product of it first: give the program that it prints behind that");
  AffineMap result = op.getIndexingMapsArray().back();
  if (!result.isFunctionOfDim(dims->outputChannel.front()) ||
      result.getResults().back() != getAffineDimExpr(dims->outputChannel.front(), op->getContext()))
    return no("its channels are not its innermost dim");
  return *dims;
}

/// A list with an entry for each dim of the op.
static std::string listOf(linalg::LinalgOp op, ArrayRef<std::pair<unsigned, int64_t>> given) {
  SmallVector<int64_t> entries(op.getNumLoops(), 0);
  for (auto [dim, value] : given)
    entries[dim] = value;
  return formatv("[{0:$[, ]}]", llvm::make_range(entries.begin(), entries.end()));
}

static std::string configText(linalg::LinalgOp op, const linalg::ConvolutionDimensions &dims,
                              const ConvolutionTiles &c) {
  unsigned batch = dims.batch[0], row = dims.outputImage[0], column = dims.outputImage[1],
           channel = dims.outputChannel[0], input = dims.inputChannel[0];
  return formatv(
      "#iree_cpu.lowering_config<distribution = {0}, vector_common_parallel = {1}, "
      "vector_reduction = {2}>",
      listOf(op, {{batch, 1},
                  {row, c.rows},
                  {column, c.tiles.distributionM},
                  {channel, c.tiles.distributionN}}),
      listOf(op, {{batch, 1}, {row, 1}, {column, c.tiles.vectorM}, {channel, c.tiles.vectorN}}),
      listOf(op, {{dims.filterLoop[0], 1}, {dims.filterLoop[1], 1}, {input, c.tiles.vectorK}}));
}

static StringRef pipelineOf(StringRef version) {
  return version == "3.11" ? "pipeline = CPUConvTileAndDecomposeExpert"
                           : "pipeline = #iree_cpu.pipeline<ConvTileAndDecomposeExpert>";
}

Tuning ucmoh::tuneConvolution(linalg::LinalgOp op, const Workload &workload,
                              const TuneOptions &options, std::string &reason) {
  auto dims = llvm::cantFail(convolutionDimsOf(op));
  const Intrinsic *intrinsic = findSumIntrinsic(workload, options.target);
  if (!intrinsic) {
    reason = "no intrinsic of the target multiplies what has the type of its sums";
    return {};
  }
  auto found = Enumeration(op, dims, *intrinsic, workload.extent(DimRole::K)).run();
  if (found.empty())
    reason = "no tiles of whole vectors divide its extents";
  for (ConvolutionTiles &c : found)
    c.tiles.predictedSeconds =
        predictSeconds(workload, c.tiles, *intrinsic, options.target, options.model);
  llvm::sort(found);
  Tuning result;
  for (const ConvolutionTiles &c : found)
    result.ranked.push_back({{c.rows, c.tiles.distributionM, c.tiles.distributionN, c.tiles.vectorM,
                              c.tiles.vectorN, c.tiles.vectorK},
                             c.tiles.predictedSeconds});
  if (!found.empty())
    result.compilationInfo =
        compilationInfo(configText(op, dims, found.front()), pipelineOf(options.version));
  return result;
}
