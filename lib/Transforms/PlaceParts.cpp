//===- PlaceParts.cpp - Kernels write into borders and concatenations
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is padded, concatenated or inserted into an empty tensor is a part of a larger one. The
/// larger tensor becomes a buffer that is there before the contraction that computes the part,
/// which then writes to its place (Slices.h). A concatenation that is padded is one buffer.
///
//===----------------------------------------------------------------------===//

#include "Borders.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/Workload.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_PLACEPARTS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;
using linalg::LinalgOp;

namespace {
/// A tensor that is a part of a larger one.
struct Part {
  Value source;
  SmallVector<int64_t> offsets, strides;

  ArrayRef<int64_t> sizes() const { return cast<RankedTensorType>(source.getType()).getShape(); }
  /// The same place, as seen from a tensor that has `outer`'s place in a larger one.
  Part within(const Part &outer) const;
  bool overlaps(const Part &other) const;
};
} // namespace

Part Part::within(const Part &outer) const {
  Part moved = *this;
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    moved.offsets[dim] = outer.offsets[dim] + outer.strides[dim] * offsets[dim];
    moved.strides[dim] *= outer.strides[dim];
  }
  return moved;
}

bool Part::overlaps(const Part &other) const {
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    int64_t distance = other.offsets[dim] - offsets[dim];
    bool isBeside = distance > (sizes()[dim] - 1) * strides[dim] ||
                    -distance > (other.sizes()[dim] - 1) * other.strides[dim];
    bool isBetween = strides[dim] == other.strides[dim] && distance % strides[dim] != 0;
    if (isBeside || isBetween)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// What a tensor consists of
//===----------------------------------------------------------------------===//

static Part wholeOf(Value tensor) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  return {tensor, SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(rank, 1)};
}

static SmallVector<Part> partsOf(tensor::ConcatOp concat) {
  SmallVector<Part> parts;
  int64_t offset = 0;
  for (Value input : concat.getInputs()) {
    parts.push_back(wholeOf(input));
    parts.back().offsets[concat.getDim()] = offset;
    offset += parts.back().sizes()[concat.getDim()];
  }
  return parts;
}

/// Returns what was inserted into an empty tensor, one after the other. Returns nothing if a later
/// part hides a part of an earlier one.
static SmallVector<Part> partsOf(tensor::InsertSliceOp last) {
  SmallVector<Part> parts;
  Value tensor = last.getResult();
  while (auto insert = tensor.getDefiningOp<tensor::InsertSliceOp>()) {
    bool isStatic = insert.getSourceType().hasStaticShape() &&
                    insert.getSourceType().getRank() == insert.getType().getRank() &&
                    !llvm::is_contained(insert.getStaticOffsets(), ShapedType::kDynamic) &&
                    !llvm::is_contained(insert.getStaticStrides(), ShapedType::kDynamic);
    if (!isStatic || (insert != last && !insert->hasOneUse()))
      return {};
    Part part{insert.getSource(), SmallVector<int64_t>(insert.getStaticOffsets()),
              SmallVector<int64_t>(insert.getStaticStrides())};
    if (llvm::any_of(parts, [&](const Part &other) { return part.overlaps(other); }))
      return {};
    parts.push_back(part);
    tensor = insert.getDest();
  }
  return tensor.getDefiningOp<tensor::EmptyOp>() ? parts : SmallVector<Part>();
}

/// Adds what the part consists of, if nothing else needs it as a whole; else the part itself.
static void addParts(const Part &part, SmallVectorImpl<Part> &parts) {
  SmallVector<Part> inner;
  if (auto concat = part.source.getDefiningOp<tensor::ConcatOp>(); concat && concat->hasOneUse())
    inner = partsOf(concat);
  else if (auto insert = part.source.getDefiningOp<tensor::InsertSliceOp>();
           insert && insert->hasOneUse())
    inner = partsOf(insert);
  if (inner.empty())
    parts.push_back(part);
  for (const Part &each : inner)
    addParts(each.within(part), parts);
}

//===----------------------------------------------------------------------===//
// What may be written in place
//===----------------------------------------------------------------------===//

static bool isContraction(Operation *op) {
  auto linalgOp = dyn_cast_or_null<LinalgOp>(op);
  return linalgOp && isContractionLike(op) && analyzeWorkload(linalgOp);
}

/// Whether a contraction, or what joins it, computes the value for this use alone.
static bool isOfKernel(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || isContraction(op))
    return op && value.hasOneUse();
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && llvm::any_of(generic.getDpsInputs(), [&](Value input) {
           auto contraction = input.getDefiningOp<LinalgOp>();
           return isContraction(contraction) && findElementwiseConsumer(contraction) == generic;
         });
}

