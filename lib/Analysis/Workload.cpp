//===- Workload.cpp - One contraction, stripped of its IR -----------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Workload.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ucmoh/Analysis/ContractionBody.h"
#include "ucmoh/Analysis/KnownValues.h"
#include "ucmoh/Analysis/OpenRows.h"
#include "ucmoh/Analysis/Slices.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ucmoh;

static bool isWeightArgument(BlockArgument argument) {
  auto function = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && function.getArgAttr(argument.getArgNumber(), "ucmoh.weight");
}

/// Adds what an op is computed from, such as tables in which its body looks up.
static void addSources(Operation *op, SmallVectorImpl<Value> &sources) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::append_range(sources, op->getOperands());
  llvm::append_range(sources, captured);
}

/// Whether the value is the number of an iteration of which there are always as many: what all of
/// them make of weights can be made ahead.
static bool numbersIterations(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && argument == loop.getInductionVar() && getConstantIntValue(loop.getLowerBound()) &&
         getConstantIntValue(loop.getUpperBound()) && getConstantIntValue(loop.getStep());
}

/// One input of the network among the sources answers the question, so that no slice is built.
bool ucmoh::dependsOnWeightsAlone(Value value) {
  constexpr unsigned mostOps = 1024; // each contraction of a graph of 10,000 may ask
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isWeightArgument(argument);
  SmallPtrSet<Operation *, 32> visited;
  SmallVector<Value> sources{value};
  while (!sources.empty()) {
    Value source = sources.pop_back_val();
    if (numbersIterations(source))
      continue;
    auto argument = dyn_cast<BlockArgument>(source);
    Operation *op = argument ? argument.getOwner()->getParentOp() : source.getDefiningOp();
    if (isa<FunctionOpInterface>(op)) {
      if (!isWeightArgument(argument))
        return false;
    } else if (visited.insert(op).second) {
      if (visited.size() > mostOps || !isPure(op))
        return false;
      addSources(op, sources);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operand and Workload
//===----------------------------------------------------------------------===//

AffineExpr Operand::linearIndex() const {
  AffineExpr index = getAffineConstantExpr(0, map.getContext());
  for (auto [expr, stride] : llvm::zip(map.getResults(), strides))
    index = index + expr * stride;
  if (!strides.empty())
    return index;
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), shape))
    index = index * size + expr;
  return index;
}

int64_t Operand::elements() const { return ShapedType::getNumElements(shape); }

SmallVector<unsigned> Workload::dimsOf(DimRole role) const {
  SmallVector<unsigned> result;
  for (auto [index, dim] : llvm::enumerate(dims))
    if (dim.role == role)
      result.push_back(index);
  return result;
}

int64_t Workload::extent(DimRole role) const {
  int64_t product = 1;
  for (unsigned dim : dimsOf(role))
    product *= dims[dim].extent;
  return product;
}

int64_t Workload::flops() const {
  int64_t product = 2;
  for (const Dim &dim : dims)
    product *= dim.extent;
  return product;
}

/// "1x56x56": the extents of one role.
static std::string extentsOf(const Workload &workload, DimRole role) {
  return llvm::join(
      llvm::map_range(workload.dimsOf(role),
                      [&](unsigned dim) { return std::to_string(workload.dims[dim].extent); }),
      "x");
}

/// Distinguishes workloads of the same extents whose operands lie differently in memory, or whose
/// elements are bounded otherwise.
static std::string layoutHash(const Workload &workload) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const Operand *operand : {&workload.lhs, &workload.rhs, &workload.acc})
    stream << operand->linearIndex() << ';';
  stream << workload.lhs.isConstant << workload.rhs.isConstant << workload.lhs.hasZeroPoint()
         << workload.rhs.hasZeroPoint();
  for (auto [side, operand] : {std::pair('l', &workload.lhs), std::pair('r', &workload.rhs)})
    if (operand->range)
      stream << side << operand->range->low << ':' << operand->range->high;
  return llvm::utohexstr(llvm::xxh3_64bits(text) & 0xffffff, /*LowerCase=*/true);
}

