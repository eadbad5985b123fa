//===- RestDescription.cpp - What an op that is no contraction does, for people
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RestDescription.h"
#include "Pieces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Such as "math.exp". Arithmetic that stands for a function has its name as location.
static StringRef functionOf(Operation &op) {
  if (auto named = op.getLoc()->findInstanceOf<NameLoc>())
    if (named.getName().strref().starts_with("math."))
      return named.getName();
  return op.getName().getStringRef();
}

/// Returns the word that tells one part of a network from another; empty for what occurs in most of
/// them.
static StringRef notableWord(StringRef function) {
  StringRef word = llvm::StringSwitch<StringRef>(function)
                       .Cases({"arith.divf", "arith.divsi", "arith.divui"}, "divide")
                       .Cases({"arith.fptosi", "arith.fptoui"}, "quantize")
                       .Cases({"arith.sitofp", "arith.uitofp"}, "dequantize")
                       .Cases({"math.powf", "math.fpowi"}, "power")
                       .Cases({"math.fma", "math.absf", "math.copysign"}, "")
                       .Cases({"math.round", "math.roundeven", "math.floor"}, "")
                       .Default(function);
  if (word == function)
    return word.consume_front("math.") ? word : "";
  return word;
}

static StringRef plainWord(Operation &op) {
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return "add"; })
      .Case<arith::SubFOp, arith::SubIOp>([](auto) { return "subtract"; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return "multiply"; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(
          [](auto) { return "max"; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp>(
          [](auto) { return "min"; })
      .Case<arith::CmpFOp, arith::CmpIOp>([](auto) { return "compare"; })
      .Case<memref::LoadOp>([](auto) { return "look up"; })
      .Case<arith::SelectOp>([](auto) { return "select"; })
      .Case<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncFOp, arith::TruncIOp>(
          [](auto) { return "convert"; })
      .Default([](auto) { return ""; });
}

static StringRef reductionWord(Operation *combiner, bool overWindows) {
  StringRef word = combiner ? plainWord(*combiner) : "";
  return llvm::StringSwitch<StringRef>(word)
      .Case("add", overWindows ? "window sum" : "sum")
      .Case("max", overWindows ? "window max" : "max")
      .Case("min", overWindows ? "window min" : "min")
      .Case("multiply", "product")
      .Default("reduce");
}

/// Names what an op does that computes nothing.
static StringRef moveWord(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op) || op.getNumDpsInputs() == 0)
    return "fill";
  AffineMap map = op.getIndexingMapsArray().front();
  if (op.getNumDpsInputs() > 1 || !map.isPermutation())
    return map.isProjectedPermutation() ? "broadcast" : "copy";
  return map == op.getIndexingMapsArray().back() ? "copy" : "transpose";
}

//===----------------------------------------------------------------------===//
// RestDescription
//===----------------------------------------------------------------------===//

/// The largest buffer counts, of equal ones the last: what is written comes after what is read.
void RestDescription::addBuffer(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type || op->isAncestor(value.getParentBlock()->getParentOp()))
    return;
  auto elements = [](MemRefType type) {
    return type.hasStaticShape() ? type.getNumElements() : INT64_MAX;
  };
  if (!buffer || elements(type) >= elements(buffer))
    buffer = type;
}

void RestDescription::addReductions(linalg::LinalgOp linalgOp) {
  bool overWindows = llvm::any_of(linalgOp.getIndexingMapsArray(), [](AffineMap map) {
    return llvm::any_of(map.getResults(),
                        [](AffineExpr expr) { return expr.getKind() == AffineExprKind::Add; });
  });
  // Other results are written for each element.
  for (auto [yielded, result] : llvm::zip_equal(linalgOp.getBlock()->getTerminator()->getOperands(),
                                                linalgOp.getRegionOutputArgs()))
    if (!result.use_empty())
      notable.insert(reductionWord(yielded.getDefiningOp(), overWindows));
}

void RestDescription::addBodyOp(Operation &bodyOp) {
  if (StringRef word = notableWord(functionOf(bodyOp)); !word.empty())
    notable.insert(word);
  else if (word = plainWord(bodyOp); !word.empty())
    plain.insert(word);
}

