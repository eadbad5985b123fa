//===- LayoutAssignment.cpp - How each tensor of a network shall lie
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAssignment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "ucmoh/Analysis/Nest.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ucmoh;

static int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : -1;
}

bool ucmoh::hasAnyLayout(Value tensor) {
  Operation *producer = tensor.getDefiningOp();
  auto constant = dyn_cast_or_null<arith::ConstantOp>(producer);
  return isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(producer) ||
         (constant && isa<SplatElementsAttr>(constant.getValue()));
}

//===----------------------------------------------------------------------===//
// Where it starts
//===----------------------------------------------------------------------===//

static std::optional<unsigned> dimOf(AffineExpr expr) {
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

/// The result's dims with those of the image, which are its last ones, moved behind the batch.
/// Nothing if channels are the innermost dims already, or if the result is of another form.
static std::optional<Permutation> moveImageOut(AffineMap result, ArrayRef<unsigned> image) {
  int64_t rank = result.getNumResults(), firstOfImage = rank - image.size();
  if (firstOfImage < 2)
    return std::nullopt;
  for (int64_t i = 0; i < rank; ++i) {
    std::optional<unsigned> dim = dimOf(result.getResult(i));
    if (!dim || llvm::is_contained(image, *dim) != (i >= firstOfImage))
      return std::nullopt;
  }
  Permutation permutation = {0};
  llvm::append_range(permutation, llvm::seq(firstOfImage, rank));
  llvm::append_range(permutation, llvm::seq<int64_t>(1, firstOfImage));
  return permutation;
}

namespace {
/// The facts that matter here of a convolution or a pooling. Upstream's inferConvolutionDims does
/// not know those with zero points.
struct Windows {
  SmallVector<unsigned> image;   ///< the loops that move the window, from the outermost dim on
  int64_t lastStride = 1;        ///< the innermost dim's stride
  bool mixesChannels = false;    ///< each channel of the result depends on all of the image
  std::optional<unsigned> depth; ///< the loop over channels that do not mix
};
} // namespace

/// Whether a dim of the image is one that a window moves over: `loop * stride + loop of the
/// window`.
static bool addWindow(linalg::LinalgOp op, AffineExpr index, Windows &windows) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  std::optional<unsigned> moves;
  bool hasWindow = false;
  for (unsigned loop = 0; loop < iterators.size(); ++loop) {
    if (!index.isFunctionOfDim(loop))
      continue;
    if (iterators[loop] == utils::IteratorType::reduction)
      hasWindow = true;
    else if (!std::exchange(moves, loop))
      windows.lastStride = coefficient(index, loop);
    else
      return false;
  }
  if (moves && hasWindow)
    windows.image.push_back(*moves);
  return moves && hasWindow;
}

static std::optional<Windows> matchWindows(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumDpsInputs() < 2 || !op.hasPureTensorSemantics())
    return std::nullopt;
  AffineMap weights = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  Windows windows;
  for (AffineExpr index : op.getMatchingIndexingMap(op.getDpsInputOperand(0)).getResults()) {
    std::optional<unsigned> loop = dimOf(index);
    if (!loop && (!isLinear(index) || !addWindow(op, index, windows)))
      return std::nullopt;
    if (!loop || !weights.isFunctionOfDim(*loop))
      continue;
    if (op.getIteratorTypesArray()[*loop] == utils::IteratorType::reduction)
      windows.mixesChannels = true;
    else
      windows.depth = loop;
  }
  return windows.image.empty() ? std::nullopt : std::optional(windows);
}

/// The layout in which the channels of a convolution or a pooling are innermost.
static std::optional<Permutation> channelsInnermost(linalg::LinalgOp op, const Windows &windows) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap image = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  if (result.getNumResults() != image.getNumResults())
    return std::nullopt;
  return moveImageOut(result, windows.image);
}