std::string Workload::name() const {
  std::string batch = extentsOf(*this, DimRole::Batch);
  std::string columns = isDepthwise ? "" : extentsOf(*this, DimRole::N) + "x";
  return llvm::formatv("{0}_{1}{2}{3}_{4}{5}x{6}{7}_{8}",
                       isDepthwise     ? "depthwise"
                       : isConvolution ? "conv"
                                       : "matmul",
                       lhs.type.name(), rhs.type.name(), acc.type.name(),
                       batch.empty() ? "" : "b" + batch + "_", extentsOf(*this, DimRole::M),
                       columns, extentsOf(*this, DimRole::K), layoutHash(*this))
      .str();
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

bool ucmoh::isContractionLike(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() == 0 || linalgOp.getNumDpsInits() != 1 ||
      op->hasAttr(plainMark))
    return false;
  return (linalgOp.getNumDpsInputs() >= 2 && matchContractionBody(linalgOp)) ||
         reducesTwoOperands(linalgOp);
}

static WorkloadOrReason no(const Twine &reason) { return {std::nullopt, reason.str()}; }

/// Whether each result is a sum of dims times constants, so that `coefficient` describes it.
static bool isLinear(AffineMap map) {
  SmallVector<int64_t> flat;
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    // A flattened expression with local variables has a division or a modulus in it.
    return expr.isPureAffine() &&
           succeeded(getFlattenedAffineExpr(expr, map.getNumDims(), 0, &flat)) &&
           flat.size() == map.getNumDims() + 1;
  });
}

/// The role that follows from the operands that a dim indexes, if it is one of the four.
static std::optional<DimRole> roleOf(unsigned dim, AffineMap lhs, AffineMap rhs, AffineMap acc) {
  bool inLhs = lhs.isFunctionOfDim(dim), inRhs = rhs.isFunctionOfDim(dim);
  bool inAcc = acc.isFunctionOfDim(dim);
  if (inAcc)
    return inLhs && inRhs ? DimRole::Batch
           : inLhs        ? std::optional(DimRole::M)
           : inRhs        ? std::optional(DimRole::N)
                          : std::nullopt;
  return inLhs && inRhs ? std::optional(DimRole::K) : std::nullopt;
}

/// The first result of `map` that uses `dim`: orders the dims of a role as they lie in memory. A
/// dim that none uses is outermost.
static unsigned positionIn(AffineMap map, unsigned dim) {
  for (auto [position, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(dim))
      return position;
  return 0;
}

/// An operand of `op`.
static Operand makeOperand(Operation *op, const ContractionBody::Input &original) {
  ContractionBody::Input input = original;
  Operand operand;
  lookThroughSlice(input);
  if (auto strides = findStridesOfSlice(input.value))
    operand.strides = *strides;
  operand.value = input.value;
  operand.map = input.map;
  operand.shape = llvm::to_vector(cast<ShapedType>(input.value.getType()).getShape());
  operand.type = input.type;
  operand.isWeight = dependsOnWeightsAlone(input.value);
  operand.isConstant = operand.isWeight || isSameInEachStep(op, input.value);
  operand.zeroPoint = input.zeroPoint;
  operand.zeroOffset = input.zeroOffset;
  if (input.type.isInteger())
    if (ElementRange range = boundElements(input.value, input.type); range != fullRange(input.type))
      operand.range = range;
  return operand;
}

/// The dim that the innermost result index of extent > 1 runs over, if any.
static std::optional<unsigned> innermostDim(AffineMap acc, ArrayRef<int64_t> extents) {
  for (AffineExpr expr : llvm::reverse(acc.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && extents[dim.getPosition()] > 1)
      return dim.getPosition();
  return std::nullopt;
}

/// Reorders the dims to batch, m, n, k and rewrites the maps accordingly.
static void orderDims(Workload &workload, ArrayRef<int64_t> extents, ArrayRef<DimRole> roles) {
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, extents.size()));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    if (roles[a] != roles[b])
      return roles[a] < roles[b];
    AffineMap map = roles[a] == DimRole::K ? workload.lhs.map : workload.acc.map;
    return positionIn(map, a) < positionIn(map, b);
  });
  SmallVector<AffineExpr> newDims(extents.size());
  for (auto [position, dim] : llvm::enumerate(order)) {
    workload.dims.push_back({extents[dim], roles[dim]});
    newDims[dim] = getAffineDimExpr(position, workload.acc.map.getContext());
  }
  for (Operand *operand : {&workload.lhs, &workload.rhs, &workload.acc})
    operand->map = operand->map.replaceDimsAndSymbols(newDims, {}, extents.size(), 0);
}

