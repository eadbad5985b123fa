//===- EntryPoints.cpp - The functions that C programs call
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoints.h"
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
      : module(module), interface(interface), builder(module.getContext()) {}
  void writeConstant(const char *suffix, llvm::Constant *value);
  void writePack();
  void writeRun();
  llvm::IRBuilder<> &getBuilder() { return builder; }

private:
  using WriteBody = llvm::function_ref<void(ArrayRef<llvm::Value *>)>;

  llvm::Function *create(const llvm::Twine &name, llvm::Type *result, ArrayRef<llvm::Type *> types);
  /// NAME`suffix`(pointers...), which calls a body with them where CPU and memory suffice.
  void writeGuarded(const char *suffix, size_t pointers, WriteBody body);
  llvm::Value *at(llvm::Value *block, int64_t offset) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), block, offset);
  }
  llvm::Value *loadPointer(llvm::Value *list, int64_t index) {
    return builder.CreateLoad(builder.getPtrTy(),
                              builder.CreateConstGEP1_64(builder.getPtrTy(), list, index));
  }
  /// Appends what stands for the parameter in a call: a scalar, or a buffer's descriptor.
  void append(SmallVectorImpl<llvm::Value *> &arguments, const llvm::Function &callee,
              const Parameter &parameter, llvm::Value *memory);
  void storeScalars(llvm::Value *returned, llvm::Value *outputs);

  llvm::Module &module;
  const CInterface &interface;
  llvm::IRBuilder<> builder;
};

} // namespace

llvm::Function *EntryPointWriter::create(const llvm::Twine &name, llvm::Type *result,
                                         ArrayRef<llvm::Type *> types) {
  auto *function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                          llvm::GlobalValue::ExternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function));
  return function;
}

void EntryPointWriter::writeConstant(const char *suffix, llvm::Constant *value) {
  create(interface.name + suffix, value->getType(), {});
  builder.CreateRet(value);
}

void EntryPointWriter::writeGuarded(const char *suffix, size_t pointers, WriteBody body) {
  llvm::Type *pointer = builder.getPtrTy();
  llvm::Function *inner = create(interface.name + suffix + ".body", builder.getVoidTy(), {pointer});
  inner->setLinkage(llvm::GlobalValue::InternalLinkage);
  SmallVector<llvm::Value *> loaded;
  for (size_t i = 0; i < pointers; ++i)
    loaded.push_back(loadPointer(inner->getArg(0), i));
  body(loaded);
  builder.CreateRetVoid();
  llvm::Function *outer = create(interface.name + suffix, builder.getInt32Ty(),
                                 SmallVector<llvm::Type *>(pointers, pointer));
  // What comes before the check of the CPU.
  outer->addFnAttr("target-cpu", oldestCpu(module.getTargetTriple()));
  outer->addFnAttr("target-features", "");
  llvm::Value *frame = builder.CreateAlloca(pointer, builder.getInt64(pointers));
  for (size_t i = 0; i < pointers; ++i)
    builder.CreateStore(outer->getArg(i), builder.CreateConstGEP1_64(pointer, frame, i));
  auto guard = module.getOrInsertFunction("ucmoh_call", builder.getInt32Ty(), pointer, pointer);
  builder.CreateRet(builder.CreateCall(guard, {inner, frame}));
}

void EntryPointWriter::append(SmallVectorImpl<llvm::Value *> &arguments,
                              const llvm::Function &callee, const Parameter &parameter,
                              llvm::Value *memory) {
  if (parameter.isScalar) {
    llvm::Type *type = callee.getArg(arguments.size())->getType();
    arguments.push_back(builder.CreateLoad(type, memory));
    return;
  }
  arguments.append({memory, memory, builder.getInt64(0)});
  for (int64_t extent : parameter.shape)
    arguments.push_back(builder.getInt64(extent));
  for (size_t dim = 1; dim <= parameter.shape.size(); ++dim)
    arguments.push_back(builder.getInt64(std::accumulate(
        parameter.shape.begin() + dim, parameter.shape.end(), int64_t(1), std::multiplies<>())));
}

void EntryPointWriter::writePack() {
  const std::optional<Signature> &pack = interface.function->pack;
  const Signature &compiled = interface.function->compiled;
  writeGuarded("_pack", 2, [&](ArrayRef<llvm::Value *> pointers) {
    llvm::Value *weights = pointers[0], *block = pointers[1];
    auto weight = [&](const Signature &signature, size_t i) {
      return loadPointer(weights, interface.indexInList(CInterface::positionOf(signature, i)));
    };
    for (auto [i, offset] : llvm::enumerate(interface.block.raw))
      if (offset)
        builder.CreateMemCpy(at(block, *offset), llvm::Align(64), weight(compiled, i),
                             llvm::Align(1), bytesOf(compiled.parameters[i]));
    if (!pack)
      return;
    llvm::Function *callee = module.getFunction(pack->name);
    SmallVector<llvm::Value *> arguments;
    for (auto [i, parameter] : llvm::enumerate(pack->parameters))
      append(arguments, *callee, parameter, weight(*pack, i));
    for (auto [result, offset] : llvm::zip_equal(pack->results, interface.block.packed))
      append(arguments, *callee, result, at(block, offset));
    builder.CreateCall(callee, arguments);
  });
}

/// Tensors were written where they belong; scalars are returned.
void EntryPointWriter::storeScalars(llvm::Value *returned, llvm::Value *outputs) {
  unsigned next = 0;
  for (auto [i, result] : llvm::enumerate(interface.function->compiled.results)) {
    if (!result.isScalar)
      continue;
    bool isOneOfSeveral = returned->getType()->isStructTy();
    llvm::Value *scalar = isOneOfSeveral ? builder.CreateExtractValue(returned, next++) : returned;
    builder.CreateStore(scalar, loadPointer(outputs, i));
  }
}

void EntryPointWriter::writeRun() {
  const Signature &compiled = interface.function->compiled;
  writeGuarded("_run", 3, [&](ArrayRef<llvm::Value *> pointers) {
    llvm::Value *inputs = pointers[0], *outputs = pointers[1], *block = pointers[2];
    llvm::Function *callee = module.getFunction(compiled.name);
    SmallVector<llvm::Value *> arguments;
    for (auto [i, parameter] : llvm::enumerate(compiled.parameters)) {
      std::optional<int64_t> raw = interface.block.raw[i];
      llvm::Value *memory =
          parameter.packed ? at(block, interface.block.packed[*parameter.packed])
          : raw ? at(block, *raw)
                : loadPointer(inputs, interface.indexInList(CInterface::positionOf(compiled, i)));
      append(arguments, *callee, parameter, memory);
    }
    for (auto [i, result] : llvm::enumerate(compiled.results))
      if (!result.isScalar)
        append(arguments, *callee, result, loadPointer(outputs, i));
    storeScalars(builder.CreateCall(callee, arguments), outputs);
  });
}

void ucmoh::addEntryPoints(llvm::Module &module, const CInterface &interface,
                           const std::string &description) {
  EntryPointWriter writer(module, interface);
  writer.writePack();
  writer.writeRun();
  llvm::IRBuilder<> &builder = writer.getBuilder();
  writer.writeConstant("_packed_bytes", builder.getInt64(interface.block.bytes));
  writer.writeConstant("_describe",
                       builder.CreateGlobalString(description, "description", 0, &module));
}