/// The layout in which the weights of a depthwise convolution lie as the channels do: no packing
/// moves them. Nothing if they do already, or if channels mix.
static std::optional<Permutation> moveDepthIn(linalg::LinalgOp op, const Windows &windows) {
  AffineMap weights = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  if (windows.mixesChannels || !windows.depth || !weights.isProjectedPermutation())
    return std::nullopt;
  auto isDepth = [&](int64_t i) { return *dimOf(weights.getResult(i)) == *windows.depth; };
  Permutation permutation = llvm::to_vector(llvm::seq<int64_t>(0, weights.getNumResults()));
  llvm::stable_sort(permutation, [&](int64_t a, int64_t b) { return isDepth(b) && !isDepth(a); });
  return llvm::is_sorted(permutation) ? std::nullopt : std::optional(permutation);
}

/// Whether a convolution is worth two transposes of its own. With channels outside of the image its
/// kernel reads rows of the image as they are, unless it steps over elements or rows are short:
/// then it has to copy them anyway.
static bool gainsAlone(linalg::LinalgOp op, const Windows &windows) {
  int64_t width = op.getStaticLoopRanges()[windows.image.back()];
  return windows.lastStride > 1 || (!ShapedType::isDynamic(width) && width < shortImageRow);
}

/// torch-mlir transposes the image of a quantized depthwise convolution in front of it, and the
/// result behind it. Both copies vanish if the tensors around them have channels innermost, too.
void LayoutAssignment::seedTransposes(linalg::LinalgOp op) {
  size_t before = permutations.size();
  if (auto image = op.getDpsInputOperand(0)->get().getDefiningOp<linalg::TransposeOp>())
    assign(image.getInput(), llvm::to_vector(image.getPermutation()));
  for (Operation *user : op->getResult(0).getUsers())
    if (auto result = dyn_cast<linalg::TransposeOp>(user))
      assign(result->getResult(0), invertPermutationVector(result.getPermutation()));
  gains += permutations.size() - before;
}

void LayoutAssignment::seed(linalg::LinalgOp op) {
  std::optional<Windows> windows = matchWindows(op);
  if (!windows || !canChangeLayout(op))
    return;
  std::optional<Permutation> permutation = channelsInnermost(op, *windows);
  if (!permutation)
    return seedTransposes(op);
  seeds.insert(op);
  if (windows->mixesChannels)
    gains += gainsAlone(op, *windows) ? 2 : 1;
  if (std::optional<Permutation> ofWeights = moveDepthIn(op, *windows))
    assign(op.getDpsInputOperand(1)->get(), *ofWeights);
  assign(op.getDpsInputOperand(0)->get(), *permutation);
  assign(op.getDpsInits()[0], *permutation);
  assign(op->getResult(0), *permutation);
}

//===----------------------------------------------------------------------===//
// How it spreads
//===----------------------------------------------------------------------===//

void LayoutAssignment::assign(Value tensor, const Permutation &permutation) {
  if (rankOf(tensor) == int64_t(permutation.size()) && !hasAnyLayout(tensor) &&
      permutations.try_emplace(tensor, permutation).second)
    pending.push_back(tensor);
}

/// Whether an operand lies as the reference does: dim by dim the same loop, or none.
static bool isAligned(AffineMap map, AffineMap reference) {
  if (map.getNumResults() != reference.getNumResults())
    return false;
  return llvm::all_of(llvm::zip(map.getResults(), reference.getResults()), [](auto pair) {
    auto [a, b] = pair;
    return a == b || isa<AffineConstantExpr>(a) || isa<AffineConstantExpr>(b);
  });
}

static unsigned countLoops(AffineMap map) {
  return llvm::count_if(map.getResults(), llvm::IsaPred<AffineDimExpr>);
}

/// The layout of an operand; that of an init is its result's.
static const Permutation *lookupOperand(const LayoutAssignment &layouts, linalg::LinalgOp op,
                                        OpOperand &operand) {
  if (op.isDpsInit(&operand))
    if (const Permutation *known = layouts.lookup(op.getTiedOpResult(&operand)))
      return known;
  return layouts.lookup(operand.get());
}

