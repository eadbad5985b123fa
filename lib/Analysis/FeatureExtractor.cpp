//===- FeatureExtractor.cpp - A program as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/Reuse.h"
#include "ucmoh/Analysis/ThreadRegisters.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;
using F = Feature;

void ucmoh::describeMachine(const Machine &machine, FeatureRow &row) {
  row[F::clockGHz] = machine.clockGHz;
  row[F::l1Bytes] = machine.l1Bytes;
  row[F::l2Bytes] = machine.l2Bytes;
  row[F::l3Bytes] = machine.l3Bytes;
  row[F::l1BytesPerCycle] = machine.l1BytesPerCycle;
  row[F::broadcastBytesPerCycle] = machine.broadcastBytesPerCycle;
  row[F::l2BytesPerCycle] = machine.l2BytesPerCycle;
  row[F::l3BytesPerCycle] = machine.l3BytesPerCycle;
  double cyclesPerSecond = machine.clockGHz * 1e9;
  row[F::cores] = machine.cores;
  row[F::totalMemoryBytesPerCycle] = machine.totalMemoryBytesPerSecond / cyclesPerSecond;
  row[F::memoryLatencyCycles] = machine.memoryLatencyCycles;
  row[F::coreSharedBytes] = machine.coreSharedMemoryBytes;
  row[F::coreRegisters] = machine.coreRegisters;
  row[F::coreThreads] = machine.coreThreads;
  row[F::memoryBytesPerCycle] = machine.memoryBytesPerSecond / cyclesPerSecond;
}

namespace {

/// The features of one operand's reads or writes: the fields of Features.def that have its name.
struct AccessFields {
  F bytes, beyondL1, beyondL2, beyondL3, innerBytes, nextBytes, reuseTrips, reuseBytes, stepBytes,
      rowBytes, rowAlignment, runBytes;
};

constexpr AccessFields lhsFields = {F::lhsBytes,      F::lhsBeyondL1,     F::lhsBeyondL2,
                                    F::lhsBeyondL3,   F::lhsInnerBytes,   F::lhsNextBytes,
                                    F::lhsReuseTrips, F::lhsReuseBytes,   F::lhsStepBytes,
                                    F::lhsRowBytes,   F::lhsRowAlignment, F::lhsRunBytes};
constexpr AccessFields rhsFields = {F::rhsBytes,      F::rhsBeyondL1,     F::rhsBeyondL2,
                                    F::rhsBeyondL3,   F::rhsInnerBytes,   F::rhsNextBytes,
                                    F::rhsReuseTrips, F::rhsReuseBytes,   F::rhsStepBytes,
                                    F::rhsRowBytes,   F::rhsRowAlignment, F::rhsRunBytes};
constexpr AccessFields outFields = {F::outBytes,      F::outBeyondL1,     F::outBeyondL2,
                                    F::outBeyondL3,   F::outInnerBytes,   F::outNextBytes,
                                    F::outReuseTrips, F::outReuseBytes,   F::outStepBytes,
                                    F::outRowBytes,   F::outRowAlignment, F::outRunBytes};

/// Sets once what all rows share; then each kind of statement adds its rows.
class Extractor {
public:
  Extractor(const Program &program, const Intrinsic &intrinsic, const Machine &machine)
      : program(program), intrinsic(intrinsic), machine(machine), reuse(program) {
    describeMachine(machine, shared);
    setIntrinsic();
    setBuffers();
    setThreads();
  }

  ProgramFeatures run() {
    addPreparation();
    addCopies(Statement::PackLhs);
    addCopies(Statement::PackRhs);
    addTiles();
    if (intrinsic.isStaged)
      addGrid();
    return std::move(rows);
  }

private:
  /// The loads and executions of straight-line code; the numbers are of one pass through it.
  struct Steps {
    const Statement *compute = nullptr, *rhs = nullptr, *lhs = nullptr;
    int64_t lhsLoads = 0, partialLoads = 0;
  };

  /// The same by fragments, of one step.
  struct Fragments {
    double rows = 0, columns = 0; ///< the tile's rows and columns
    double steps = 0;             ///< steps of one pass
    double rowsEach = 1;          ///< rows of one fragment of lhs
    double loads = 0, bytes = 0;  ///< loads and bytes of all fragments
    double broadcastBytes = 0;    ///< that loads of one element fill
  };