/// An element type that `ElementType` cannot stand for; null if there is none.
static Type findUnknownElement(linalg::LinalgOp op) {
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<ShapedType>(operand.getType());
        type && !isKnownElement(type.getElementType()))
      return type.getElementType();
  return {};
}

/// Whether elements lie otherwise than row by row.
static bool isEncoded(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getEncoding();
}

/// Checks what all further arithmetic on extents relies on: none is unknown or zero, and products
/// fit.
static StringRef whyExtentsOutOfScope(linalg::LinalgOp op) {
  if (op.hasDynamicShape())
    return "a dimension is dynamic";
  int64_t bytes = 1 << 10; // leaves room for element sizes and flops
  for (int64_t extent : op.getStaticLoopRanges()) {
    if (extent == 0)
      return "a dimension is empty";
    if (llvm::MulOverflow(bytes, extent, bytes))
      return "its size does not fit 64 bits";
  }
  return "";
}

bool ucmoh::isZeroTensor(Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return isZero(fill.value());
  return isZero(tensor);
}

static bool ignoresRows(const Workload &workload, AffineMap map) {
  return llvm::none_of(workload.dimsOf(DimRole::M), [&](unsigned dim) {
    return workload.dims[dim].extent > 1 && map.isFunctionOfDim(dim);
  });
}

static bool consumerIgnoresRows(linalg::LinalgOp op, const Workload &workload) {
  Value result = op->getResult(0);
  auto consumer =
      result.hasOneUse() ? dyn_cast<linalg::GenericOp>(*result.user_begin()) : linalg::GenericOp();
  if (!consumer)
    return true; // none that a kernel could compute
  return llvm::all_of(consumer.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = consumer.getMatchingIndexingMap(input);
    return input->get() == result || map.getNumDims() != workload.acc.map.getNumResults() ||
           ignoresRows(workload, map.compose(workload.acc.map));
  });
}

static bool initIgnoresRows(linalg::LinalgOp op, const Workload &workload) {
  Value init = op.getDpsInitOperand(0)->get();
  ContractionBody::Input moved{init, workload.acc.map, workload.acc.type, Value()};
  if (!isZeroTensor(init))
    lookThroughMoves(moved);
  return isZeroTensor(init) || ignoresRows(workload, moved.map);
}

/// A kernel of windows reads its operands as they are; what they were made from tells their types.
static void lookAtTypes(ContractionBody::Input &input) {
  ContractionBody::Input original = input;
  lookThroughProducers(original);
  original.value = input.value;
  original.map = input.map;
  input = original;
}

/// Whether the first contraction that an elementwise op reads is another one, whose kernel does its
/// work: kernels are made in the order of their ops.
static bool joinsAnother(linalg::GenericOp consumer, linalg::LinalgOp op) {
  return llvm::any_of(consumer.getDpsInputs(), [&](Value input) {
    auto other = input.getDefiningOp<linalg::LinalgOp>();
    return other && other != op && isContractionLike(other) &&
           findElementwiseConsumer(other) == consumer && other->isBeforeInBlock(op);
  });
}

/// How far the elements are apart that the kernel writes, if they go into a larger tensor.
static SmallVector<int64_t> findStridesOfResult(linalg::LinalgOp op) {
  Value result = op->getResult(0);
  if (linalg::GenericOp consumer = findElementwiseConsumer(op);
      consumer && consumer.getNumResults() == 1 && !joinsAnother(consumer, op))
    result = consumer.getResult(0);
  std::optional<Place> place = findPlace(result);
  return place ? place->strides : SmallVector<int64_t>();
}

