//===- ChoiceAttr.cpp - Assembly and verification of #ucmoh.choice
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectImplementation.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// The fields while they are parsed, in any order.
struct Fields {
  SymbolRefAttr intrinsic;
  SmallVector<int64_t> registerTile, cacheTile;
  std::string order, packLhs, packRhs, model;
  int64_t threads = 1, pipelineDepth = 1;
  double predictedSeconds = 0;
};
} // namespace

/// Files of choices and records that were written before docs/glossary.md have other words: what
/// `word` is called now. Records have the same list, for the text (lib/Records/Records.cpp).
static StringRef currentWord(StringRef word) {
  return llvm::StringSwitch<StringRef>(word)
      .Case("stages", "pipeline_depth")
      .Case("ahead", "prepacked")
      .Default(word);
}

static ParseResult parseList(AsmParser &parser, SmallVectorImpl<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

static ParseResult parseValue(AsmParser &parser, StringRef key, SMLoc loc, Fields &fields) {
  if (key == "intrinsic")
    return parser.parseAttribute(fields.intrinsic);
  if (key == "register_tile")
    return parseList(parser, fields.registerTile);
  if (key == "cache_tile")
    return parseList(parser, fields.cacheTile);
  if (int64_t former; key == "unroll") // former versions wrote it, and it has no effect
    return parser.parseInteger(former);
  if (key == "threads")
    return parser.parseInteger(fields.threads);
  if (key == "pipeline_depth")
    return parser.parseInteger(fields.pipelineDepth);
  if (key == "predicted_seconds")
    return parser.parseFloat(fields.predictedSeconds);
  std::string *string = llvm::StringSwitch<std::string *>(key)
                            .Case("order", &fields.order)
                            .Case("pack_lhs", &fields.packLhs)
                            .Case("pack_rhs", &fields.packRhs)
                            .Case("model", &fields.model)
                            .Default(nullptr);
  if (!string)
    return parser.emitError(loc) << "unknown field '" << key << "' of #ucmoh.choice";
  if (parser.parseString(string))
    return failure();
  if (string == &fields.packLhs || string == &fields.packRhs)
    *string = currentWord(*string).str();
  return success();
}

Attribute ChoiceAttr::parse(AsmParser &parser, Type) {
  constexpr StringLiteral keys[] = {"intrinsic", "register_tile", "cache_tile",        "order",
                                    "pack_lhs",  "pack_rhs",      "predicted_seconds", "model"};
  SMLoc start = parser.getCurrentLocation();
  Fields fields;
  llvm::StringSet<> seen;
  auto parseField = [&]() -> ParseResult {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    key = currentWord(key);
    if (!seen.insert(key).second)
      return parser.emitError(loc) << "field '" << key << "' is given twice";
    return parseValue(parser, key, loc, fields);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseField))
    return {};
  for (StringRef key : keys)
    if (!seen.contains(key)) {
      parser.emitError(start) << "#ucmoh.choice lacks the field '" << key << "'";
      return {};
    }
  // Exactly the declared parameter types: others would pick a template that needs the storage
  // class.
  auto emit = [&] { return parser.emitError(start); };
  function_ref<InFlightDiagnostic()> error = emit;
  return getChecked(error, parser.getContext(), fields.intrinsic,
                    ArrayRef<int64_t>(fields.registerTile), ArrayRef<int64_t>(fields.cacheTile),
                    StringRef(fields.order), StringRef(fields.packLhs), StringRef(fields.packRhs),
                    fields.threads, fields.pipelineDepth, llvm::APFloat(fields.predictedSeconds),
                    StringRef(fields.model));
}

void ChoiceAttr::print(AsmPrinter &printer) const {
  printer << "<intrinsic = " << getIntrinsic();
  printer << ", register_tile = [" << getRegisterTile() << "], cache_tile = [" << getCacheTile()
          << "], order = \"" << getOrder() << "\", pack_lhs = \"" << getPackLhs()
          << "\", pack_rhs = \"" << getPackRhs() << "\"";
  if (getThreads() != 1)
    printer << ", threads = " << getThreads();
  if (getPipelineDepth() != 1)
    printer << ", pipeline_depth = " << getPipelineDepth();
  printer << ", predicted_seconds = ";
  printer.printFloat(getPredictedSeconds());
  printer << ", model = ";
  printer.printString(getModel());
  printer << '>';
}

LogicalResult ChoiceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 SymbolRefAttr intrinsic, ArrayRef<int64_t> registerTile,
                                 ArrayRef<int64_t> cacheTile, StringRef order, StringRef packLhs,
                                 StringRef packRhs, int64_t threads, int64_t pipelineDepth,
                                 APFloat predictedSeconds, StringRef model) {
  auto positive = [](int64_t value) { return value > 0; };
  if (!intrinsic || intrinsic.getNestedReferences().size() != 1)
    return emitError() << "'intrinsic' must be of the form @target::@intrinsic";
  if (!isRegisterTile(registerTile))
    return emitError() << "'register_tile' must be two positive numbers [rows, columns] with a "
                          "product of at most "
                       << largestTileElements << ", but is [" << registerTile << "]";
  if (cacheTile.size() != 3 || !llvm::all_of(cacheTile, positive))
    return emitError() << "'cache_tile' must be three positive numbers [m, n, k], but is ["
                       << cacheTile << "]";
  if (!llvm::is_contained({"nmk.nm", "nmk.mn", "mnk.nm", "mnk.mn", "nomk.nm", "nomk.mn"}, order))
    return emitError()
           << "'order' must be nmk, mnk or nomk, a dot and nm or mn, as \"nmk.nm\", but is \""
           << order << "\"";
  if (!llvm::is_contained({"none", "block"}, packLhs))
    return emitError() << "'pack_lhs' must be \"none\" or \"block\", but is \"" << packLhs << "\"";
  if (!llvm::is_contained({"none", "block", "prepacked", "widened"}, packRhs))
    return emitError()
           << "'pack_rhs' must be \"none\", \"block\", \"prepacked\" or \"widened\", but is \""
           << packRhs << "\"";
  if (threads < 1 || threads > largestThreads)
    return emitError() << "'threads' must be between 1 and " << largestThreads << ", but is "
                       << threads;
  if (pipelineDepth < 1 || pipelineDepth > largestPipelineDepth)
    return emitError() << "'pipeline_depth' must be between 1 and " << largestPipelineDepth
                       << ", but is " << pipelineDepth;
  if (predictedSeconds.isNaN() || predictedSeconds.isNegative())
    return emitError() << "'predicted_seconds' must not be negative or NaN";
  return success();
}

static std::string joinTile(ArrayRef<int64_t> extents) {
  return llvm::join(llvm::map_range(extents, [](int64_t extent) { return std::to_string(extent); }),
                    "x");
}

std::string ChoiceAttr::summarize() const {
  return llvm::formatv("{0} {1}, {2} {3} {4}/{5}", getIntrinsic().getLeafReference().strref(),
                       joinTile(getRegisterTile()), joinTile(getCacheTile()), getOrder(),
                       getPackLhs(), getPackRhs());
}