/// Whether a value of the body is the same wherever other loops stand than this one.
static bool dependsOnlyOn(Value value, linalg::GenericOp op, unsigned loop) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBody()) {
    AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(argument.getArgNumber()));
    return llvm::all_of(llvm::seq(map.getNumDims()),
                        [&](unsigned each) { return each == loop || !map.isFunctionOfDim(each); });
  }
  if (value.getParentBlock() != op.getBody())
    return true;
  Operation *inner = value.getDefiningOp();
  if (auto position = dyn_cast<linalg::IndexOp>(inner))
    return position.getDim() == loop;
  return inner->getNumRegions() == 0 && llvm::all_of(inner->getOperands(), [&](Value operand) {
           return dependsOnlyOn(operand, op, loop);
         });
}

/// Whether an element is looked up in a tensor that has the dims of the result: each place depends
/// on the loop over the same dim of the result alone.
static bool keepsDims(tensor::ExtractOp lookup, linalg::GenericOp op) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!result.isPermutation() || lookup.getIndices().size() != result.getNumResults())
    return false;
  return llvm::all_of(llvm::zip(lookup.getIndices(), result.getResults()), [&](auto pair) {
    auto [place, dim] = pair;
    return dependsOnlyOn(place, op, cast<AffineDimExpr>(dim).getPosition());
  });
}

/// What a result with a layout is looked up in, such as the image that is resized, lies likewise.
void LayoutAssignment::spreadToLookups(linalg::GenericOp op) {
  const Permutation *known = op->getNumResults() == 1 ? lookup(op->getResult(0)) : nullptr;
  if (!known)
    return;
  Permutation permutation = *known;
  for (auto lookup : op.getBody()->getOps<tensor::ExtractOp>())
    if (keepsDims(lookup, op))
      assign(lookup.getTensor(), permutation);
}

/// Tensors that are read and written as one whose layout is known take the same one. Of several,
/// the one that is read by most loops says most.
void LayoutAssignment::spreadThroughLinalg(linalg::LinalgOp op) {
  auto loops = [&](OpOperand *operand) {
    return operand ? int(countLoops(op.getMatchingIndexingMap(operand))) : -1;
  };
  OpOperand *reference = nullptr;
  for (OpOperand &operand : op->getOpOperands())
    if (lookupOperand(*this, op, operand) && loops(&operand) > loops(reference))
      reference = &operand;
  AffineMap map = op.getMatchingIndexingMap(reference);
  Permutation permutation = *lookupOperand(*this, op, *reference);
  for (OpOperand &operand : op->getOpOperands())
    if (isAligned(op.getMatchingIndexingMap(&operand), map)) {
      assign(operand.get(), permutation);
      if (op.isDpsInit(&operand))
        assign(op.getTiedOpResult(&operand), permutation);
    }
}

/// Paddings, slices, concatenations and casts: all of their tensors have the same dims.
void LayoutAssignment::spreadThroughSameRank(Operation *op) {
  SmallVector<Value> tensors(op->getResults());
  llvm::append_range(
      tensors, llvm::make_filter_range(op->getOperands(), [](Value v) { return rankOf(v) >= 0; }));
  auto known = llvm::find_if(tensors, [&](Value v) { return lookup(v); });
  if (known == tensors.end() ||
      !llvm::all_equal(llvm::map_range(tensors, [](Value v) { return rankOf(v); })))
    return; // a slice that drops dims
  Permutation permutation = *lookup(*known);
  for (Value tensor : tensors)
    assign(tensor, permutation);
}

