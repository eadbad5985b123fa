//===- EntryPoints.cpp - The functions that C programs call
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoints.h"
#include "CallWriter.h"
#include "Support.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace ucmoh;

namespace {

/// Writes the functions of one interface.
class EntryPointWriter {
public:
  EntryPointWriter(llvm::Module &module, const CInterface &interface)
      : module(module), interface(interface), calls(module, interface),
        builder(calls.getBuilder()) {}
  void writeConstant(const char *suffix, llvm::Constant *value);
  void writePack();
  void writeRun();
  void writeUseThreads();
  llvm::IRBuilder<> &getBuilder() { return builder; }

private:
  using WriteBody = llvm::function_ref<void(ArrayRef<llvm::Value *>)>;

  /// NAME`suffix`(pointers...), which calls a body with them where CPU and memory suffice.
  void writeGuarded(const char *suffix, size_t pointers, WriteBody body);
  /// Returns 3 where an open extent is none that is promised; nothing else was read by then.
  void checkExtents(llvm::Function *function, llvm::Value *extents);
  llvm::Value *loadPointer(llvm::Value *list, int64_t index) {
    return builder.CreateLoad(builder.getPtrTy(),
                              builder.CreateConstGEP1_64(builder.getPtrTy(), list, index));
  }

  llvm::Module &module;
  const CInterface &interface;
  CallWriter calls;
  llvm::IRBuilder<> &builder;
};

} // namespace

void EntryPointWriter::writeConstant(const char *suffix, llvm::Constant *value) {
  calls.create(interface.name + suffix, value->getType(), {});
  builder.CreateRet(value);
}

/// Arguments of @NAME_run: inputs, outputs, packed weights, extents.
static constexpr size_t pointersWithExtents = 4;

void EntryPointWriter::checkExtents(llvm::Function *function, llvm::Value *extents) {
  llvm::Type *word = builder.getInt64Ty();
  llvm::Value *allowed = builder.getTrue();
  for (auto [i, range] : llvm::enumerate(interface.extents())) {
    llvm::Value *extent = builder.CreateLoad(word, builder.CreateConstGEP1_64(word, extents, i));
    allowed = builder.CreateAnd(
        allowed, builder.CreateAnd(builder.CreateICmpSGE(extent, builder.getInt64(range.least)),
                                   builder.CreateICmpSLE(extent, builder.getInt64(range.most))));
  }
  auto *refused = llvm::BasicBlock::Create(module.getContext(), "refused", function);
  auto *taken = llvm::BasicBlock::Create(module.getContext(), "taken", function);
  builder.CreateCondBr(allowed, taken, refused);
  builder.SetInsertPoint(refused);
  builder.CreateRet(builder.getInt32(3));
  builder.SetInsertPoint(taken);
}

void EntryPointWriter::writeGuarded(const char *suffix, size_t pointers, WriteBody body) {
  llvm::Type *pointer = builder.getPtrTy();
  llvm::Function *inner =
      calls.create(interface.name + suffix + ".body", builder.getVoidTy(), {pointer});
  inner->setLinkage(llvm::GlobalValue::InternalLinkage);
  SmallVector<llvm::Value *> loaded;
  for (size_t i = 0; i < pointers; ++i)
    loaded.push_back(loadPointer(inner->getArg(0), i));
  body(loaded);
  builder.CreateRetVoid();
  llvm::Function *outer = calls.create(interface.name + suffix, builder.getInt32Ty(),
                                       SmallVector<llvm::Type *>(pointers, pointer));
  // This function runs before the check of the CPU.
  outer->addFnAttr("target-cpu", oldestCpu(module.getTargetTriple()));
  outer->addFnAttr("target-features", "");
  if (pointers == pointersWithExtents)
    checkExtents(outer, outer->getArg(pointers - 1));
  llvm::Value *frame = builder.CreateAlloca(pointer, builder.getInt64(pointers));
  for (size_t i = 0; i < pointers; ++i)
    builder.CreateStore(outer->getArg(i), builder.CreateConstGEP1_64(pointer, frame, i));
  auto guard = module.getOrInsertFunction("ucmoh_call", builder.getInt32Ty(), pointer, pointer);
  builder.CreateRet(builder.CreateCall(guard, {inner, frame}));
}

void EntryPointWriter::writePack() {
  writeGuarded("_pack", 2, [&](ArrayRef<llvm::Value *> pointers) {
    auto weight = [&](int64_t index) { return loadPointer(pointers[0], index); };
    auto advise = module.getOrInsertFunction("ucmoh_want_large_pages", builder.getVoidTy(),
                                             builder.getPtrTy(), builder.getInt64Ty());
    builder.CreateCall(advise, {pointers[1], builder.getInt64(interface.block.bytes)});
    calls.writePack(weight, pointers[1]);
  });
}

void EntryPointWriter::writeRun() {
  bool isOpen = !interface.extents().empty();
  writeGuarded("_run", isOpen ? pointersWithExtents : 3, [&](ArrayRef<llvm::Value *> pointers) {
    auto input = [&](int64_t index) { return loadPointer(pointers[0], index); };
    auto output = [&](int64_t index) { return loadPointer(pointers[1], index); };
    calls.writeRun(input, output, pointers[2], isOpen ? pointers[3] : nullptr);
  });
}

/// NAME_use_threads(parallelFor, context), for all functions of the library.
void EntryPointWriter::writeUseThreads() {
  SmallVector<llvm::Type *> pointers(2, builder.getPtrTy());
  llvm::Function *function =
      calls.create(interface.name + "_use_threads", builder.getVoidTy(), pointers);
  auto use = module.getOrInsertFunction("ucmoh_use_threads", function->getFunctionType());
  builder.CreateCall(use, {function->getArg(0), function->getArg(1)});
  builder.CreateRetVoid();
}

void ucmoh::addEntryPoints(llvm::Module &module, const CInterface &interface,
                           const LibraryTarget &target) {
  EntryPointWriter writer(module, interface);
  writer.writePack();
  writer.writeRun();
  if (target.threads > 1)
    writer.writeUseThreads();
  llvm::IRBuilder<> &builder = writer.getBuilder();
  writer.writeConstant("_packed_bytes", builder.getInt64(interface.block.bytes));
  writer.writeConstant("_describe", builder.CreateGlobalString(describe(interface, target),
                                                               "description", 0, &module));
}