void RestDescription::addLinalg(linalg::LinalgOp linalgOp) {
  if (isa<linalg::FillOp>(linalgOp) || llvm::hasSingleElement(*linalgOp.getBlock())) {
    moves.insert(moveWord(linalgOp));
    return;
  }
  for (Operation &bodyOp : *linalgOp.getBlock())
    addBodyOp(bodyOp);
  if (linalgOp.getNumReductionLoops() > 0)
    addReductions(linalgOp);
}

RestDescription::RestDescription(Operation *op) : op(op) {
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      addBuffer(operand);
    if (auto kernel = dyn_cast<KernelOp>(inner))
      moves.insert(kernel.getKind());
    if (isa<memref::CopyOp>(inner))
      moves.insert("copy");
    auto linalgOp = dyn_cast<linalg::LinalgOp>(inner);
    if (linalgOp)
      addLinalg(linalgOp);
    return linalgOp || isa<KernelOp>(inner) ? WalkResult::skip() : WalkResult::advance();
  });
}

std::string RestDescription::getName() const {
  std::string name;
  llvm::raw_string_ostream stream(name);
  ArrayRef<StringRef> words = notable.getArrayRef();
  for (const Words *others : {&plain, &moves})
    if (words.empty())
      words = others->getArrayRef();
  if (words.empty())
    stream << op->getName();
  llvm::interleaveComma(words, stream);
  if (!buffer)
    return name;
  stream << " ";
  for (int64_t extent : buffer.getShape())
    stream << (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) << "x";
  stream << buffer.getElementType();
  return name;
}

int64_t RestDescription::getElements() const {
  return buffer && buffer.hasStaticShape() ? buffer.getNumElements() : INT64_MAX;
}

/// Elements of a buffer that take about a microsecond; two looks at the clock take a tenth of it.
static constexpr int64_t tinyElements = 4096;

/// Whether there is a clock of its own in the op, or may be in what it calls.
static bool hasClock(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return inner->hasAttr("ucmoh.op") || isa<func::CallOp>(inner) ? WalkResult::interrupt()
                                                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the op may take time, unlike views and scalars.
static bool takesTime(Operation *op) {
  return isa<linalg::LinalgOp, memref::CopyOp, KernelOp>(op) || op->getNumRegions() > 0;
}

static Value findFilled(Operation *op) {
  Value target;
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    target = copy.getTarget();
  else if (auto fill = dyn_cast<linalg::FillOp>(op))
    target = fill.getOutputs().front();
  while (target && target.getDefiningOp<ViewLikeOpInterface>())
    target = target.getDefiningOp<ViewLikeOpInterface>().getViewSource();
  return target;
}

/// Adds to a piece what comes right after it if the two belong together.
static bool join(RestPiece &piece, const RestPiece &next) {
  bool sameBuffer = piece.filled && piece.filled == next.filled;
  if (!sameBuffer && std::min(piece.elements, next.elements) > tinyElements)
    return false;
  piece.last = next.last;
  if (!sameBuffer)
    piece.filled = nullptr;
  if (next.elements > piece.elements) {
    piece.name = next.name;
    piece.elements = next.elements;
  }
  return true;
}

static void findIn(Block &block, SmallVector<RestPiece> &pieces) {
  bool neighbours = false;
  for (Operation &op : block) {
    if (hasClock(&op)) {
      neighbours = false;
      if (op.hasAttr(piecesMark))
        findIn(op.getRegion(0).front(), pieces);
      continue;
    }
    if (!takesTime(&op))
      continue;
    RestDescription description(&op);
    RestPiece piece = {&op, &op, description.getName(), description.getElements(), findFilled(&op)};
    if (!neighbours || !join(pieces.back(), piece))
      pieces.push_back(std::move(piece));
    neighbours = true;
  }
}

SmallVector<RestPiece> ucmoh::findRestPieces(func::FuncOp function) {
  SmallVector<RestPiece> pieces;
  for (Block &block : function.getBody())
    findIn(block, pieces);
  return pieces;
}