std::optional<Permutation> ucmoh::permuteReshape(ArrayRef<int64_t> permutation,
                                                 ArrayRef<ReassociationIndices> groups,
                                                 bool merges) {
  Permutation result;
  if (!merges) {
    for (int64_t group : permutation)
      llvm::append_range(result, groups[group]);
    return result;
  }
  for (size_t i = 0; i < permutation.size();) {
    auto group = llvm::find_if(groups, [&](auto &dims) { return dims.front() == permutation[i]; });
    if (group == groups.end() || permutation.size() - i < group->size() ||
        ArrayRef<int64_t>(*group) != permutation.slice(i, group->size()))
      return std::nullopt;
    result.push_back(group - groups.begin());
    i += group->size();
  }
  return result;
}

/// A dim of channels that is split into groups, or groups that are merged.
void LayoutAssignment::spreadThroughReshape(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  bool merges = isa<tensor::CollapseShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      merges ? cast<tensor::CollapseShapeOp>(op).getReassociationIndices()
             : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  if (const Permutation *known = lookup(from))
    if (std::optional<Permutation> implied = permuteReshape(*known, groups, merges))
      assign(to, *implied);
  if (const Permutation *known = lookup(to))
    if (std::optional<Permutation> implied = permuteReshape(*known, groups, !merges))
      assign(from, *implied);
}

static bool isReshape(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

static bool keepsDims(Operation *op) {
  return isa<tensor::PadOp, tensor::ConcatOp, tensor::CastOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp>(op);
}

bool ucmoh::canChangeLayout(Operation *op) {
  if (op->hasAttr("ucmoh.choice")) // made for the layout that stands there
    return false;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureTensorSemantics() && !isa<linalg::FillOp>(op);
  return isReshape(op) || keepsDims(op);
}

void LayoutAssignment::spread(Operation *op) {
  if (!canChangeLayout(op))
    return;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (!seeds.contains(op)) // whose tensors know it from the beginning
      spreadThroughLinalg(linalgOp);
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      spreadToLookups(generic);
  } else if (isReshape(op)) {
    spreadThroughReshape(op);
  } else {
    spreadThroughSameRank(op);
  }
}

//===----------------------------------------------------------------------===//
// Where it ends
//===----------------------------------------------------------------------===//

static bool isElementwise(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() == 0;
}

/// Whether elementwise ops alone read the tensor, each of which writes in the new layout anyway.
bool LayoutAssignment::isReadByAbsorbers(Value tensor) const {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    Operation *absorber = isa<tensor::ExtractOp>(user) ? user->getParentOp() : user;
    return isElementwise(absorber) && lookup(absorber->getResult(0));
  });
}

/// An elementwise op at the border transposes while it computes. So what only such ops read of the
/// function's arguments and other tensors that cannot change stays as it is.
void LayoutAssignment::trim(func::FuncOp function) {
  permutations.remove_if([&](auto &entry) {
    Value tensor = entry.first;
    Operation *producer = tensor.getDefiningOp();
    return (!producer || !canChangeLayout(producer)) && isReadByAbsorbers(tensor);
  });
}

LayoutAssignment::LayoutAssignment(func::FuncOp function) {
  auto isOutermost = [&](Operation *op) { return op->getParentOp() == function; };
  for (auto op : function.getOps<linalg::LinalgOp>())
    seed(op);
  if (gains < 2) {
    permutations.clear();
    return;
  }
  while (!pending.empty()) {
    Value tensor = pending.pop_back_val();
    if (Operation *producer = tensor.getDefiningOp(); producer && isOutermost(producer))
      spread(producer);
    for (Operation *user : tensor.getUsers())
      if (isOutermost(user))
        spread(user);
  }
  trim(function);
}

const Permutation *LayoutAssignment::lookup(Value tensor) const {
  auto found = permutations.find(tensor);
  return found == permutations.end() ? nullptr : &found->second;
}

bool LayoutAssignment::touches(Operation *op) const {
  auto changes = [&](Value value) { return lookup(value) != nullptr; };
  return llvm::any_of(op->getOperands(), changes) || llvm::any_of(op->getResults(), changes);
}