  Fragments fragmentsOf(const Steps &steps, const Statement &store) const;
  void setIntrinsic();
  void setBuffers();
  void setThreads();
  void addPreparation();
  double addCopy(FeatureRow &row, const Statement &statement);
  void addCopies(Statement::Kind kind);
  void addTiles();
  void addSteps(const Steps &steps, const Statement &store);
  void addStore(const Statement &store, const Statement *sums, const FeatureRow &tile);
  void addGrid();
  void setLoops(FeatureRow &row, const Steps &steps, const Statement &store);
  void setCopyLoops(FeatureRow &row, const Statement &statement);
  void setMoves(FeatureRow &row, unsigned loop, const Steps &steps, F lhs, F rhs) const;
  /// `depth` is how many loops are around the tile, or around the copy.
  void addAccess(FeatureRow &row, const AccessFields &fields, const Statement &statement,
                 const Access &access, size_t depth);
  /// `rows` is how many rows the access touches in one execution.
  void setDistances(FeatureRow &row, const AccessFields &fields, const Access &access,
                    double rowCount) const;
  double bytesEach(BufferRole role) const { return program[role].elementBits / 8.0; }

  const Program &program;
  const Intrinsic &intrinsic;
  const Machine &machine;
  Reuse reuse;
  FeatureRow shared;
  ProgramFeatures rows;
};

} // namespace

//===----------------------------------------------------------------------===//
// What all rows share
//===----------------------------------------------------------------------===//

void Extractor::setIntrinsic() {
  shared[F::intrinsicM] = intrinsic.m;
  shared[F::intrinsicN] = intrinsic.n;
  shared[F::intrinsicK] = intrinsic.k;
  shared[F::lhsBits] = intrinsic.lhs.bits;
  shared[F::rhsBits] = intrinsic.rhs.bits;
  shared[F::accBits] = intrinsic.acc.bits;
  shared[F::latencyCycles] = intrinsic.latencyCycles;
  shared[F::throughputCycles] = intrinsic.throughputCycles;
}

void Extractor::setBuffers() {
  shared[F::lhsBufferBytes] = program[BufferRole::Lhs].bytes();
  shared[F::rhsBufferBytes] = program[BufferRole::Rhs].bytes();
  shared[F::resultBufferBytes] = program[BufferRole::Result].bytes();
  shared[F::packedLhsBytes] = program[BufferRole::PackedLhs].bytes();
  shared[F::packedRhsBytes] = program[BufferRole::PackedRhs].bytes();
  shared[F::sumsBytes] = program[BufferRole::Accumulators].bytes();
  shared[F::programBytes] = reuse.bodyBytes(std::nullopt);
}