/// Whether an elementwise op, or one that looks elements up, computes the value for this use alone.
static bool isOfLoops(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && value.hasOneUse() && op->getNumResults() == 1 && op.getNumReductionLoops() == 0;
}

/// Whether contractions alone read a padded image, perhaps shifted. Windows leave a border out.
static bool isReadByContractions(Value padded) {
  return llvm::all_of(padded.getUsers(), [&](Operation *user) {
    auto op = dyn_cast<LinalgOp>(user);
    return op && (matchShift(op) ? isReadByContractions(user->getResult(0)) : isContraction(op));
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// The tensor without dims of extent 1, which bufferization would not see through.
static Value dropUnitDims(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  llvm::erase(shape, 1);
  auto groups = getReassociationIndicesForReshape(type, type.clone(shape));
  if (shape.size() == size_t(type.getRank()) || !groups)
    return tensor;
  return tensor::CollapseShapeOp::create(builder, loc, type.clone(shape), tensor, *groups);
}

static Value insertPart(OpBuilder &builder, const Part &part, Value into) {
  auto attributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  Location loc = part.source.getLoc();
  return tensor::InsertSliceOp::create(builder, loc, dropUnitDims(builder, loc, part.source), into,
                                       attributes(part.offsets), attributes(part.sizes()),
                                       attributes(part.strides));
}

/// Puts `parts`, some of which `writesInPlace`, into a buffer that `create` makes, if it can. Each
/// of these is inserted as soon as it is computed, and others where the whole is needed.
static void place(RewriterBase &rewriter, Operation *whole, ArrayRef<Part> parts,
                  llvm::function_ref<bool(Value)> writesInPlace,
                  llvm::function_ref<Value()> create) {
  SmallVector<Part> computed, others;
  for (const Part &part : parts) {
    Operation *source = part.source.getDefiningOp();
    bool isNear = source && source->getBlock() == whole->getBlock() && writesInPlace(part.source);
    (isNear ? computed : others).push_back(part);
  }
  if (computed.empty())
    return;
  llvm::sort(computed, [](const Part &a, const Part &b) {
    return a.source.getDefiningOp()->isBeforeInBlock(b.source.getDefiningOp());
  });
  rewriter.setInsertionPoint(computed.front().source.getDefiningOp());
  Value buffer = create();
  if (!buffer)
    return;
  for (const Part &part : computed) {
    rewriter.setInsertionPointAfterValue(part.source);
    buffer = insertPart(rewriter, part, buffer);
  }
  rewriter.setInsertionPoint(whole);
  for (const Part &part : others)
    buffer = insertPart(rewriter, part, buffer);
  rewriter.replaceOp(whole, buffer);
}

static void placePad(RewriterBase &rewriter, tensor::PadOp pad) {
  if (!hasStaticBorder(pad) || !isReadByContractions(pad.getResult()))
    return;
  Part source = wholeOf(pad.getSource());
  source.offsets.assign(pad.getStaticLow());
  SmallVector<Part> parts;
  addParts(source, parts);
  auto writesInPlace = [](Value part) { return isOfKernel(part) || isOfLoops(part); };
  place(rewriter, pad, parts, writesInPlace, [&]() -> Value {
    // The zero of an image that is quantized when the program runs may be converted behind it.
    Value zero = pad.getConstantPaddingValue();
    bool isKnown = matchPattern(zero, m_Constant()) ||
                   succeeded(moveValueDefinitions(rewriter, zero, &*rewriter.getInsertionPoint()));
    return isKnown ? createBorder(rewriter, pad) : Value();
  });
}

//===----------------------------------------------------------------------===//
// Concatenations that grow
//===----------------------------------------------------------------------===//

/// Concatenations of the first inputs of this one.
static SmallVector<tensor::ConcatOp> findPrefixes(tensor::ConcatOp whole) {
  llvm::SmallSetVector<Operation *, 8> found;
  OperandRange inputs = whole.getInputs();
  for (Operation *user : inputs.front().getUsers()) {
    auto other = dyn_cast<tensor::ConcatOp>(user);
    if (other && other != whole && other.getDim() == whole.getDim() && !other->use_empty() &&
        other->getBlock() == whole->getBlock() && other.getInputs().size() < inputs.size() &&
        llvm::equal(other.getInputs(), inputs.take_front(other.getInputs().size())))
      found.insert(other);
  }
  return llvm::map_to_vector(found, [](Operation *op) { return cast<tensor::ConcatOp>(op); });
}

/// Whether inputs are computed one after the other, and what reads the first ones does so before
/// the next one is computed: then it reads a buffer that has no more in it yet.
static bool growsInOrder(tensor::ConcatOp whole, ArrayRef<tensor::ConcatOp> prefixes) {
  SmallVector<Operation *> sources;
  for (Value input : whole.getInputs()) {
    Operation *source = input.getDefiningOp();
    bool isNext = source && source->getBlock() == whole->getBlock() &&
                  (sources.empty() || sources.back()->isBeforeInBlock(source));
    if (!isNext)
      return false;
    sources.push_back(source);
  }
  return llvm::all_of(prefixes, [&](tensor::ConcatOp prefix) {
    Operation *next = sources[prefix.getInputs().size()];
    return llvm::all_of(prefix->getUsers(), [&](Operation *user) {
      return user == next || (user->getBlock() == next->getBlock() && user->isBeforeInBlock(next));
    });
  });
}

/// Writes what several concatenations begin with once, into the buffer of the largest.
static bool shareBuffer(RewriterBase &rewriter, tensor::ConcatOp whole) {
  SmallVector<tensor::ConcatOp> prefixes = findPrefixes(whole);
  if (prefixes.empty() || !growsInOrder(whole, prefixes))
    return false;
  auto type = cast<RankedTensorType>(whole.getType());
  rewriter.setInsertionPoint(whole.getInputs().front().getDefiningOp());
  Value buffer = bufferization::AllocTensorOp::create(rewriter, whole.getLoc(), type, ValueRange());
  SmallVector<Value> grown; // with so many parts and one more
  for (const Part &part : partsOf(whole)) {
    rewriter.setInsertionPointAfterValue(part.source);
    grown.push_back(buffer = insertPart(rewriter, part, buffer));
  }
  for (tensor::ConcatOp prefix : prefixes) {
    rewriter.setInsertionPoint(prefix);
    auto part = cast<RankedTensorType>(prefix.getType());
    auto attributes = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(rewriter.getContext(), values);
    };
    SmallVector<int64_t> zeros(part.getRank(), 0), ones(part.getRank(), 1);
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, prefix.getLoc(), part, grown[prefix.getInputs().size() - 1], attributes(zeros),
        attributes(part.getShape()), attributes(ones));
    rewriter.replaceAllUsesWith(prefix.getResult(), slice); // erased when its turn comes
  }
  rewriter.replaceOp(whole, buffer);
  return true;
}

/// A concatenation, or the last of several insertions into an empty tensor.
template <typename Whole> static void placeAll(RewriterBase &rewriter, Whole whole) {
  auto isStatic = [](Value operand) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    return tensor && tensor.hasStaticShape();
  };
  if (!llvm::all_of(whole->getOperands(), isStatic) || !isStatic(whole.getResult()))
    return;
  SmallVector<Part> parts;
  for (const Part &part : partsOf(whole))
    addParts(part, parts);
  place(rewriter, whole, parts, isOfKernel, [&]() -> Value {
    return bufferization::AllocTensorOp::create(
        rewriter, whole.getLoc(), cast<RankedTensorType>(whole.getType()), ValueRange());
  });
}