/// Why ops on such operands are none of ours; empty if they may be.
static std::string whyOperandsOutOfScope(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return "operands are buffers; run the pass before bufferization";
  if (llvm::any_of(op->getOperands(), isEncoded))
    return "an operand is sparse, or has another encoding";
  if (StringRef reason = whyExtentsOutOfScope(op); !reason.empty())
    return reason.str();
  if (Type unknown = findUnknownElement(op)) {
    std::string name;
    llvm::raw_string_ostream(name) << unknown;
    return "elements of " + name + " are not supported";
  }
  return "";
}

/// The result as an operand.
static Operand makeResult(linalg::LinalgOp op) {
  OpOperand *init = op.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init->get().getType());
  return {op->getResult(0),
          llvm::to_vector(type.getShape()),
          findStridesOfResult(op),
          op.getMatchingIndexingMap(init),
          ElementType::get(type.getElementType()),
          /*isConstant=*/false,
          /*isWeight=*/false,
          /*zeroPoint=*/Value(),
          /*zeroOffset=*/0,
          /*range=*/std::nullopt};
}

/// The role of each dim; none if one has no role.
static std::optional<SmallVector<DimRole>> findRoles(const Workload &workload,
                                                     ArrayRef<int64_t> extents) {
  SmallVector<DimRole> roles;
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    std::optional<DimRole> role = roleOf(dim, workload.lhs.map, workload.rhs.map, workload.acc.map);
    // A loop of one step moves no operand: it may index one alone.
    if (!role && extents[dim] == 1)
      role = workload.acc.map.isFunctionOfDim(dim) ? DimRole::M : DimRole::K;
    if (!role)
      return std::nullopt;
    roles.push_back(*role);
  }
  return roles;
}

/// The transposed product has the same elements: what is lhs becomes rhs.
static void swapOperands(Workload &workload, MutableArrayRef<DimRole> roles) {
  std::swap(workload.lhs, workload.rhs);
  for (DimRole &role : roles)
    role = role == DimRole::M ? DimRole::N : role == DimRole::N ? DimRole::M : role;
}

