//===- Scratch.cpp - Memory that the caller gives instead of an allocator
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace ucmoh;

static constexpr char takeName[] = "ucmoh_take", giveName[] = "ucmoh_give";
static constexpr int64_t lineBytes = 64;

namespace {
/// A buffer, with the first and last instruction where it is alive, counted in reverse post-order:
/// outside of loops that is an order of time. One that a loop takes is alive in all of that loop.
struct Buffer {
  CallInst *take;
  std::vector<CallInst *> gives;
  int64_t bytes, first, last, offset = 0;
  Loop *loop = nullptr; ///< the innermost one around it

  bool isAliveWith(const Buffer &other) const { return first <= other.last && other.first <= last; }
};
} // namespace

void ucmoh::nameAllocations(Module &module) {
  if (Function *function = module.getFunction("malloc")) {
    function->setName(takeName);
    function->addRetAttr(Attribute::NoAlias);
  }
  if (Function *function = module.getFunction("free"))
    function->setName(giveName);
}

static bool isCallOf(const Instruction &instruction, StringRef name) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

namespace {
/// Finds the buffers of a function.
class BufferFinder {
public:
  explicit BufferFinder(Function &function)
      : function(function), dominators(function), loops(dominators) {}
  Expected<std::vector<Buffer>> run();

private:
  Error take(CallInst *call);
  Error give(CallInst *call);
  Error widen(Buffer &buffer);

  Function &function;
  DominatorTree dominators;
  LoopInfo loops;
  std::vector<Buffer> buffers;
  DenseMap<Value *, size_t> indices;
  /// Where a block begins and ends.
  DenseMap<const BasicBlock *, std::pair<int64_t, int64_t>> positions;
  int64_t position = 0;
};
} // namespace

Error BufferFinder::take(CallInst *call) {
  auto *bytes = dyn_cast<ConstantInt>(call->getArgOperand(0));
  if (!bytes)
    return createStringError("a buffer has no fixed size");
  indices[call] = buffers.size();
  buffers.push_back({call, {}, bytes->getSExtValue(), position, INT64_MAX});
  buffers.back().loop = loops.getLoopFor(call->getParent());
  return Error::success();
}

Error BufferFinder::give(CallInst *call) {
  auto it = indices.find(call->getArgOperand(0));
  if (it == indices.end())
    return createStringError("memory is freed that was not allocated in the same function");
  buffers[it->second].last = position;
  buffers[it->second].gives.push_back(call);
  return Error::success();
}

/// A buffer of a loop is alive in the outermost loop around it, in which each iteration has the
/// same memory: so none may outlive its iteration.
Error BufferFinder::widen(Buffer &buffer) {
  if (!buffer.loop)
    return Error::success();
  bool isGiven = !buffer.gives.empty() && all_of(buffer.gives, [&](CallInst *call) {
    return loops.getLoopFor(call->getParent()) == buffer.loop;
  });
  if (!isGiven)
    return createStringError("a loop allocates memory that it does not free");
  buffer.first = INT64_MAX, buffer.last = 0;
  for (BasicBlock *block : buffer.loop->getOutermostLoop()->blocks()) {
    buffer.first = std::min(buffer.first, positions[block].first);
    buffer.last = std::max(buffer.last, positions[block].second);
  }
  return Error::success();
}

Expected<std::vector<Buffer>> BufferFinder::run() {
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order) {
    positions[block].first = position;
    for (Instruction &instruction : *block) {
      ++position;
      if (isCallOf(instruction, takeName)) {
        if (Error error = take(cast<CallInst>(&instruction)))
          return error;
      } else if (isCallOf(instruction, giveName)) {
        if (Error error = give(cast<CallInst>(&instruction)))
          return error;
      }
    }
    positions[block].second = position;
  }
  for (Buffer &buffer : buffers)
    if (Error error = widen(buffer))
      return error;
  return std::move(buffers);
}

/// The lowest offset where no buffer that was placed is alive at the same time.
static int64_t findOffset(const Buffer &buffer, ArrayRef<Buffer> placed) {
  std::vector<std::pair<int64_t, int64_t>> taken;
  for (const Buffer &other : placed)
    if (buffer.isAliveWith(other))
      taken.push_back({other.offset, other.offset + other.bytes});
  llvm::sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + buffer.bytes <= begin)
      break;
    offset = std::max<int64_t>(offset, alignTo(end, lineBytes));
  }
  return offset;
}

Expected<int64_t> ucmoh::placeScratch(Function &function, Value &memory) {
  auto buffers = BufferFinder(function).run();
  if (!buffers)
    return buffers.takeError();
  int64_t bytes = 0;
  for (size_t i = 0; i < buffers->size(); ++i) {
    Buffer &buffer = (*buffers)[i];
    buffer.offset = findOffset(buffer, ArrayRef(*buffers).take_front(i));
    bytes = std::max(bytes, buffer.offset + buffer.bytes);
    IRBuilder<> builder(buffer.take);
    buffer.take->replaceAllUsesWith(
        builder.CreateConstGEP1_64(builder.getInt8Ty(), &memory, buffer.offset));
    buffer.take->eraseFromParent();
    for (CallInst *give : buffer.gives)
      give->eraseFromParent();
  }
  return bytes;
}
