//===- Instruments.cpp - The quantities of a machine, ready to be sampled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instruments.h"
#include "../TilePermission.h"
#include "Memory.h"
#include "Reading.h"
#include "Streams.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Transforms/Pipeline.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

/// Additions beside a few executions: how long one takes at all.
static constexpr int64_t firstAdditions = 512;
/// How much longer the chain of additions is than the stream beside it, so that it is what counts.
static constexpr double chainOverStream = 1.25;
static constexpr int64_t broadcastBufferElements = 2048;
static constexpr double cachedCallSeconds = 100e-6;
static constexpr const char *readName = "read", *broadcastName = "broadcast", *clockName = "clock";

namespace {
/// Fills the instruments, step by step.
struct Maker {
  const Target &target;
  StringRef targetName;
  ArrayRef<int> cores;
  Instruments made = {};

  MLIRContext *context() const { return target.library->getModule().getContext(); }
  std::string nameOf(size_t index, bool isChain) const {
    return llvm::formatv("{0}_{1}", isChain ? "chain" : "stream", index);
  }
  void choose();
  OwningOpRef<ModuleOp> writePrograms();
  llvm::Expected<std::unique_ptr<Executable>> compile(ModuleOp module);
  llvm::Expected<Quantity *> addStreamQuantity(size_t index, bool isChain);
  llvm::Expected<std::function<double()>> compileClock(const StreamShape &shape);
  llvm::Expected<Quantity *> addRead(StringRef name, std::shared_ptr<char> memory, int64_t bytes);
  llvm::Error addCosts();
  llvm::Error addClock();
  llvm::Error addCaches();
  llvm::Error addBroadcast();
  llvm::Error addMemory();
  Quantity *keep(Quantity quantity) {
    made.quantities.push_back(std::make_unique<Quantity>(std::move(quantity)));
    return made.quantities.back().get();
  }
  Tensor makeResults() const {
    return Tensor(IntegerType::get(context(), 64), {loadsPerRound * made.readBits / 64});
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
    if (isBroadcast(intrinsic) &&
        (!made.broadcasting || intrinsic.registerBits > made.broadcasting->registerBits))
      made.broadcasting = &intrinsic;
  }
  if (!made.readBits) // only tiles: what every CPU of today has
    made.readBits = 128;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> Maker::writePrograms() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context()));
  for (auto [i, intrinsic] : llvm::enumerate(target.intrinsics)) {
    addStream(*module, nameOf(i, true), intrinsic, chainOf(intrinsic));
    addStream(*module, nameOf(i, false), intrinsic, streamOf(intrinsic));
  }
  ucmoh::addRead(*module, readName, made.readBits);
  if (made.broadcasting)
    addBroadcasts(*module, broadcastName, *made.broadcasting);
  return module;
}

llvm::Expected<std::unique_ptr<Executable>> Maker::compile(ModuleOp module) {
  ToLLVMPipelineOptions options;
  options.target = targetName.str();
  PassManager passes(context());
  buildToLLVMPipeline(passes, options);
  if (failed(passes.run(module)))
    return llvm::createStringError("the programs that measure do not compile");
  requestTilePermission(target.features);
  return Executable::compile(module, {target.triple, target.cpu, target.features});
}

//===----------------------------------------------------------------------===//
// Intrinsics and the clock
//===----------------------------------------------------------------------===//

llvm::Expected<Quantity *> Maker::addStreamQuantity(size_t index, bool isChain) {
  const Intrinsic &intrinsic = target.intrinsics[index];
  StreamShape shape = isChain ? chainOf(intrinsic) : streamOf(intrinsic);
  auto measure = timeFunction(*made.executable, nameOf(index, isChain),
                              makeStreamArguments(intrinsic, shape), shape.executions);
  if (!measure)
    return measure.takeError();
  return keep({intrinsic.id(), /*usesCaches=*/false, *measure});
}

llvm::Error Maker::addCosts() {
  for (auto [i, intrinsic] : llvm::enumerate(target.intrinsics)) {
    auto chain = addStreamQuantity(i, /*isChain=*/true);
    if (!chain)
      return chain.takeError();
    auto stream = addStreamQuantity(i, /*isChain=*/false);
    if (!stream)
      return stream.takeError();
    made.costs.push_back({&intrinsic, *chain, *stream});
  }
  return llvm::Error::success();
}

