//===- TuningSpec.cpp - Configurations as a tuning spec of IREE
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/TuningSpec.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// What is tuned
//===----------------------------------------------------------------------===//

/// The dims of a contraction that a configuration is for; a message else.
static llvm::Expected<linalg::ContractionDimensions> dimsOf(linalg::LinalgOp op) {
  auto dims = linalg::inferContractionDims(op);
  bool isOneEach = succeeded(dims) && dims->m.size() == 1 && dims->n.size() == 1 &&
                   dims->k.size() == 1 && dims->batch.size() <= 1;
  if (!isOneEach)
    return llvm::createStringError("it is no product with one dim of m, n and k each");
  return *dims;
}

static bool isSame(linalg::LinalgOp one, linalg::LinalgOp other) {
  return one.getIndexingMaps() == other.getIndexingMaps() &&
         one->getOperandTypes() == other->getOperandTypes();
}

/// An op with its configurations, or why there are none.
static llvm::Expected<TunedOp> tuneOp(linalg::LinalgOp op, const Target &target,
                                      const CostModel &model) {
  auto dims = dimsOf(op);
  if (!dims)
    return dims.takeError();
  WorkloadOrReason analyzed = analyzeWorkload(op);
  if (!analyzed)
    return llvm::createStringError(analyzed.reason);
  std::string reason;
  auto configurations = rankConfigurations(*analyzed.workload, target, model, reason);
  if (configurations.empty())
    return llvm::createStringError(reason);
  return TunedOp{op, analyzed.workload->name(), std::move(configurations)};
}

TunedOps ucmoh::tune(ModuleOp module, const Target &target, const CostModel &model) {
  TunedOps result;
  module.walk([&](Operation *op) {
    if (!isContractionLike(op))
      return;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      result.left.push_back({op, "it is no structured op"});
      return;
    }
    if (llvm::any_of(result.tuned, [&](TunedOp &known) { return isSame(known.op, linalgOp); }))
      return;
    if (auto tuned = tuneOp(linalgOp, target, model))
      result.tuned.push_back(std::move(*tuned));
    else
      result.left.push_back({op, llvm::toString(tuned.takeError())});
  });
  return result;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// A list with an entry for each dim of the op: `batch` for batch dims, zero where nothing is said.
static std::string listOf(linalg::LinalgOp op, int64_t batch, int64_t m, int64_t n, int64_t k) {
  auto dims = llvm::cantFail(dimsOf(op));
  SmallVector<int64_t> entries(op.getNumLoops(), 0);
  for (unsigned dim : dims.batch)
    entries[dim] = batch;
  entries[dims.m.front()] = m;
  entries[dims.n.front()] = n;
  entries[dims.k.front()] = k;
  return formatv("[{0:$[, ]}]", llvm::make_range(entries.begin(), entries.end()));
}

static std::string configText(linalg::LinalgOp op, const Configuration &c) {
  return formatv("#iree_cpu.lowering_config<distribution = {0}, cache_parallel = {1}, "
                 "cache_reduction = {2}, vector_common_parallel = {3}, vector_reduction = {4}>",
                 listOf(op, 1, c.distributionM, c.distributionN, 0),
                 listOf(op, 1, c.cacheM, c.cacheN, 0), listOf(op, 0, 0, 0, c.cacheK),
                 listOf(op, 1, c.vectorM, c.vectorN, 0), listOf(op, 0, 0, 0, c.vectorK));
}

template <typename T> static std::string toString(T thing) {
  std::string text;
  llvm::raw_string_ostream(text) << thing;
  return text;
}

static std::string mapsOf(linalg::LinalgOp op) {
  SmallVector<std::string> maps;
  for (AffineMap map : op.getIndexingMapsArray())
    maps.push_back("affine_map<" + toString(map) + ">");
  return llvm::join(maps, ", ");
}

static std::string extentsOf(linalg::LinalgOp op, ArrayRef<unsigned> dims) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), extents;
  for (unsigned dim : dims)
    extents.push_back(ranges[dim]);
  return formatv("[{0:$[, ]}]", llvm::make_range(extents.begin(), extents.end()));
}

static void writeMatcher(llvm::raw_ostream &os, linalg::LinalgOp op) {
  auto dims = llvm::cantFail(dimsOf(op));
  auto elementOf = [&](unsigned i) {
    return toString(getElementTypeOrSelf(op->getOperand(i).getType()));
  };
  os << formatv("    %batch, %m, %n, %k = transform.iree.match.contraction %op, lhs_type = {0}, "
                "rhs_type = {1}, output_type = {2},\n      indexing_maps = [{3}]\n      : "
                "!transform.any_op -> !transform.param<i64>\n",
                elementOf(0), elementOf(1), elementOf(2), mapsOf(op));
  for (auto [name, list] : {std::pair<const char *, ArrayRef<unsigned>>{"batch", dims.batch},
                            {"m", dims.m},
                            {"n", dims.n},
                            {"k", dims.k}})
    os << formatv("    transform.iree.match.dims_equal %{0}, {1} : !transform.param<i64>\n", name,
                  extentsOf(op, list));
}

/// IREE 3.11 has the pipelines of all devices in one list.
static StringRef pipelineOf(StringRef version) {
  return version == "3.11" ? "CPUDoubleTilingExpert" : "#iree_cpu.pipeline<DoubleTilingExpert>";
}

static void writeSequence(llvm::raw_ostream &os, const TunedOp &tuned, size_t index,
                          StringRef version) {
  os << formatv("  // {0}\n  transform.named_sequence @match_{1}(%op: !transform.any_op "
                "{{transform.readonly}) -> (!transform.any_op, !transform.any_param) {{\n",
                tuned.workload, index);
  writeMatcher(os, tuned.op);
  os << formatv("    %config = transform.param.constant #iree_codegen.compilation_info<\n"
                "      lowering_config = {0},\n"
                "      translation_info = #iree_codegen.translation_info<pipeline = {1}>>\n"
                "      -> !transform.any_param\n"
                "    transform.yield %op, %config : !transform.any_op, !transform.any_param\n"
                "  }\n",
                configText(tuned.op, tuned.configurations.front()), pipelineOf(version));
}

void ucmoh::writeTuningSpec(llvm::raw_ostream &os, ArrayRef<TunedOp> ops, StringRef version) {
  os << "module @ucmoh attributes {transform.with_named_sequence, "
        "iree_codegen.tuning_spec_with_default_entrypoint} {\n"
        "  transform.named_sequence @apply_op_config(%op: !transform.any_op {transform.readonly}, "
        "%config: !transform.any_param {transform.readonly}) {\n"
        "    transform.annotate %op \"compilation_info\" = %config : !transform.any_op, "
        "!transform.any_param\n    transform.yield\n  }\n";
  SmallVector<std::string> pairs;
  for (auto [index, tuned] : llvm::enumerate(ops)) {
    writeSequence(os, tuned, index, version);
    pairs.push_back(formatv("      @match_{0} -> @apply_op_config", index));
  }
  os << "  transform.named_sequence @__kernel_config(%module: !transform.any_op "
        "{transform.consumed}) -> !transform.any_op attributes "
        "{iree_codegen.tuning_spec_entrypoint} {\n"
        "    %tuned = transform.foreach_match in %module\n"
     << llvm::join(pairs, ",\n")
     << "\n      : (!transform.any_op) -> !transform.any_op\n"
        "    transform.yield %tuned : !transform.any_op\n  }\n}\n";
}
