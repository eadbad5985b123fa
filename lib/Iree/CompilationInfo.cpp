//===- CompilationInfo.cpp - Configurations in the words of IREE
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilationInfo.h"
#include "ucmoh/Iree/Configuration.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;
using llvm::formatv;

llvm::Expected<linalg::ContractionDimensions> ucmoh::dimsOf(linalg::LinalgOp op) {
  auto dims = linalg::inferContractionDims(op);
  bool isOneEach = succeeded(dims) && dims->m.size() == 1 && dims->n.size() == 1 &&
                   dims->k.size() == 1 && dims->batch.size() <= 1 &&
                   op.getNumLoops() == 3 + dims->batch.size();
  if (!isOneEach)
    return llvm::createStringError("it is no product with one dim of m, n and k each");
  return *dims;
}

std::string ucmoh::listOf(linalg::LinalgOp op, int64_t batch, int64_t m, int64_t n, int64_t k) {
  auto dims = llvm::cantFail(dimsOf(op));
  SmallVector<int64_t> entries(op.getNumLoops(), 0);
  for (unsigned dim : dims.batch)
    entries[dim] = batch;
  entries[dims.m.front()] = m;
  entries[dims.n.front()] = n;
  entries[dims.k.front()] = k;
  return formatv("[{0:$[, ]}]", llvm::make_range(entries.begin(), entries.end()));
}

std::string ucmoh::compilationInfo(StringRef loweringConfig, StringRef translation) {
  return formatv("#iree_codegen.compilation_info<lowering_config = {0}, "
                 "translation_info = #iree_codegen.translation_info<{1}>>",
                 loweringConfig, translation);
}

static std::string configText(linalg::LinalgOp op, const Configuration &c) {
  return formatv("#iree_cpu.lowering_config<distribution = {0}, cache_parallel = {1}, "
                 "cache_reduction = {2}, vector_common_parallel = {3}, vector_reduction = {4}>",
                 listOf(op, 1, c.distributionM, c.distributionN, 0),
                 listOf(op, 1, c.cacheM, c.cacheN, 0), listOf(op, 0, 0, 0, c.cacheK),
                 listOf(op, 1, c.vectorM, c.vectorN, 0), listOf(op, 0, 0, 0, c.vectorK));
}

/// IREE 3.11 has the pipelines of all devices in one list.
static StringRef pipelineOf(StringRef version) {
  return version == "3.11" ? "pipeline = CPUDoubleTilingExpert"
                           : "pipeline = #iree_cpu.pipeline<DoubleTilingExpert>";
}

Tuning ucmoh::tuneForCpu(linalg::LinalgOp op, const Workload &workload, const TuneOptions &options,
                         std::string &reason) {
  Tuning result;
  auto ranked = rankConfigurations(workload, options.target, options.model, reason);
  for (const Configuration &c : ranked)
    result.ranked.push_back({{c.distributionM, c.distributionN, c.cacheM, c.cacheN, c.cacheK,
                              c.vectorM, c.vectorN, c.vectorK},
                             c.predictedSeconds});
  if (!ranked.empty())
    result.compilationInfo =
        compilationInfo(configText(op, ranked.front()), pipelineOf(options.version));
  return result;
}