/// Seconds of one addition beside a stream of the heaviest intrinsic.
llvm::Expected<std::function<double()>> Maker::compileClock(const StreamShape &shape) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context()));
  addStream(*module, clockName, *made.heaviest, shape);
  auto compiled = compile(*module);
  if (!compiled)
    return compiled.takeError();
  made.clockExecutable = std::move(*compiled);
  return timeFunction(*made.clockExecutable, clockName, makeStreamArguments(*made.heaviest, shape),
                      shape.additions);
}

/// The chain is first tried so long that it surely is what counts; then made as short as it may be,
/// so that the vector units have work all the time.
llvm::Error Maker::addClock() {
  StreamShape shape = streamOf(*made.heaviest);
  auto stream =
      timeFunction(*made.executable, nameOf(made.heaviest - target.intrinsics.data(), false),
                   makeStreamArguments(*made.heaviest, shape), 1);
  shape.additions = firstAdditions;
  auto addition = compileClock(shape);
  if (!stream || !addition)
    return llvm::joinErrors(stream.takeError(), addition.takeError());
  Quantity round("", false, *stream), one("", false, *addition);
  for (int i = 0; i < 100; ++i) {
    round.sample();
    one.sample();
  }
  shape.additions = std::ceil(chainOverStream * round.best() / one.best());
  auto clock = compileClock(shape);
  if (!clock)
    return clock.takeError();
  made.clock = keep({"clock", /*usesCaches=*/false, *clock});
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Caches and memory
//===----------------------------------------------------------------------===//

llvm::Expected<Quantity *> Maker::addRead(StringRef name, std::shared_ptr<char> memory,
                                          int64_t bytes) {
  Tensor buffer(IntegerType::get(context(), 64), {bytes / 8}, memory);
  auto measure =
      timeFunction(*made.executable, readName, {buffer, makeResults()}, bytes, cachedCallSeconds);
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

llvm::Error Maker::addBroadcast() {
  if (!made.broadcasting)
    return llvm::Error::success();
  IntrinsicOp op = made.broadcasting->op;
  Tensor buffer(op.getSignlessType(Role::lhs), {broadcastBufferElements * made.broadcasting->k});
  double bytes = broadcastBufferElements * made.broadcasting->registerBits / 8.0;
  auto measure = timeFunction(*made.executable, broadcastName, {buffer, makeResults()}, bytes);
  if (!measure)
    return measure.takeError();
  made.broadcast = keep({"broadcasts", /*usesCaches=*/false, *measure});
  return llvm::Error::success();
}

llvm::Error Maker::addMemory() {
  made.memoryBufferBytes = chooseMemoryBytes(target.machine);
  std::shared_ptr<char> memory = allocatePages(made.memoryBufferBytes);
  if (!memory)
    return llvm::createStringError("no memory for a buffer larger than the caches");
  auto one =
      measureMemory(*made.executable, readName, memory, made.memoryBufferBytes, makeResults());
  auto all = measureAllCores(*made.executable, readName, cores, makeResults());
  if (!one || !all)
    return llvm::joinErrors(one.takeError(), all.takeError());
  made.memory = keep(std::move(*one));
  made.allCores = keep(std::move(*all));
  made.memoryLatency =
      keep(measureLatency(memory, made.memoryBufferBytes, target.machine.cacheLineBytes));
  return llvm::Error::success();
}

llvm::Expected<Instruments> ucmoh::makeInstruments(const Target &target, StringRef targetName,
                                                   ArrayRef<int> cores) {
  Maker maker{target, targetName, cores};
  maker.context()
      ->loadDialect<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  maker.choose();
  auto executable = maker.compile(*maker.writePrograms());
  if (!executable)
    return executable.takeError();
  maker.made.executable = std::move(*executable);
  for (auto step : {&Maker::addClock, &Maker::addCosts, &Maker::addCaches, &Maker::addBroadcast,
                    &Maker::addMemory})
    if (auto error = (maker.*step)())
      return std::move(error);
  return std::move(maker.made);
}
