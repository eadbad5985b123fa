//===- Benchmarks.cpp - The benchmarks of a machine, ready to be sampled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Benchmarks.h"
#include "Memory.h"
#include "Streams.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <limits>

using namespace mlir;
using namespace ucmoh;

namespace {
/// Loads of one iteration of the inner loop.
constexpr int64_t loadsPerIteration = 8;
/// Places of memory that are read side by side: no more bring more on processors of today.
constexpr int64_t mostStreams = 4;
} // namespace

/// Bytes that one iteration of the inner loop of @NAME of addReadLoop reads: buffers are multiples
/// of it.
static int64_t readGranuleBytes(int64_t registerBits) {
  return loadsPerIteration * registerBits / 8;
}

namespace {
/// Writes the loops.
struct ReadBuilder {
  Location loc;
  func::FuncOp function;
  VectorType vector;
  int64_t streams; ///< the buffer has so many parts, which are read side by side
  Value part = {}; ///< elements of one

  Value index(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  SmallVector<Value> iteration(OpBuilder &builder, Value position, ValueRange values);
  void build(OpBuilder &builder);
};
} // namespace

/// Each load is joined to a value of its own: all of them count and none waits for another.
SmallVector<Value> ReadBuilder::iteration(OpBuilder &builder, Value position, ValueRange values) {
  SmallVector<Value> results;
  int64_t loadsOfStream = loadsPerIteration / streams;
  for (auto [i, value] : llvm::enumerate(values)) {
    Value begin = arith::MulIOp::create(builder, loc, part, index(builder, i / loadsOfStream));
    Value inPart = arith::AddIOp::create(
        builder, loc, position, index(builder, i % loadsOfStream * vector.getNumElements()));
    Value at = arith::AddIOp::create(builder, loc, begin, inPart);
    Value read = vector::LoadOp::create(builder, loc, vector, function.getArgument(0), at);
    results.push_back(arith::OrIOp::create(builder, loc, value, read));
  }
  return results;
}

void ReadBuilder::build(OpBuilder &builder) {
  Value zero = index(builder, 0), one = index(builder, 1);
  Value size = memref::DimOp::create(builder, loc, function.getArgument(0), zero);
  part = arith::DivUIOp::create(builder, loc, size, index(builder, streams));
  Value none = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
  Value step = index(builder, loadsPerIteration / streams * vector.getNumElements());
  auto readRound = [&](OpBuilder &inner, Location, Value position, ValueRange values) {
    scf::YieldOp::create(inner, loc, iteration(inner, position, values));
  };
  auto readAll = [&](OpBuilder &inner, Location, Value, ValueRange values) {
    auto pass = scf::ForOp::create(inner, loc, zero, part, step, values, readRound);
    scf::YieldOp::create(inner, loc, pass.getResults());
  };
  auto passes = scf::ForOp::create(builder, loc, zero, function.getArgument(2), one,
                                   SmallVector<Value>(loadsPerIteration, none), readAll);
  for (auto [i, value] : llvm::enumerate(passes.getResults()))
    vector::StoreOp::create(builder, loc, value, function.getArgument(1),
                            ValueRange{index(builder, i * vector.getNumElements())});
  func::ReturnOp::create(builder, loc);
}

/// Adds @NAME(buffer of i64, results, passes): reads the buffer into registers `passes` times, in
/// so many streams side by side. `results` are loadsPerIteration registers of i64, written at the
/// end.
static void addReadLoop(ModuleOp module, StringRef name, int64_t registerBits, int64_t streams) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  auto vector = VectorType::get({registerBits / 64}, builder.getI64Type());
  Type types[] = {
      MemRefType::get({ShapedType::kDynamic}, builder.getI64Type()),
      MemRefType::get({loadsPerIteration * vector.getNumElements()}, builder.getI64Type()),
      builder.getIndexType()};
  auto function = func::FuncOp::create(builder, loc, name, builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  ReadBuilder{loc, function, vector, streams}.build(builder);
}

/// Additions beside a few executions: how long one takes at all.
static constexpr int64_t firstAdditions = 512;
/// How much longer the chain of additions is than the stream beside it, so that it is what counts.
static constexpr double chainOverStream = 1.25;
static constexpr double cachedCallSeconds = 100e-6;
static constexpr const char *readName = "read", *readStreamsName = "read_streams",
                            *streamName = "stream";
static constexpr int64_t triedSamples = 100;

namespace {
/// Fills the benchmarks, step by step.
struct Maker {
  const Target &target;
  StringRef targetName;
  ArrayRef<int> cores;
  Benchmarks made = {};
  Executable *reading = nullptr;

