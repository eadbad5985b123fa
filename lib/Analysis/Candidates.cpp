//===- Candidates.cpp - The legal ways to tensorize a workload
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows/WindowCandidates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "ucmoh/Analysis/KernelShape.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// All orders that can be written.
static constexpr LoopOrder allOrders[] = {{false, true}, {false, false},      {true, true},
                                          {true, false}, {false, true, true}, {false, false, true}};

StringRef LoopOrder::toText() const {
  if (columnBlocksOutside)
    return rowTilesInside ? "nomk.nm" : "nomk.mn";
  return rowBlocksOutside ? (rowTilesInside ? "mnk.nm" : "mnk.mn")
                          : (rowTilesInside ? "nmk.nm" : "nmk.mn");
}

std::optional<LoopOrder> LoopOrder::parse(StringRef text) {
  for (const LoopOrder &order : allOrders)
    if (order.toText() == text)
      return order;
  return std::nullopt;
}

/// In the order of the enumeration. The verifier of the attribute admits these.
static constexpr StringRef namesOfPackings[] = {"none", "block", "prepacked", "widened"};

static StringRef toString(Packing packing) { return namesOfPackings[unsigned(packing)]; }

static Packing parsePacking(StringRef text) {
  return Packing(llvm::find(namesOfPackings, text) - std::begin(namesOfPackings));
}

ChoiceAttr Candidate::toAttr(double predictedSeconds, StringRef model) const {
  MLIRContext *context = intrinsic->getSymbol().getContext();
  return ChoiceAttr::get(context, intrinsic->getSymbol(), {tileM, tileN}, {cacheM, cacheN, cacheK},
                         order.toText(), toString(packLhs), toString(packRhs), threads,
                         pipelineDepth, predictedSeconds, model);
}

FailureOr<Candidate> Candidate::fromAttr(ChoiceAttr attr, const Target &target,
                                         std::string &error) {
  Candidate candidate;
  std::string known;
  for (const Intrinsic &intrinsic : target.intrinsics) {
    if (intrinsic.getSymbol() == attr.getIntrinsic())
      candidate.intrinsic = &intrinsic;
    known += " " + intrinsic.id();
  }
  if (!candidate.intrinsic) {
    llvm::raw_string_ostream(error)
        << "the target has no intrinsic " << attr.getIntrinsic() << "; it has" << known;
    return failure();
  }
  candidate.tileM = attr.getRegisterTile()[0];
  candidate.tileN = attr.getRegisterTile()[1];
  candidate.cacheM = attr.getCacheTile()[0];
  candidate.cacheN = attr.getCacheTile()[1];
  candidate.cacheK = attr.getCacheTile()[2];
  candidate.order = *LoopOrder::parse(attr.getOrder()); // the attribute's verifier parsed it, too
  candidate.packLhs = parsePacking(attr.getPackLhs());
  candidate.packRhs = parsePacking(attr.getPackRhs());
  candidate.threads = attr.getThreads();
  candidate.pipelineDepth = attr.getPipelineDepth();
  return candidate;
}

/// Register tiles are at most that many fragments wide: more leave no registers for rows.
static constexpr int64_t maxColumnFragments = 6;

/// Whether `compute` ends with an addition, so that the products need a register before.
static bool addsApart(const Intrinsic &intrinsic) {
  IntrinsicOp op = intrinsic.op;
  Operation *yield = op.getCompute().front().getTerminator();
  return isa_and_present<arith::AddIOp, arith::AddFOp>(yield->getOperand(0).getDefiningOp());
}

/// Rows of register tiles worth trying: as many as fit, fewer that waste less at the end, and one.
static SmallVector<int64_t> rowChoices(const Intrinsic &intrinsic, int64_t columnFragments,
                                       int64_t extent) {
  int64_t accumulator = intrinsic.registersFor(intrinsic.m * intrinsic.n, intrinsic.acc.bits);
  int64_t right = intrinsic.registersFor(intrinsic.n * intrinsic.k, intrinsic.rhs.bits);
  // Products of the last column may take the place of what was loaded of lhs.
  int64_t products = columnFragments > 1 && addsApart(intrinsic) ? accumulator : 0;
  int64_t most = (intrinsic.registerCount - 1 - products - columnFragments * right) /
                 (columnFragments * accumulator) * intrinsic.m;
  if (most <= 0)
    return {};
  llvm::SmallSetVector<int64_t, 8> rows;
  auto add = [&](int64_t value) {
    int64_t aligned = llvm::alignTo(std::max<int64_t>(value, 1), intrinsic.m);
    if (aligned <= most)
      rows.insert(aligned);
  };
  most = std::min<int64_t>(most, llvm::alignTo(extent, intrinsic.m));
  add(most);
  add(llvm::divideCeil(extent, llvm::divideCeil(extent, most))); // equal tiles
  for (int64_t value = most; value >= std::max<int64_t>(1, most / 2); --value)
    if (extent % value == 0) {
      add(value);
      break;
    }
  add(most / 2);
  return rows.takeVector();
}

