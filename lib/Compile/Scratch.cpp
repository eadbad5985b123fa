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
/// outside of loops that is an order of time.
struct Buffer {
  CallInst *take;
  std::vector<CallInst *> gives;
  int64_t bytes, first, last, offset = 0;

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

static Expected<std::vector<Buffer>> findBuffers(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  std::vector<Buffer> buffers;
  DenseMap<Value *, size_t> indices;
  int64_t position = 0;
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block) {
      ++position;
      bool isTake = isCallOf(instruction, takeName), isGive = isCallOf(instruction, giveName);
      if (!isTake && !isGive)
        continue;
      auto *call = cast<CallInst>(&instruction);
      if (loops.getLoopFor(block))
        return createStringError("a loop allocates memory");
      if (isTake) {
        auto *bytes = dyn_cast<ConstantInt>(call->getArgOperand(0));
        if (!bytes)
          return createStringError("a buffer has no fixed size");
        indices[call] = buffers.size();
        buffers.push_back({call, {}, bytes->getSExtValue(), position, INT64_MAX});
      } else if (auto it = indices.find(call->getArgOperand(0)); it != indices.end()) {
        buffers[it->second].last = position;
        buffers[it->second].gives.push_back(call);
      } else {
        return createStringError("memory is freed that was not allocated in the same function");
      }
    }
  return buffers;
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
  auto buffers = findBuffers(function);
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
