//===- FeatureExtractor.cpp - A candidate as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/Program.h"
#include "ucmoh/Analysis/ScratchLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;
using F = Feature;

namespace {

/// Builds the rows of one program; what all rows share is set once.
class Extractor {
public:
  Extractor(const Workload &workload, const Candidate &candidate, const Machine &machine)
      : workload(workload), candidate(candidate), intrinsic(*candidate.intrinsic),
        nest(buildNest(workload, candidate.packLhs, candidate.packRhs)),
        program(buildProgram(workload, candidate)) {
    setMachine(machine);
    setLoops();
    setStrides();
  }
  ProgramFeatures run();

private:
  void setMachine(const Machine &machine);
  void setLoops();
  void setStrides();
  /// From one value of the group's innermost dim to the next, in memory; 0 without dims.
  double strideBytes(const Operand &operand, const Nest::Group &group, unsigned bits) const;
  FeatureRow &addCopy(ProgramFeatures &rows, F kind, double elements, double run, unsigned bits);
  void addConversions(ProgramFeatures &rows);
  void addPacking(ProgramFeatures &rows);
  /// The loads and executions of straight-line code; the numbers are of one pass through it.
  struct Steps {
    const Statement *compute = nullptr;
    int64_t rhsLoads = 0, lhsLoads = 0, partialLoads = 0;
  };
  void addTiles(ProgramFeatures &rows);
  void addSteps(ProgramFeatures &rows, const Steps &steps);
  void addStore(ProgramFeatures &rows, const Statement &store);
  void addTraffic(ProgramFeatures &rows);
  void addGrid(ProgramFeatures &rows);
  double packedElements(Statement::Kind kind) const;

  /// Contiguous elements along the reduction (or along n).
  double run(const Operand &operand, const Nest::Group &group) const;
  static int64_t product(const SmallVector<Nest::Group> &groups) {
    int64_t extent = 1;
    for (const Nest::Group &group : groups)
      extent *= group.extent;
    return extent;
  }
  int64_t blocks(int64_t extent, int64_t block) const { return llvm::divideCeil(extent, block); }
  bool isOrder(unsigned position, char letter) const { return candidate.order[position] == letter; }

  const Workload &workload;
  const Candidate &candidate;
  const Intrinsic &intrinsic;
  Nest nest;
  Program program;
  FeatureRow shared;
};

} // namespace

void Extractor::setMachine(const Machine &machine) {
  shared[F::clockGHz] = machine.clockGHz;
  shared[F::l1Bytes] = machine.l1Bytes;
  shared[F::l2Bytes] = machine.l2Bytes;
  shared[F::l3Bytes] = machine.l3Bytes;
  shared[F::l1BytesPerCycle] = machine.l1BytesPerCycle;
  shared[F::broadcastBytesPerCycle] = machine.broadcastBytesPerCycle;
  shared[F::l2BytesPerCycle] = machine.l2BytesPerCycle;
  shared[F::l3BytesPerCycle] = machine.l3BytesPerCycle;
  double cyclesPerSecond = machine.clockGHz * 1e9;
  shared[F::cores] = machine.cores;
  shared[F::totalMemoryBytesPerCycle] = machine.totalMemoryBytesPerSecond / cyclesPerSecond;
  shared[F::memoryLatencyCycles] = machine.memoryLatencyCycles;
  shared[F::coreScratchBytes] = machine.coreScratchBytes;
  shared[F::coreRegisters] = machine.coreRegisters;
  shared[F::coreThreads] = machine.coreThreads;
  shared[F::memoryBytesPerCycle] = machine.memoryBytesPerSecond / cyclesPerSecond;
}

void Extractor::setLoops() {
  shared[F::m] = workload.extent(DimRole::M);
  shared[F::n] = workload.extent(DimRole::N);
  shared[F::k] = workload.extent(DimRole::K);
  shared[F::batch] = workload.extent(DimRole::Batch);
  shared[F::tileM] = candidate.tileM;
  shared[F::tileN] = candidate.tileN;
  shared[F::cacheM] = std::min(candidate.cacheM, nest.m.extent);
  shared[F::cacheN] = std::min(candidate.cacheN, nest.n.extent);
  shared[F::cacheK] = std::min(candidate.cacheK, nest.k.extent);
  shared[F::unroll] = candidate.unroll;
  shared[F::threads] = candidate.threads;
  shared[F::busiestShare] = 1;
  if (std::optional<ParallelLoop> loop = findParallelLoop(nest, candidate))
    shared[F::busiestShare] =
        std::min(1.0, double(blocks(blocks(loop->extent, loop->step), candidate.threads)) *
                          loop->step / loop->extent);
  shared[F::outerLoopIsM] = isOrder(0, 'm');
  shared[F::innerLoopIsM] = candidate.order.back() == 'm';
  shared[F::intrinsicM] = intrinsic.m;
  shared[F::intrinsicN] = intrinsic.n;
  shared[F::intrinsicK] = intrinsic.k;
  shared[F::lhsBits] = intrinsic.lhs.bits;
  shared[F::rhsBits] = intrinsic.rhs.bits;
  shared[F::accBits] = intrinsic.acc.bits;
  shared[F::latencyCycles] = intrinsic.latencyCycles;
  shared[F::throughputCycles] = intrinsic.throughputCycles;
}