static SmallVector<int64_t> columnChoices(const Intrinsic &intrinsic, int64_t extent) {
  SmallVector<int64_t> columns;
  int64_t most = std::min<int64_t>(maxColumnFragments, llvm::divideCeil(extent, intrinsic.n));
  for (int64_t fragments : {1, 2, 3, 4, 6})
    if (fragments <= most)
      columns.push_back(fragments * intrinsic.n);
  return columns;
}

/// Bytes of rhs that a kernel has from a cache after the first time. Weights are widened to L2,
/// where it holds them beside the rows that read them.
static int64_t bytesAtHand(const Candidate &candidate, const Machine &machine) {
  return candidate.packRhs == Packing::Widened ? machine.l2Bytes / 16 : machine.l1Bytes / 2;
}

/// Blocks of the reduction: all of it, or parts where a panel of rhs outgrows the cache. One row
/// reads each panel once.
static SmallVector<int64_t> reductionChoices(const Candidate &candidate, const Nest &nest,
                                             const Machine &machine) {
  SmallVector<int64_t> blocks = {nest.k.extent};
  if (!nest.outerK.empty() || nest.m.extent == 1)
    return blocks;
  int64_t bytesPerStep = candidate.tileN * candidate.intrinsic->rhs.bits / 8;
  int64_t block = bytesAtHand(candidate, machine) / bytesPerStep / candidate.intrinsic->k *
                  candidate.intrinsic->k;
  if (block < 128 || nest.k.extent <= block + block / 2)
    return blocks;
  if (candidate.packRhs == Packing::Widened && !nest.leastRows) // rows may stay open in one block
    blocks.clear();
  // Equal blocks rather than a short last one.
  blocks.push_back(
      llvm::alignTo(llvm::divideCeil(nest.k.extent, llvm::divideCeil(nest.k.extent, block)),
                    candidate.intrinsic->k));
  return blocks;
}

/// A multiple of `tile` of which `bytesEach` per element fit into `capacity_bytes`; `extent` if all
/// do.
static int64_t blockFor(int64_t capacity_bytes, int64_t bytesEach, int64_t tile, int64_t extent) {
  int64_t count = capacity_bytes / std::max<int64_t>(bytesEach, 1) / tile * tile;
  return count >= extent ? extent : std::max(count, tile);
}

/// Whether a block of rhs that outgrows the L2 is read anew for each few rows, where twice as many
/// would still stay in L2. In a network it comes from memory each time.
static bool rereadsColumns(const Candidate &candidate, const Nest &nest, const Machine &machine,
                           int64_t lhsRow_bytes, int64_t rhsColumn_bytes) {
  int64_t rows = candidate.order.rowTilesInside ? candidate.cacheM : candidate.tileM;
  return rows < nest.m.extent && candidate.cacheN * rhsColumn_bytes > machine.l2Bytes &&
         2 * rows * lhsRow_bytes <= machine.l2Bytes / 2;
}

/// Whether rows that outgrow the L2 are read anew for each few columns. They are read in place, so
/// that their runs may be short, and come from memory each time.
static bool rereadsRows(const Candidate &candidate, const Workload &workload, const Nest &nest,
                        const Machine &machine) {
  constexpr int64_t mostTimes = 4; // no faster candidate with more has been measured
  return candidate.order.columnBlocksOutside &&
         workload.lhs.elements() * workload.lhs.type.bits / 8 > machine.l2Bytes &&
         llvm::divideCeil(nest.n.extent, candidate.cacheN) > mostTimes;
}

using BlockSizes = llvm::SmallSetVector<std::pair<int64_t, int64_t>, 6>;