void Extractor::setThreads() {
  shared[F::threads] = program.threads;
  shared[F::busiestShare] = 1;
  for (const Loop &loop : program.loops)
    if (loop.kind == LoopKind::Parallel)
      shared[F::busiestShare] =
          double(extentOfBusiest(loop.extent, loop.step, program.threads)) / loop.extent;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void Extractor::addAccess(FeatureRow &row, const AccessFields &fields, const Statement &statement,
                          const Access &access, size_t depth) {
  double bytes = reuse.executions(statement) * access.elements * bytesEach(access.buffer);
  auto beyond = [&](double capacity_bytes) {
    return std::min(bytes, reuse.beyondBytes(statement, access, capacity_bytes));
  };
  double beyondL1 = beyond(machine.l1Bytes);
  double beyondL2 = std::min(beyondL1, beyond(machine.l2Bytes));
  row[fields.bytes] += bytes;
  row[fields.beyondL1] += beyondL1;
  row[fields.beyondL2] += beyondL2;
  row[fields.beyondL3] += std::min(beyondL2, beyond(machine.l3Bytes));
  auto footprint = [&](size_t loops) {
    return reuse.footprintBytes(statement, access, depth < loops ? 0 : depth - loops);
  };
  row[fields.innerBytes] = footprint(1);
  row[fields.nextBytes] = footprint(2);
  Reuse::Distance distance = reuse.reuseOf(statement, access);
  row[fields.reuseTrips] = distance.trips;
  row[fields.reuseBytes] = distance.bytes;
  row[fields.runBytes] = access.run * bytesEach(access.buffer);
}

void Extractor::setDistances(FeatureRow &row, const AccessFields &fields, const Access &access,
                             double rowCount) const {
  double each = bytesEach(access.buffer);
  if (!access.strides.empty())
    row[fields.stepBytes] = std::abs(access.strides.back()) * each;
  if (rowCount <= 1)
    return;
  double distance = std::round((access.span - access.elements / rowCount) / (rowCount - 1)) * each;
  row[fields.rowBytes] = std::max(distance, 0.0);
  if (distance > 0)
    row[fields.rowAlignment] = int64_t(1) << std::min(16, llvm::countr_zero(uint64_t(distance)));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void Extractor::addPreparation() {
  for (const Statement &statement : program.preparation) {
    FeatureRow &row = rows.emplace_back(shared);
    const Access &read = statement.accesses.front();
    row[statement.kind == Statement::Convert ? F::isConvert : F::isSum] = 1;
    row[F::elements] = read.elements;
    bool isLhs = read.buffer == BufferRole::Lhs;
    row[isLhs ? F::lhsBytes : F::rhsBytes] = read.elements * bytesEach(read.buffer);
    if (statement.accesses.size() > 1)
      row[F::outBytes] = read.elements * bytesEach(read.buffer);
  }
}

void Extractor::setCopyLoops(FeatureRow &row, const Statement &statement) {
  SmallVector<double, 8> trips = reuse.tripsAround(statement);
  row[F::innerTrips] = trips.empty() ? 1 : trips.pop_back_val();
  row[F::nextTrips] = trips.empty() ? 1 : trips.pop_back_val();
  row[F::outerTrips] = 1;
  for (double count : trips)
    row[F::outerTrips] *= count;
}

/// The fields of the operand that such statements copy.
static const AccessFields &fieldsOf(Statement::Kind kind) {
  return kind == Statement::PackLhs ? lhsFields : rhsFields;
}

/// Adds one statement's copies to the row. Returns how many elements it moves.
double Extractor::addCopy(FeatureRow &row, const Statement &statement) {
  const Access &written = statement.accesses.back();
  double executions = reuse.executions(statement), elements = executions * written.elements;
  row[F::elements] += elements;
  row[F::writes] += executions * statement.count;
  addAccess(row, outFields, statement, written, written.strides.size());
  row[F::isAsynchronous] = statement.isAsynchronous;
  if (statement.accesses.size() == 1)
    return elements;
  const Access &read = statement.accesses.front();
  row[F::reads] += executions * read.elements / read.run;
  row[F::divides] = std::max<float>(row[F::divides], read.divides);
  addAccess(row, fieldsOf(statement.kind), statement, read, read.strides.size());
  return elements * 2; // a copy rather than zeros
}

/// All copies of an operand are one row; the loops are those of the statement that copies most.
void Extractor::addCopies(Statement::Kind kind) {
  const Statement *main = nullptr;
  FeatureRow row = shared;
  double mostElements = -1;
  for (const Statement &statement : program.statements) {
    if (statement.kind != kind)
      continue;
    double elements = addCopy(row, statement);
    if (elements > mostElements) {
      mostElements = elements;
      main = &statement;
    }
  }
  if (!main)
    return;
  row[kind == Statement::PackLhs ? F::isPackLhs : F::isPackRhs] = 1;
  setCopyLoops(row, *main);
  setDistances(row, outFields, main->accesses.back(), 1);
  if (main->accesses.size() > 1) {
    const Access &read = main->accesses.front();
    setDistances(row, fieldsOf(kind), read, double(read.elements) / read.run);
  }
  rows.push_back(row);
}

//===----------------------------------------------------------------------===//
// Register tiles
//===----------------------------------------------------------------------===//

/// Which operands move with a loop around the tile.
void Extractor::setMoves(FeatureRow &row, unsigned loop, const Steps &steps, F lhs, F rhs) const {
  auto moves = [&](const Statement *load) {
    SmallVector<unsigned> nest = program.nest(load->loop);
    return load->accesses.front().strides[llvm::find(nest, loop) - nest.begin()] != 0;
  };
  row[lhs] = moves(steps.lhs);
  row[rhs] = moves(steps.rhs);
}

/// Loops around the store are around the tile, the others inside.
void Extractor::setLoops(FeatureRow &row, const Steps &steps, const Statement &store) {
  SmallVector<unsigned> inside = program.nest(steps.compute->loop), nest = program.nest(store.loop);
  SmallVector<double, 8> trips = reuse.tripsAround(*steps.compute);
  size_t common = 0;
  while (common < nest.size() && common < inside.size() && nest[common] == inside[common])
    ++common;
  row[F::stepTrips] = 1;
  double entries = 1, onwards = row[F::stepsPerIteration] * intrinsic.k;
  SmallVector<unsigned> around = program.nest(steps.lhs->loop);
  for (size_t i = common; i < inside.size(); ++i) {
    row[F::stepTrips] *= trips[i];
    size_t at = llvm::find(around, inside[i]) - around.begin();
    bool goesOn = steps.lhs->accesses.front().strides[at] == onwards;
    if (i + 1 < inside.size() || !goesOn)
      entries *= trips[i];
  }
  row[F::loopEntries] = 1 + entries;
  row[F::innerTrips] = row[F::nextTrips] = row[F::outerTrips] = 1;
  unsigned found = 0;
  for (size_t i = common; i-- > 0;) {
    if (program.loops[inside[i]].kind == LoopKind::Guard || trips[i] <= 1)
      continue;
    row[found == 0 ? F::innerTrips : found == 1 ? F::nextTrips : F::outerTrips] *= trips[i];
    if (found == 0)
      setMoves(row, inside[i], steps, F::innerMovesLhs, F::innerMovesRhs);
    else if (found == 1)
      setMoves(row, inside[i], steps, F::nextMovesLhs, F::nextMovesRhs);
    ++found;
  }
  row[F::bodyBytes] = common ? reuse.bodyBytes(inside[common - 1]) : row[F::programBytes];
  row[F::nextBodyBytes] = common > 1 ? reuse.bodyBytes(inside[common - 2]) : row[F::programBytes];
}

/// Counts the fragments that the code of one pass loads and computes with.
Extractor::Fragments Extractor::fragmentsOf(const Steps &steps, const Statement &store) const {
  const Access &lhs = steps.lhs->accesses.front();
  Fragments of;
  if (program.isLaneByLane) { // a fragment of lhs for each product, but for those that overlap
    of.columns = double(lhs.run) / intrinsic.n;
    of.rows = store.count / of.columns;
    of.steps = steps.rhs->count / of.columns;
    of.rowsEach = 1;
    of.loads = (steps.lhsLoads + steps.rhs->count) / of.steps;
    of.bytes =
        of.loads * intrinsic.n * std::max(bytesEach(BufferRole::Lhs), bytesEach(BufferRole::Rhs));
    return of;
  }
  of.rows = double(steps.compute->count) / steps.rhs->count;
  of.columns = double(steps.compute->count) / steps.lhsLoads;
  of.steps = steps.rhs->count / of.columns;
  of.rowsEach = double(lhs.elements) / steps.lhs->count / intrinsic.k;
  of.loads = of.rows + of.columns;
  of.bytes = (of.rows * of.rowsEach * intrinsic.k * intrinsic.lhs.bits +
              of.columns * intrinsic.n * intrinsic.k * intrinsic.rhs.bits) /
             8.0;
  if (intrinsic.m == 1)
    of.broadcastBytes = of.rows * intrinsic.n * intrinsic.acc.bits / 8.0;
  return of;
}

/// How many elements of a window, or of an image, the access touches: each with its channels.
static double placesOf(const Access &access) { return double(access.elements) / access.run; }

/// One row for the steps of one kind of tile: loads of rhs, then of lhs, and what they compute.
void Extractor::addSteps(const Steps &steps, const Statement &store) {
  const Statement &compute = *steps.compute;
  double executions = reuse.executions(compute);
  Fragments of = fragmentsOf(steps, store);
  const Access &lhs = steps.lhs->accesses.front(), &rhs = steps.rhs->accesses.front();
  FeatureRow row = shared;
  row[F::isCompute] = 1;
  row[F::executions] = executions * compute.count * of.rowsEach / intrinsic.m; // fewer, less time
  row[F::steps] = executions * of.steps;
  row[F::stepsPerIteration] = of.steps;
  row[F::raggedLoads] = executions * steps.partialLoads;
  row[F::accumulators] = of.rows * of.columns;
  row[F::loadsPerStep] = of.loads;
  row[F::loadBytesPerStep] = of.bytes;
  row[F::broadcastBytesPerStep] = of.broadcastBytes;
  row[F::registersUsed] =
      (of.rows * of.columns + of.columns + 1) / static_cast<double>(intrinsic.registerCount);
  row[F::tileRows] = of.rows * of.rowsEach;
  row[F::tileColumns] = of.columns * intrinsic.n;
  row[F::usedShare] =
      store.accesses.front().elements / (double(row[F::tileRows]) * row[F::tileColumns]);
  setLoops(row, steps, store);
  size_t depth = program.nest(store.loop).size();
  addAccess(row, lhsFields, *steps.lhs, lhs, depth);
  addAccess(row, rhsFields, *steps.rhs, rhs, depth);
  setDistances(row, lhsFields, lhs, program.isLaneByLane ? placesOf(lhs) : row[F::tileRows]);
  setDistances(row, rhsFields, rhs, program.isLaneByLane ? placesOf(rhs) : 1);
  rows.push_back(row);
}

/// The end of a tile, and what it begins with where partial sums wait in a buffer.
void Extractor::addStore(const Statement &store, const Statement *sums, const FeatureRow &tile) {
  FeatureRow row = shared;
  const Access &written = store.accesses.front();
  row[F::isStore] = 1;
  row[F::tiles] = reuse.executions(store);
  row[F::elements] = row[F::tiles] * written.elements;
  for (F same : {F::accumulators, F::loopEntries, F::tileRows, F::tileColumns, F::usedShare,
                 F::stepTrips, F::innerTrips, F::innerMovesLhs, F::innerMovesRhs, F::nextTrips,
                 F::nextMovesLhs, F::nextMovesRhs, F::outerTrips, F::bodyBytes, F::nextBodyBytes})
    row[same] = tile[same];
  if (sums)
    addAccess(row, outFields, *sums, sums->accesses.front(), written.strides.size());
  addAccess(row, outFields, store, written, written.strides.size());
  setDistances(
      row, outFields, written,
      std::max(1.0, written.elements / std::min<double>(row[F::tileColumns], written.elements)));
  rows.push_back(row);
}

/// The statements of the micro-kernels, in the order of the code: loads and computes of a step
/// stand together, and a store ends the tile.
void Extractor::addTiles() {
  std::vector<Steps> tile;
  const Statement *sums = nullptr;
  for (const Statement &statement : program.statements) {
    if (statement.kind == Statement::LoadAcc) {
      sums = &statement;
    } else if (statement.kind == Statement::LoadRhs) {
      tile.emplace_back().rhs = &statement;
    } else if (statement.kind == Statement::Store && !tile.empty()) {
      size_t first = rows.size();
      for (const Steps &steps : tile)
        if (steps.compute && steps.lhs && reuse.executions(*steps.compute) > 0)
          addSteps(steps, statement);
      if (rows.size() > first)
        addStore(statement, sums, FeatureRow(rows[first]));
      tile.clear();
      sums = nullptr;
    } else if (!tile.empty()) {
      Steps &steps = tile.back();
      if (statement.kind == Statement::Compute)
        steps.compute = &statement;
      bool isPartial = statement.kind == Statement::LoadLhsPartial;
      if (!isPartial && statement.kind != Statement::LoadLhs)
        continue;
      steps.lhsLoads += statement.count;
      if (isPartial)
        steps.partialLoads = statement.count;
      if (!isPartial || !steps.lhs)
        steps.lhs = &statement;
    }
  }
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// How many blocks there are, and what limits how many of them share a core.
void Extractor::addGrid() {
  FeatureRow row = shared;
  row[F::isGrid] = 1;
  row[F::blocks] = 1;
  for (const Loop &loop : program.loops) {
    if (loop.kind == LoopKind::Block)
      row[F::blocks] *= loop.trips();
    else if (loop.kind == LoopKind::Warp)
      row[F::warps] = loop.trips();
    else if (loop.kind == LoopKind::Serial)
      row[F::reductionBlocks] = loop.trips();
  }
  row[F::subgroupSize] = intrinsic.subgroupSize;
  row[F::pipelineDepth] = program.pipelineDepth;
  row[F::sharedBytes] =
      shared[F::packedLhsBytes] + shared[F::packedRhsBytes] + shared[F::sumsBytes];
  ThreadRegisters registers = estimateThreadRegisters(program, intrinsic, machine);
  row[F::registersPerThread] = registers.used;
  row[F::spilledBytesPerThread] = registers.spilledBytes;
  rows.push_back(row);
}

ProgramFeatures ucmoh::extractFeatures(const Program &program, const Intrinsic &intrinsic,
                                       const Machine &machine) {
  return Extractor(program, intrinsic, machine).run();
}

ProgramFeatures ucmoh::extractFeatures(const Workload &workload, const Candidate &candidate,
                                       const Machine &machine) {
  return extractFeatures(buildProgram(workload, candidate), *candidate.intrinsic, machine);
}
