//===- Tune.cpp - Which configurations the contractions of a module get
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/Tune.h"
#include "CompilationInfo.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

static bool isSame(linalg::LinalgOp one, linalg::LinalgOp other) {
  return one.getIndexingMaps() == other.getIndexingMaps() &&
         one->getOperandTypes() == other->getOperandTypes();
}

/// Returns the function that ranks configurations for the op, or why there are none for such ops.
static llvm::Expected<decltype(&tuneForCpu)> tunerOf(linalg::LinalgOp op, const Target &target) {
  auto dims = dimsOf(op);
  if (dims)
    return target.device ? tuneForDevice : tuneForCpu;
  if (target.device)
    return dims.takeError();
  llvm::consumeError(dims.takeError());
  if (auto convolution = convolutionDimsOf(op); !convolution)
    return convolution.takeError();
  return tuneConvolution;
}

/// An op with its configurations, or why there are none.
static llvm::Expected<TunedOp> tuneOp(linalg::LinalgOp op, const TuneOptions &options) {
  WorkloadOrReason analyzed = analyzeWorkload(op);
  if (!analyzed)
    return llvm::createStringError(analyzed.reason);
  auto tuner = tunerOf(op, options.target);
  if (!tuner)
    return tuner.takeError();
  std::string reason;
  Tuning tuning = (*tuner)(op, *analyzed.workload, options, reason);
  if (tuning.ranked.empty())
    return llvm::createStringError(reason);
  return TunedOp{{op}, analyzed.workload->name(), std::move(tuning)};
}

TunedOps ucmoh::tune(ModuleOp module, const TuneOptions &options) {
  TunedOps result;
  module.walk([&](Operation *op) {
    if (!isContractionLike(op))
      return;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      result.left.push_back({op, "it is no structured op"});
      return;
    }
    auto known = llvm::find_if(
        result.tuned, [&](TunedOp &tuned) { return isSame(tuned.places.front(), linalgOp); });
    if (known != result.tuned.end())
      known->places.push_back(linalgOp);
    else if (auto tuned = tuneOp(linalgOp, options))
      result.tuned.push_back(std::move(*tuned));
    else
      result.left.push_back({op, llvm::toString(tuned.takeError())});
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Text for IREE
//===----------------------------------------------------------------------===//

using llvm::formatv;

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

/// A named list of dims, in the order of the matcher's results.
using MatchedDims = std::pair<const char *, ArrayRef<unsigned>>;

/// A matcher of IREE's that gives extents by their roles, of which those of `dims` are compared.
static void writeMatcher(llvm::raw_ostream &os, linalg::LinalgOp op, StringRef kind,
                         StringRef results, ArrayRef<MatchedDims> dims) {
  auto elementOf = [&](unsigned i) {
    return toString(getElementTypeOrSelf(op->getOperand(i).getType()));
  };
  os << formatv("    {0} = transform.iree.match.{1} %op, lhs_type = {2}, rhs_type = {3}, "
                "output_type = {4},\n      indexing_maps = [{5}]\n      : "
                "!transform.any_op -> !transform.param<i64>\n",
                results, kind, elementOf(0), elementOf(1), elementOf(2), mapsOf(op));
  for (auto [name, list] : dims)
    os << formatv("    transform.iree.match.dims_equal %{0}, {1} : !transform.param<i64>\n", name,
                  extentsOf(op, list));
}

static void writeMatcher(llvm::raw_ostream &os, linalg::LinalgOp op) {
  auto dims = dimsOf(op);
  if (dims)
    return writeMatcher(os, op, "contraction", "%batch, %m, %n, %k",
                        {{"batch", dims->batch}, {"m", dims->m}, {"n", dims->n}, {"k", dims->k}});
  llvm::consumeError(dims.takeError());
  auto image = llvm::cantFail(convolutionDimsOf(op));
  writeMatcher(os, op, "convolution",
               "%batch, %image, %channels, %filter, %input, %depth, %strides, %dilations",
               {{"batch", image.batch},
                {"image", image.outputImage},
                {"channels", image.outputChannel},
                {"filter", image.filterLoop},
                {"input", image.inputChannel}});
}

static void writeSequence(llvm::raw_ostream &os, const TunedOp &tuned, size_t index) {
  os << formatv("  // {0}\n  transform.named_sequence @match_{1}(%op: !transform.any_op "
                "{{transform.readonly}) -> (!transform.any_op, !transform.any_param) {{\n",
                tuned.workload, index);
  writeMatcher(os, tuned.places.front());
  os << formatv("    %config = transform.param.constant {0}\n"
                "      -> !transform.any_param\n"
                "    transform.yield %op, %config : !transform.any_op, !transform.any_param\n"
                "  }\n",
                tuned.tuning.compilationInfo);
}

/// IREE takes no spec without an entry: this one matches no op.
static void writeNothing(llvm::raw_ostream &os) {
  os << "  transform.named_sequence @match_nothing(%op: !transform.any_op {transform.readonly}) -> "
        "(!transform.any_op, !transform.any_param) {\n"
        "    transform.match.operation_name %op [\"ucmoh.nothing\"] : !transform.any_op\n"
        "    %config = transform.param.constant unit -> !transform.any_param\n"
        "    transform.yield %op, %config : !transform.any_op, !transform.any_param\n  }\n";
}

void ucmoh::writeTuningSpec(llvm::raw_ostream &os, ArrayRef<TunedOp> ops) {
  os << "module @ucmoh attributes {transform.with_named_sequence, "
        "iree_codegen.tuning_spec_with_default_entrypoint} {\n"
        "  transform.named_sequence @apply_op_config(%op: !transform.any_op {transform.readonly}, "
        "%config: !transform.any_param {transform.readonly}) {\n"
        "    transform.annotate %op \"compilation_info\" = %config : !transform.any_op, "
        "!transform.any_param\n    transform.yield\n  }\n";
  SmallVector<std::string> pairs;
  for (auto [index, tuned] : llvm::enumerate(ops)) {
    writeSequence(os, tuned, index);
    pairs.push_back(formatv("      @match_{0} -> @apply_op_config", index));
  }
  if (ops.empty()) {
    writeNothing(os);
    pairs.push_back("      @match_nothing -> @apply_op_config");
  }
  os << "  transform.named_sequence @__kernel_config(%module: !transform.any_op "
        "{transform.consumed}) -> !transform.any_op attributes "
        "{iree_codegen.tuning_spec_entrypoint} {\n"
        "    %tuned = transform.foreach_match in %module\n"
     << llvm::join(pairs, ",\n")
     << "\n      : (!transform.any_op) -> !transform.any_op\n"
        "    transform.yield %tuned : !transform.any_op\n  }\n}\n";
}

/// The attribute is of a dialect that is not known here: it is kept as text.
static Attribute parseForeign(MLIRContext *context, StringRef text) {
  auto [dialect, body] = text.drop_front().split('.');
  return OpaqueAttr::get(StringAttr::get(context, dialect), body, NoneType::get(context));
}

void ucmoh::writeAnnotated(llvm::raw_ostream &os, ModuleOp module, ArrayRef<TunedOp> ops) {
  for (const TunedOp &tuned : ops)
    for (linalg::LinalgOp op : tuned.places)
      op->setAttr("compilation_info",
                  parseForeign(module.getContext(), tuned.tuning.compilationInfo));
  module.print(os, OpPrintingFlags().printGenericOpForm());
}