/// Whether a convolution of integers has one channel as its result. Were the channel a row, all of
/// its windows would be packed on each call, which overlap. Windows of floats are summed as they
/// lie (see isSumOfRows).
static bool hasOneChannel(const Workload &workload, ArrayRef<int64_t> extents,
                          ArrayRef<DimRole> roles) {
  if (workload.lhs.isConstant || !workload.rhs.isConstant || !workload.lhs.type.isInteger() ||
      workload.lhs.map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  bool hasColumns = false;
  for (auto [extent, role] : llvm::zip_equal(extents, roles)) {
    hasColumns |= role == DimRole::N;
    if (role == DimRole::N && extent > 1)
      return false;
  }
  return hasColumns;
}

/// Sets the workload's operands, or says why the op has none of ours.
static std::string readOperands(linalg::LinalgOp op, bool isDepthwise, Workload &workload) {
  if (std::string reason = whyOperandsOutOfScope(op); !reason.empty())
    return reason;
  std::optional<ContractionBody> body = matchContractionBody(op);
  if (!body)
    return "the body is not acc + f(lhs) * g(rhs)";
  for (ContractionBody::Input *input : {&body->lhs, &body->rhs})
    isDepthwise ? lookAtTypes(*input) : lookThroughProducers(*input);
  workload.isDepthwise = isDepthwise;
  workload.lhs = makeOperand(op, body->lhs);
  workload.rhs = makeOperand(op, body->rhs);
  workload.acc = makeResult(op);
  if (!isLinear(workload.lhs.map) || !isLinear(workload.rhs.map))
    return "an operand is not indexed by sums of loop variables";
  if (!workload.acc.map.isProjectedPermutation())
    return "the result is not indexed by plain loop variables";
  return "";
}

static WorkloadOrReason analyze(linalg::LinalgOp op, bool isDepthwise) {
  Workload workload;
  if (std::string reason = readOperands(op, isDepthwise, workload); !reason.empty())
    return no(reason);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  std::optional<unsigned> innermost = innermostDim(workload.acc.map, extents);
  if (!innermost)
    return no("the result is a single value");
  std::optional<SmallVector<DimRole>> roles = findRoles(workload, extents);
  if (!roles)
    return no("a loop indexes one operand only");
  bool indexesAll = (*roles)[*innermost] == DimRole::Batch;
  if (!isDepthwise && indexesAll)
    return no("the innermost dimension of the result indexes all operands (depthwise)");
  if (isDepthwise && !indexesAll)
    return no("the innermost dimension of the result does not index all operands");
  if ((*roles)[*innermost] == DimRole::M && !hasOneChannel(workload, extents, *roles))
    swapOperands(workload, *roles);
  orderDims(workload, extents, *roles);
  workload.isConvolution = !workload.lhs.map.isProjectedPermutation(true) ||
                           !workload.rhs.map.isProjectedPermutation(true);
  workload.surroundingsIgnoreRows =
      initIgnoresRows(op, workload) && consumerIgnoresRows(op, workload);
  if (auto least = op->getAttrOfType<IntegerAttr>(leastRowsMark))
    workload.leastRows = least.getInt();
  return {workload, ""};
}

WorkloadOrReason ucmoh::analyzeWorkload(linalg::LinalgOp op) {
  return analyze(op, /*isDepthwise=*/false);
}

WorkloadOrReason ucmoh::analyzeDepthwise(linalg::LinalgOp op) {
  return analyze(op, /*isDepthwise=*/true);
}

namespace {
/// Numbers as the same bytes on all platforms. Lists begin with their length, so that no two
/// workloads have the same bytes.
class Structure {
public:
  void add(int64_t number) {
    uint8_t bytes[sizeof(number)];
    llvm::support::endian::write64le(bytes, number);
    all.append(std::begin(bytes), std::end(bytes));
  }
  void add(ArrayRef<int64_t> numbers) {
    add(static_cast<int64_t>(numbers.size()));
    for (int64_t number : numbers)
      add(number);
  }
  void add(ElementType type) {
    add(type.kind);
    add(type.bits);
  }
  void add(AffineMap map);
  void add(const Operand &operand);
  uint64_t hash() const { return llvm::xxh3_64bits(all); }

private:
  SmallVector<uint8_t, 512> all;
};
} // namespace

/// A workload's maps are linear, so that each result is its coefficients, then its constant.
void Structure::add(AffineMap map) {
  add(static_cast<int64_t>(map.getNumResults()));
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> flat;
    bool isLinear = succeeded(getFlattenedAffineExpr(expr, map.getNumDims(), 0, &flat));
    assert(isLinear && "the analysis of a workload refuses others");
    (void)isLinear;
    add(flat);
  }
}

void Structure::add(const Operand &operand) {
  add(operand.shape);
  if (!operand.strides.empty())
    add(operand.strides);
  add(operand.map);
  add(operand.type);
  add(operand.isConstant);
  add(operand.isWeight);
  add(operand.zeroPoint != nullptr);
  add(operand.zeroOffset);
  add(operand.range.has_value());
  if (operand.range)
    add({operand.range->low, operand.range->high});
}

std::string ucmoh::identityOf(const Workload &workload) {
  Structure structure;
  structure.add(static_cast<int64_t>(workload.dims.size()));
  for (const Dim &dim : workload.dims) {
    structure.add(dim.extent);
    structure.add(static_cast<int64_t>(dim.role));
  }
  for (const Operand *operand : {&workload.lhs, &workload.rhs, &workload.acc})
    structure.add(*operand);
  if (workload.leastRows)
    structure.add(workload.leastRows);
  return llvm::utohexstr(structure.hash(), /*LowerCase=*/true, /*Width=*/16);
}
