//===- DeviceConfiguration.cpp - IREE's ways to tile a contraction on a device
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CompilationInfo.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;
using llvm::formatv;

namespace {
/// How IREE's code generator for devices tiles a contraction with one m, n and k each. All tiles
/// divide the extents.
struct DeviceConfiguration {
  std::string matrixOp;           ///< IREE's name of the intrinsic
  int64_t workgroupM, workgroupN; ///< elements of one block of threads
  int64_t subgroupM, subgroupN;   ///< executions of the intrinsic, of one subgroup
  int64_t steps;                  ///< executions along the reduction between two copies
  int64_t threads, subgroupSize;  ///< threads of a block, threads of a subgroup
  int64_t stages;                 ///< copies that are under way at once
  double predictedSeconds = 0;    ///< by the model
};
} // namespace

//===----------------------------------------------------------------------===//
// Ranking
//===----------------------------------------------------------------------===//

/// IREE's name of the intrinsic: empty where IREE has none. IREE's are warp-wide products of floats
/// of one type.
static std::string matrixOpOf(const Intrinsic &intrinsic) {
  bool isHalf = !intrinsic.lhs.isInteger() && intrinsic.lhs.bits == 16;
  IntrinsicOp op = intrinsic.op;
  if (!op.getMnemonic().starts_with("mma.sync") || !isHalf || intrinsic.lhs != intrinsic.rhs)
    return "";
  return formatv("NV_MMA_SYNC_{0}_{1}x{2}x{3}_{4}", StringRef(intrinsic.acc.name()).upper(),
                 intrinsic.m, intrinsic.n, intrinsic.k, StringRef(intrinsic.lhs.name()).upper());
}

/// Translates the candidate for IREE.
static DeviceConfiguration toConfiguration(const RankedCandidate &ranked) {
  const Candidate &c = ranked.candidate;
  const Intrinsic &intrinsic = *c.intrinsic;
  int64_t subgroups = (c.cacheM / c.tileM) * (c.cacheN / c.tileN);
  return {matrixOpOf(intrinsic),
          c.cacheM,
          c.cacheN,
          c.tileM / intrinsic.m,
          c.tileN / intrinsic.n,
          c.cacheK / intrinsic.k,
          subgroups * intrinsic.subgroupSize,
          intrinsic.subgroupSize,
          c.pipelineDepth,
          ranked.predictedSeconds};
}

/// Whether IREE needs no edges for it.
static bool dividesExtents(const Workload &workload, const Candidate &c) {
  return workload.extent(DimRole::M) % c.cacheM == 0 &&
         workload.extent(DimRole::N) % c.cacheN == 0 &&
         workload.extent(DimRole::K) % c.cacheK == 0 && c.cacheM % c.tileM == 0 &&
         c.cacheN % c.tileN == 0;
}

/// The configurations that are candidates of our own as well, best first: IREE makes the same
/// program of them, so the model is asked of that. Empty where `reason` says why.
static std::vector<DeviceConfiguration> rankDeviceConfigurations(const Workload &workload,
                                                                 const Target &target,
                                                                 const CostModel &model,
                                                                 std::string &reason) {
  std::vector<DeviceConfiguration> found;
  auto ranked = rankCandidates(workload, target, model, reason);
  for (const RankedCandidate &entry : ranked) {
    const Intrinsic &intrinsic = *entry.candidate.intrinsic;
    if (!matrixOpOf(intrinsic).empty() && dividesExtents(workload, entry.candidate))
      found.push_back(toConfiguration(entry));
  }
  if (found.empty() && !ranked.empty())
    reason = "IREE has none of the intrinsics with which it could be done without edges";
  return found;
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

static std::string configText(linalg::LinalgOp op, const DeviceConfiguration &c) {
  return formatv("#iree_gpu.lowering_config<{{mma_kind = #iree_gpu.mma_layout<{0}>, "
                 "promote_operands = [0, 1], reduction = {1}, subgroup = {2}, workgroup = {3}}>",
                 c.matrixOp, listOf(op, 0, 0, 0, c.steps),
                 listOf(op, 0, c.subgroupM, c.subgroupN, 0),
                 listOf(op, 1, c.workgroupM, c.workgroupN, 0));
}

static std::string translationText(const DeviceConfiguration &c, StringRef version) {
  return formatv("pipeline = {0} workgroup_size = [{1}, 1, 1] subgroup_size = {2}, "
                 "{{gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = {3}, "
                 "no_reduce_shared_memory_bank_conflicts = false, use_igemm_convolution = false>}",
                 version == "3.11" ? "LLVMGPUTileAndFuse" : "#iree_gpu.pipeline<TileAndFuse>",
                 c.threads, c.subgroupSize, c.stages);
}

Tuning ucmoh::tuneForDevice(linalg::LinalgOp op, const Workload &workload,
                            const TuneOptions &options, std::string &reason) {
  Tuning result;
  auto ranked = rankDeviceConfigurations(workload, options.target, options.model, reason);
  for (const DeviceConfiguration &c : ranked)
    result.ranked.push_back(
        {{c.workgroupM, c.workgroupN, c.subgroupM, c.subgroupN, c.steps, c.threads, c.stages},
         c.predictedSeconds});
  if (!ranked.empty())
    result.compilationInfo = compilationInfo(configText(op, ranked.front()),
                                             translationText(ranked.front(), options.version));
  return result;
}