/// The rows and columns of cache tiles. What is widened is one panel at least. Rows would be packed
/// anew for each of these blocks.
static BlockSizes blockChoices(const Candidate &candidate, const Nest &nest, const Machine &machine,
                               int64_t lhsRow_bytes, int64_t rhsColumn_bytes) {
  int64_t m = nest.m.extent, n = nest.n.extent, tileM = candidate.tileM, tileN = candidate.tileN;
  BlockSizes blocks;
  if (candidate.packRhs == Packing::Widened) {
    if (candidate.packLhs == Packing::None && tileN * rhsColumn_bytes <= machine.l2Bytes)
      blocks.insert({m, blockFor(bytesAtHand(candidate, machine), rhsColumn_bytes, tileN, n)});
    return blocks;
  }
  blocks.insert({m, n});
  blocks.insert({blockFor(machine.l1Bytes / 2, lhsRow_bytes, tileM, m), n});
  blocks.insert({blockFor(machine.l2Bytes / 2, lhsRow_bytes, tileM, m), n});
  blocks.insert({m, blockFor(machine.l2Bytes / 2, rhsColumn_bytes, tileN, n)});
  return blocks;
}

/// Adds the cache tiles and loop orders of one register tile and packing.
static void addBlocks(Candidate candidate, const Workload &workload, const Nest &nest,
                      const Target &target, std::vector<Candidate> &candidates) {
  const Machine &machine = target.machine;
  for (int64_t k : reductionChoices(candidate, nest, machine)) {
    candidate.cacheK = k;
    int64_t lhsRow = k * candidate.intrinsic->lhs.bits / 8;
    int64_t rhsColumn = k * candidate.intrinsic->rhs.bits / 8;
    for (const auto &group : nest.outerK)
      rhsColumn *= group.extent;
    for (auto [m, n] : blockChoices(candidate, nest, machine, lhsRow, rhsColumn))
      for (const LoopOrder &order : allOrders) {
        // Blocks of rows only pay when they are the outer loop, blocks of columns when they are.
        bool rowsInBlocks = m < nest.m.extent, columnsInBlocks = n < nest.n.extent;
        if (order.rowBlocksOutside != rowsInBlocks || (rowsInBlocks && !order.rowTilesInside) ||
            (order.columnBlocksOutside && !columnsInBlocks))
          continue;
        // One panel in a block is the same either way.
        bool isInBlocks = candidate.packRhs == Packing::Widened || order.columnBlocksOutside;
        if (isInBlocks && !order.rowTilesInside && n <= candidate.tileN)
          continue;
        candidate.cacheM = m;
        candidate.cacheN = n;
        candidate.order = order;
        if (!rereadsColumns(candidate, nest, machine, lhsRow, rhsColumn) &&
            !rereadsRows(candidate, workload, nest, machine) &&
            succeeded(verifySchedule(workload, nest, candidate)))
          candidates.push_back(candidate);
      }
  }
}

static SmallVector<Packing> rhsChoices(const Workload &workload) {
  if (workload.rhs.isConstant && workload.rhs.type.isInteger())
    return {Packing::Prepacked, Packing::None};
  if (workload.rhs.isConstant)
    return {Packing::Prepacked, Packing::None, Packing::Widened};
  return {Packing::None, Packing::Block};
}

static void addCandidates(const Workload &workload, const Intrinsic &intrinsic,
                          const Target &target, std::vector<Candidate> &candidates) {
  for (Packing packRhs : rhsChoices(workload))
    for (Packing packLhs : {Packing::None, Packing::Block}) {
      Nest nest = buildNest(workload, packLhs, packRhs);
      for (int64_t columns : columnChoices(intrinsic, nest.n.extent))
        for (int64_t rows : rowChoices(intrinsic, columns / intrinsic.n, nest.m.extent)) {
          Candidate candidate;
          candidate.intrinsic = &intrinsic;
          candidate.tileM = rows;
          candidate.tileN = columns;
          candidate.packLhs = packLhs;
          candidate.packRhs = packRhs;
          candidate.threads = target.threads;
          addBlocks(candidate, workload, nest, target, candidates);
        }
    }
}

/// Powers of two times `unit`, up to `most` elements and not beyond what covers `extent`.
static SmallVector<int64_t> multiples(int64_t unit, int64_t least, int64_t most, int64_t extent) {
  SmallVector<int64_t> values;
  for (int64_t value = unit; value <= most; value *= 2) {
    if (value >= least)
      values.push_back(value);
    if (value >= extent)
      break;
  }
  if (values.empty())
    values.push_back(unit);
  return values;
}