static void placeConcat(RewriterBase &rewriter, tensor::ConcatOp concat) {
  bool isStatic = llvm::all_of(concat.getInputs(), [](Value input) {
    return cast<RankedTensorType>(input.getType()).hasStaticShape();
  });
  if (!isStatic || !shareBuffer(rewriter, concat))
    placeAll(rewriter, concat);
}

/// Whether what was inserted is complete: nothing more is inserted into it.
static bool isLast(tensor::InsertSliceOp insert) {
  return llvm::none_of(insert->getUsers(), [&](Operation *user) {
    auto next = dyn_cast<tensor::InsertSliceOp>(user);
    return next && next.getDest() == insert.getResult();
  });
}

namespace {
struct PlacePartsPass : ucmoh::impl::PlacePartsBase<PlacePartsPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    if (!getOperation().getBody().hasOneBlock())
      return;
    // The last one first, so that a concatenation is still there when it is padded.
    for (Operation *op = &getOperation().front().back(); op;) {
      Operation *whole = std::exchange(op, op->getPrevNode());
      if (isOpTriviallyDead(whole)) // its parts have been placed
        rewriter.eraseOp(whole);
      else if (auto pad = dyn_cast<tensor::PadOp>(whole))
        placePad(rewriter, pad);
      else if (auto concat = dyn_cast<tensor::ConcatOp>(whole))
        placeConcat(rewriter, concat);
      else if (auto insert = dyn_cast<tensor::InsertSliceOp>(whole); insert && isLast(insert))
        placeAll(rewriter, insert);
    }
  }
};
} // namespace