double Extractor::strideBytes(const Operand &operand, const Nest::Group &group,
                              unsigned bits) const {
  if (group.dims.empty())
    return 0;
  return coefficient(operand.linearIndex(), group.dims.back(), workload.dims.size()) * bits / 8.0;
}

/// How tiles walk through memory. What a device reads lies in scratch.
void Extractor::setStrides() {
  if (intrinsic.isStaged)
    return;
  int64_t blockK = std::min(candidate.cacheK, nest.k.extent);
  shared[F::lhsRowBytes] = candidate.packLhs == Packing::None
                               ? strideBytes(workload.lhs, nest.m, intrinsic.lhs.bits)
                               : llvm::alignTo(blockK, intrinsic.k) * intrinsic.lhs.bits / 8.0;
  shared[F::rhsStepBytes] = candidate.packRhs == Packing::None
                                ? strideBytes(workload.rhs, nest.k, intrinsic.rhs.bits)
                                : candidate.tileN * intrinsic.rhsPack * intrinsic.rhs.bits / 8.0;
  shared[F::resultRowBytes] = strideBytes(workload.acc, nest.m, intrinsic.acc.bits);
  auto alignment = [](float bytes) -> int64_t {
    return bytes > 0 ? int64_t(1) << std::min(16, llvm::countr_zero(uint64_t(bytes))) : 0;
  };
  shared[F::lhsRowAlignment] = alignment(shared[F::lhsRowBytes]);
  shared[F::rhsStepAlignment] = alignment(shared[F::rhsStepBytes]);
  shared[F::resultRowAlignment] = alignment(shared[F::resultRowBytes]);
}

double Extractor::run(const Operand &operand, const Nest::Group &group) const {
  int64_t expected = 1;
  for (unsigned dim : llvm::reverse(group.dims)) {
    if (coefficient(operand.linearIndex(), dim, workload.dims.size()) != expected)
      break;
    expected *= workload.dims[dim].extent;
  }
  return expected;
}

FeatureRow &Extractor::addCopy(ProgramFeatures &rows, F kind, double elements, double run,
                               unsigned bits) {
  FeatureRow &row = rows.emplace_back(shared);
  row[kind] = 1;
  row[F::elements] = elements;
  row[F::runElements] = std::min(run, 512.0 / bits); // at most 64 bytes at a time
  return row;
}

/// Type conversion and sums of operands that are not constant.
void Extractor::addConversions(ProgramFeatures &rows) {
  const Operand *operands[] = {&workload.lhs, &workload.rhs};
  const ElementType wanted[] = {intrinsic.lhs, intrinsic.rhs};
  const Packing packings[] = {candidate.packLhs, candidate.packRhs};
  for (unsigned i = 0; i < 2; ++i) {
    const Operand &operand = *operands[i], &other = *operands[1 - i];
    bool isShifted = operand.hasZeroPoint();
    if (operand.type != wanted[i]) {
      // 8 bits to 8 bits can only be a shift of the sign, which has to be compensated unless a zero
      // point cancels it.
      if (operand.type.bits == wanted[i].bits) {
        int64_t shift = wanted[i].kind == ElementType::UnsignedInt ? 128 : -128;
        isShifted = operand.zeroPoint || operand.zeroOffset + shift != 0;
      }
      // Packing by blocks converts on the way.
      if (!operand.isConstant && packings[i] != Packing::Block)
        addCopy(rows, F::isConvert, operand.elements(), 512, wanted[i].bits);
    }
    if (isShifted && !other.isConstant)
      addCopy(rows, F::isSum, double(other.elements()), 8, other.type.bits);
  }
}