  MLIRContext *context() const { return target.library->getModule().getContext(); }
  void choose();
  OwningOpRef<ModuleOp> makeModule() const;
  llvm::Expected<Executable *> compile(ModuleOp module, const Intrinsic *intrinsic = nullptr);
  llvm::Expected<std::function<double()>> compileStream(const Intrinsic &intrinsic,
                                                        const StreamShape &shape);
  llvm::Expected<Benchmark *> addStreamBenchmark(const Intrinsic &intrinsic,
                                                 const StreamShape &shape);
  llvm::Expected<double> tryStream(const StreamShape &shape);
  llvm::Error compileReading();
  llvm::Expected<Benchmark *> addRead(StringRef name, std::shared_ptr<char> memory, int64_t bytes);
  llvm::Error addCosts();
  llvm::Error addClock();
  llvm::Error addCaches();
  llvm::Error addBroadcast();
  llvm::Error addMemory();
  Benchmark *keep(Benchmark benchmark) {
    made.all.push_back(std::make_unique<Benchmark>(std::move(benchmark)));
    return made.all.back().get();
  }
  Tensor makeResults() const {
    return Tensor(IntegerType::get(context(), 64), {loadsPerIteration * made.readBits / 64});
  }
};
} // namespace

/// Work of one execution: what its multipliers are made of.
static int64_t weightOf(const Intrinsic &in) {
  return in.m * in.n * in.k * in.lhs.bits * in.rhs.bits;
}

void Maker::choose() {
  for (const Intrinsic &intrinsic : target.intrinsics) {
    IntrinsicOp op = intrinsic.op;
    if (!made.heaviest || weightOf(intrinsic) > weightOf(*made.heaviest))
      made.heaviest = &intrinsic;
    if (isa<VectorType>(op.getFragmentType(Role::rhs)))
      made.readBits = std::max(made.readBits, intrinsic.registerBits);
  }
  if (!made.readBits) // only tiles: what every CPU of today has
    made.readBits = 128;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// What is not an intrinsic's own code may use all that this CPU has.
llvm::Expected<Executable *> Maker::compile(ModuleOp module, const Intrinsic *intrinsic) {
  if (auto error = lowerPrograms(module, targetName))
    return std::move(error);
  CodeTarget code = {target.triple, target.cpu, target.features};
  auto executable =
      Executable::compile(module, intrinsic ? codeTargetOf(*intrinsic, target) : code);
  if (!executable)
    return executable.takeError();
  made.executables.push_back(std::move(*executable));
  return made.executables.back().get();
}

OwningOpRef<ModuleOp> Maker::makeModule() const {
  return OwningOpRef<ModuleOp>(ModuleOp::create(UnknownLoc::get(context())));
}

llvm::Error Maker::compileReading() {
  OwningOpRef<ModuleOp> module = makeModule();
  addReadLoop(*module, readName, made.readBits, 1);
  addReadLoop(*module, readStreamsName, made.readBits, mostStreams);
  auto compiled = compile(*module);
  if (!compiled)
    return compiled.takeError();
  reading = *compiled;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Intrinsics and the clock
//===----------------------------------------------------------------------===//

/// Seconds of one iteration of the loop.
llvm::Expected<std::function<double()>> Maker::compileStream(const Intrinsic &intrinsic,
                                                             const StreamShape &shape) {
  OwningOpRef<ModuleOp> module = makeModule();
  addStream(*module, streamName, intrinsic, shape);
  auto compiled = compile(*module, &intrinsic);
  if (!compiled)
    return compiled.takeError();
  return timeFunction(**compiled, streamName, makeStreamArguments(intrinsic, shape), 1);
}

llvm::Expected<Benchmark *> Maker::addStreamBenchmark(const Intrinsic &intrinsic,
                                                      const StreamShape &shape) {
  auto measure = compileStream(intrinsic, shape);
  if (!measure)
    return measure.takeError();
  double executions = shape.executions;
  return keep({intrinsic.id(), /*usesCaches=*/false,
               [measure = *measure, executions] { return measure() / executions; }});
}

llvm::Error Maker::addCosts() {
  for (const Intrinsic &intrinsic : target.intrinsics) {
    auto chain = addStreamBenchmark(intrinsic, chainOf(intrinsic));
    if (!chain)
      return chain.takeError();
    auto stream = addStreamBenchmark(intrinsic, streamOf(intrinsic));
    if (!stream)
      return stream.takeError();
    made.costs.push_back({&intrinsic, *chain, *stream});
  }
  return llvm::Error::success();
}

/// The fastest of a few samples.
static double tryOut(const std::function<double()> &measure) {
  Benchmark tried("", /*usesCaches=*/false, measure);
  while (tried.samples() < triedSamples)
    tried.sample();
  return tried.best();
}

llvm::Expected<double> Maker::tryStream(const StreamShape &shape) {
  auto measure = compileStream(*made.heaviest, shape);
  return measure ? llvm::Expected<double>(tryOut(*measure)) : measure.takeError();
}

/// Beside executions: what alone may be faster, a kernel does not see. Of the intrinsics with the
/// widest registers those that execute fastest: else their units are measured, not the loads.
llvm::Error Maker::addBroadcast() {
  int64_t widest = 0;
  for (const Intrinsic &intrinsic : target.intrinsics)
    if (isBroadcast(intrinsic))
      widest = std::max(widest, intrinsic.registerBits);
  double fastest = std::numeric_limits<double>::infinity();
  std::function<double()> secondsOfByte;
  for (const Intrinsic &intrinsic : target.intrinsics) {
    if (!isBroadcast(intrinsic) || intrinsic.registerBits < widest)
      continue;
    StreamShape shape = loadingStreamOf(intrinsic);
    auto measure = compileStream(intrinsic, shape);
    if (!measure)
      return measure.takeError();
    double bytes = shape.executions * intrinsic.registerBits / 8.0;
    auto perByte = [measure = *measure, bytes] { return measure() / bytes; };
    if (double seconds = tryOut(perByte); seconds < fastest) {
      fastest = seconds;
      secondsOfByte = perByte;
      made.broadcasting = &intrinsic;
    }
  }
  if (made.broadcasting)
    made.broadcast = keep({"broadcasts", /*usesCaches=*/true, secondsOfByte});
  return llvm::Error::success();
}

/// The chain is first tried so long that it surely is what counts; then made as short as it may be,
/// so that the vector units have work all the time.
llvm::Error Maker::addClock() {
  StreamShape shape = streamOf(*made.heaviest);
  auto alone = tryStream(shape);
  shape.additions = firstAdditions;
  auto chain = tryStream(shape);
  if (!alone || !chain)
    return llvm::joinErrors(alone.takeError(), chain.takeError());
  shape.additions = std::ceil(chainOverStream * *alone / (*chain / firstAdditions));
  auto measure = compileStream(*made.heaviest, shape);
  if (!measure)
    return measure.takeError();
  double additions = shape.additions;
  made.clock = keep({"clock", /*usesCaches=*/false,
                     [measure = *measure, additions] { return measure() / additions; }});
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Caches and memory
//===----------------------------------------------------------------------===//

llvm::Expected<Benchmark *> Maker::addRead(StringRef name, std::shared_ptr<char> memory,
                                           int64_t bytes) {
  Tensor buffer(IntegerType::get(context(), 64), {bytes / 8}, memory);
  auto measure =
      timeFunction(*reading, readName, {buffer, makeResults()}, bytes, cachedCallSeconds);
  if (!measure)
    return measure.takeError();
  return keep({name.str(), /*usesCaches=*/true, *measure});
}

/// Half of the first two caches; of the third, four times the second: larger than that, and small
/// enough to stay although others use the cache too.
llvm::Error Maker::addCaches() {
  const Machine &machine = target.machine;
  auto whole = [&](int64_t bytes) {
    return std::max<int64_t>(1, bytes / readGranuleBytes(made.readBits)) *
           readGranuleBytes(made.readBits);
  };
  made.l1BufferBytes = whole(machine.l1Bytes / 2);
  made.l2BufferBytes = whole(machine.l2Bytes / 2);
  made.l3BufferBytes = whole(std::min(4 * machine.l2Bytes, machine.l3Bytes / 2));
  std::shared_ptr<char> memory = allocatePages(std::max(made.l2BufferBytes, made.l3BufferBytes));
  if (!memory)
    return llvm::createStringError("no memory for a buffer");
  auto l1 = addRead("L1", memory, made.l1BufferBytes);
  auto l2 = addRead("L2", memory, made.l2BufferBytes);
  auto l3 = addRead("L3", memory, made.l3BufferBytes);
  if (!l1 || !l2 || !l3)
    return llvm::joinErrors(l1.takeError(), llvm::joinErrors(l2.takeError(), l3.takeError()));
  std::tie(made.l1, made.l2, made.l3) = std::tuple(*l1, *l2, *l3);
  return llvm::Error::success();
}

llvm::Error Maker::addMemory() {
  made.memoryBufferBytes = chooseMemoryBytes(target.machine);
  std::shared_ptr<char> memory = allocatePages(made.memoryBufferBytes);
  if (!memory)
    return llvm::createStringError("no memory for a buffer larger than the caches");
  int64_t bytes = made.memoryBufferBytes;
  auto one = measureMemory("memory", *reading, readName, memory, bytes, makeResults());
  auto streams =
      measureMemory("memory, streams", *reading, readStreamsName, memory, bytes, makeResults());
  auto all = measureAllCores(*reading, readName, cores, makeResults());
  if (!one || !streams || !all)
    return llvm::joinErrors(one.takeError(),
                            llvm::joinErrors(streams.takeError(), all.takeError()));
  made.memory = keep(std::move(*one));
  made.memoryStreams = keep(std::move(*streams));
  made.allCores = keep(std::move(*all));
  made.memoryLatency = keep(measureLatency(memory, bytes, target.machine.cacheLineBytes));
  return llvm::Error::success();
}

llvm::Expected<Benchmarks> ucmoh::makeBenchmarks(const Target &target, StringRef targetName,
                                                 ArrayRef<int> cores) {
  Maker maker{target, targetName, cores};
  maker.context()
      ->loadDialect<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  maker.choose();
  for (auto step : {&Maker::compileReading, &Maker::addClock, &Maker::addCosts, &Maker::addCaches,
                    &Maker::addBroadcast, &Maker::addMemory})
    if (auto error = (maker.*step)())
      return std::move(error);
  return std::move(maker.made);
}