/// The pipeline depths and cache tiles of the reduction of one block of warps.
static void addPipelines(Candidate candidate, const Workload &workload, const Nest &nest,
                         std::vector<Candidate> &candidates) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  int64_t most = 128 * 8 / intrinsic.lhs.bits; // rows of 128 bytes
  for (int64_t k : multiples(intrinsic.k, 0, most, workload.extent(DimRole::K)))
    for (int64_t depth : {1, 2, 3, 4}) {
      candidate.cacheK = k;
      candidate.pipelineDepth = depth;
      if (depth > 1 && k * (depth - 1) >= workload.extent(DimRole::K))
        break;
      if (succeeded(verifySchedule(workload, nest, candidate)))
        candidates.push_back(candidate);
    }
}

/// Candidates of an intrinsic whose operands are staged through shared memory: warp tiles, blocks
/// of warps, pipeline depths.
static void addStagedCandidates(const Workload &workload, const Intrinsic &intrinsic,
                                std::vector<Candidate> &candidates) {
  SmallVector<Packing> packings = {Packing::Block};
  if (workload.rhs.isConstant)
    packings.insert(packings.begin(), Packing::Prepacked);
  constexpr std::pair<int64_t, int64_t> warpGrids[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2},
                                                       {1, 4}, {2, 4}, {4, 2}};
  for (Packing packRhs : packings) {
    Nest nest = buildNest(workload, Packing::Block, packRhs);
    for (int64_t rows : multiples(intrinsic.m, 16, 64, nest.m.extent))
      for (int64_t columns : multiples(intrinsic.n, 16, 64, nest.n.extent))
        for (auto [warpsM, warpsN] : warpGrids) {
          // Warps that have nothing to do are no use.
          if (rows * (warpsM - 1) >= nest.m.extent || columns * (warpsN - 1) >= nest.n.extent)
            continue;
          Candidate candidate;
          candidate.intrinsic = &intrinsic;
          candidate.tileM = rows;
          candidate.tileN = columns;
          candidate.cacheM = rows * warpsM;
          candidate.cacheN = columns * warpsN;
          candidate.order = {/*rowBlocksOutside=*/false, /*rowTilesInside=*/true};
          candidate.packLhs = Packing::Block;
          candidate.packRhs = packRhs;
          addPipelines(candidate, workload, nest, candidates);
        }
  }
}

static void addAllCandidates(const Workload &workload, const Target &target,
                             std::vector<Candidate> &candidates) {
  for (const Intrinsic &intrinsic : target.intrinsics)
    if (succeeded(verifyIntrinsic(workload, intrinsic))) {
      if (intrinsic.isStaged)
        addStagedCandidates(workload, intrinsic, candidates);
      else
        addCandidates(workload, intrinsic, target, candidates);
    }
}

bool ucmoh::isSumOfRows(const Workload &workload, const Target &target) {
  SmallVector<unsigned> n = workload.dimsOf(DimRole::N), k = workload.dimsOf(DimRole::K);
  const ElementType single{ElementType::Float, 32};
  if (target.device || workload.extent(DimRole::M) != 1 || workload.rhs.isConstant || n.empty() ||
      k.empty() || workload.lhs.type != single || workload.rhs.type != single ||
      workload.acc.type != single)
    return false;
  AffineExpr index = workload.rhs.linearIndex();
  return workload.dims[n.back()].extent > 1 && coefficient(index, k.back()) == 1 &&
         coefficient(index, n.back()) != 1;
}

/// Where not all rows may be wanted, kernels that compute no others, if there are such.
static void keepThoseThatLeaveRows(const Workload &workload, std::vector<Candidate> &candidates) {
  auto computesAll = [&](const Candidate &each) {
    return !leavesRows(workload, buildNest(workload, each.packLhs, each.packRhs), each);
  };
  if (workload.leastRows && !llvm::all_of(candidates, computesAll))
    llvm::erase_if(candidates, computesAll);
}

std::vector<Candidate> ucmoh::enumerateCandidates(const Workload &workload, const Target &target,
                                                  std::string &reason) {
  std::vector<Candidate> candidates;
  if (isSumOfRows(workload, target)) {
    reason = "one row is multiplied by a matrix that lies along its reduction, is no weight and "
             "would have to be packed: sums of its rows are faster";
    return candidates;
  }
  if (workload.isDepthwise)
    addWindowCandidates(workload, target, candidates);
  else
    addAllCandidates(workload, target, candidates);
  keepThoseThatLeaveRows(workload, candidates);
  if (!candidates.empty())
    return candidates;
  reason = explainRejected(workload, target);
  if (reason.empty())
    reason = "no intrinsic of the target multiplies " + workload.lhs.type.name() + " and " +
             workload.rhs.type.name() + " into " + workload.acc.type.name();
  if (workload.isDepthwise)
    reason += " lane by lane, in whole vectors of the channels (depthwise)";
  return candidates;
}