/// Elements of scratch that are written.
double Extractor::packedElements(Statement::Kind kind) const {
  double elements = 0;
  for (const Statement &statement : program.statements)
    if (statement.kind == kind)
      elements += double(program.executions(statement.loop)) * statement.accesses.back().elements;
  return elements;
}

void Extractor::addPacking(ProgramFeatures &rows) {
  if (intrinsic.isStaged) {
    ScratchLayout scratch(workload, candidate);
    int64_t lhsChunk = scratch.lhsChunk(), rhsChunk = scratch.rhsChunk();
    ElementType rhs = candidate.packRhs == Packing::Ahead ? intrinsic.rhs : workload.rhs.type;
    FeatureRow &left = addCopy(rows, F::isPackLhs, packedElements(Statement::PackLhs), lhsChunk,
                               intrinsic.lhs.bits);
    left[F::isAsynchronous] =
        bool(scratch.findAsyncCopy(workload.lhs.type, intrinsic.lhs, lhsChunk));
    FeatureRow &right = addCopy(rows, F::isPackRhs, packedElements(Statement::PackRhs), rhsChunk,
                                intrinsic.rhs.bits);
    right[F::isAsynchronous] = bool(scratch.findAsyncCopy(rhs, intrinsic.rhs, rhsChunk));
    return;
  }
  if (candidate.packLhs == Packing::Block)
    addCopy(rows, F::isPackLhs, packedElements(Statement::PackLhs), run(workload.lhs, nest.k),
            intrinsic.lhs.bits);
  if (candidate.packRhs != Packing::Block)
    return;
  // Interleaving where columns are neighbours; else group by group of the reduction.
  bool columns = run(workload.rhs, nest.n) == nest.n.extent;
  // Riffling a group of rows takes about three cycles a row; finding the row in a reduction over
  // several dims costs divisions on top.
  double perRow = nest.k.dims.size() > 1 ? 10 : 3;
  double runElements = columns                         ? intrinsic.n * intrinsic.rhsPack / perRow
                       : run(workload.rhs, nest.k) > 1 ? double(intrinsic.rhsPack) / 2
                                                       : 0.5;
  addCopy(rows, F::isPackRhs, packedElements(Statement::PackRhs), runElements, intrinsic.rhs.bits);
}

/// One row for the steps of one kind of tile: `loads` of rhs, then of lhs, and what they compute.
void Extractor::addSteps(ProgramFeatures &rows, const Steps &steps) {
  double executions = program.executions(steps.compute->loop);
  int64_t rowFragments = steps.compute->count / steps.rhsLoads;
  int64_t columnFragments = steps.compute->count / steps.lhsLoads;
  FeatureRow &row = rows.emplace_back(shared);
  row[F::isCompute] = 1;
  row[F::executions] = executions * steps.compute->count;
  row[F::steps] = executions * (steps.rhsLoads / columnFragments);
  row[F::raggedLoads] = executions * steps.partialLoads;
  row[F::accumulators] = rowFragments * columnFragments;
  row[F::loadsPerStep] = rowFragments + columnFragments;
  row[F::loadBytesPerStep] = (rowFragments * intrinsic.m * intrinsic.k * intrinsic.lhs.bits +
                              columnFragments * intrinsic.n * intrinsic.k * intrinsic.rhs.bits) /
                             8.0;
  if (intrinsic.m == 1)
    row[F::broadcastBytesPerStep] = rowFragments * intrinsic.n * intrinsic.acc.bits / 8.0;
  row[F::registersUsed] =
      (rowFragments * columnFragments + columnFragments + 1) / double(intrinsic.registerCount);
}

void Extractor::addStore(ProgramFeatures &rows, const Statement &store) {
  FeatureRow &row = rows.emplace_back(shared);
  row[F::isStore] = 1;
  row[F::tiles] = program.executions(store.loop);
  row[F::elements] = row[F::tiles] * store.accesses.front().elements;
  row[F::accumulators] = store.count;
  row[F::reductionLoops] = 1 + product(nest.outerK);
}

/// The statements of the micro-kernels, in the order of the code: loads and computes of a step
/// stand together.
void Extractor::addTiles(ProgramFeatures &rows) {
  Steps steps;
  auto finish = [&] {
    if (steps.compute)
      addSteps(rows, steps);
    steps = Steps();
  };
  for (const Statement &statement : program.statements) {
    if (statement.kind == Statement::LoadRhs || statement.kind == Statement::Store)
      finish();
    if (statement.kind == Statement::LoadRhs)
      steps.rhsLoads = statement.count;
    else if (statement.kind == Statement::LoadLhs || statement.kind == Statement::LoadLhsPartial)
      steps.lhsLoads += statement.count;
    else if (statement.kind == Statement::Compute)
      steps.compute = &statement;
    else if (statement.kind == Statement::Store)
      addStore(rows, statement);
    if (statement.kind == Statement::LoadLhsPartial)
      steps.partialLoads = statement.count;
  }
}

/// How often operands are read from beyond L1, and how much lies between two uses.
void Extractor::addTraffic(ProgramFeatures &rows) {
  FeatureRow &row = rows.emplace_back(shared);
  row[F::isTraffic] = 1;
  double outer = product(nest.batch) * product(nest.outerM) * product(nest.outerN);
  double k = nest.k.extent * product(nest.outerK);
  double blockK = std::min(candidate.cacheK, nest.k.extent) * double(product(nest.outerK));
  double lhsBytes = nest.m.extent * k * intrinsic.lhs.bits / 8.0;
  double rhsBytes = nest.n.extent * k * intrinsic.rhs.bits / 8.0;
  double lhsBlock = row[F::cacheM] * blockK * intrinsic.lhs.bits / 8;
  double rhsBlock = row[F::cacheN] * blockK * intrinsic.rhs.bits / 8;
  double lhsTile = candidate.tileM * blockK * intrinsic.lhs.bits / 8;
  double rhsPanel = candidate.tileN * blockK * intrinsic.rhs.bits / 8;
  // The operand of the inner tile loop streams by for each tile of the outer one.
  bool rowsInside = candidate.order.back() == 'm';
  double lhsTimes = rowsInside ? double(blocks(nest.n.extent, candidate.tileN))
                               : double(blocks(nest.n.extent, candidate.cacheN));
  double rhsTimes = rowsInside ? double(blocks(nest.m.extent, candidate.cacheM))
                               : double(blocks(nest.m.extent, candidate.tileM));
  row[F::lhsBytes] = outer * lhsBytes * lhsTimes;
  row[F::rhsBytes] = outer * rhsBytes * rhsTimes;
  row[F::lhsLevelBytes] = rowsInside ? lhsBlock + rhsPanel : lhsBlock + rhsBlock;
  row[F::rhsLevelBytes] = rowsInside ? rhsBlock + lhsBlock : rhsBlock + lhsTile;
  double result = double(nest.m.extent) * nest.n.extent * intrinsic.acc.bits / 8;
  row[F::resultBytes] = outer * result * (2 * blocks(nest.k.extent, candidate.cacheK) - 1);
}

/// How many blocks there are, and what limits how many of them share a core.
void Extractor::addGrid(ProgramFeatures &rows) {
  FeatureRow &row = rows.emplace_back(shared);
  ScratchLayout scratch(workload, candidate);
  int64_t outer = product(nest.batch) * product(nest.outerM) * product(nest.outerN);
  int64_t columnFragments = candidate.tileN / intrinsic.n;
  row[F::isGrid] = 1;
  row[F::blocks] =
      outer * blocks(nest.m.extent, candidate.cacheM) * blocks(nest.n.extent, candidate.cacheN);
  row[F::warps] = scratch.warps();
  row[F::lanes] = intrinsic.lanes;
  row[F::stages] = candidate.stages;
  row[F::scratchBytes] = scratch.bytes();
  row[F::registersPerThread] =
      candidate.tileM / intrinsic.m * columnFragments *
          intrinsic.registersFor(intrinsic.m * intrinsic.n, intrinsic.acc.bits) +
      columnFragments * intrinsic.registersFor(intrinsic.n * intrinsic.k, intrinsic.rhs.bits) +
      intrinsic.registersFor(intrinsic.m * intrinsic.k, intrinsic.lhs.bits);
  row[F::lhsBytes] = double(workload.lhs.elements()) * workload.lhs.type.bits / 8;
  row[F::rhsBytes] = double(workload.rhs.elements()) * workload.rhs.type.bits / 8;
  row[F::resultBytes] = double(workload.acc.elements()) * intrinsic.acc.bits / 8;
}

ProgramFeatures Extractor::run() {
  ProgramFeatures rows;
  addConversions(rows);
  addPacking(rows);
  addTiles(rows);
  if (intrinsic.isStaged)
    addGrid(rows);
  else
    addTraffic(rows);
  return rows;
}

ProgramFeatures ucmoh::extractFeatures(const Workload &workload, const Candidate &candidate,
                                       const Machine &machine) {
  return Extractor(workload, candidate, machine).run();
}
