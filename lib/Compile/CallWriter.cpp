//===- CallWriter.cpp - Calls of a compiled function with plain pointers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallWriter.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace ucmoh;

llvm::Function *CallWriter::create(const llvm::Twine &name, llvm::Type *result,
                                   ArrayRef<llvm::Type *> types) {
  auto *function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                          llvm::GlobalValue::ExternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function));
  return function;
}

void CallWriter::append(SmallVectorImpl<llvm::Value *> &arguments, const llvm::Function &callee,
                        const Parameter &parameter, llvm::Value *memory) {
  append(arguments, callee, parameter, memory, /*extents=*/nullptr, parameter);
}

void CallWriter::append(SmallVectorImpl<llvm::Value *> &arguments, const llvm::Function &callee,
                        const Parameter &parameter, llvm::Value *memory, llvm::Value *extents,
                        const Parameter &original) {
  if (parameter.isScalar) {
    llvm::Type *type = callee.getArg(arguments.size())->getType();
    arguments.push_back(builder.CreateLoad(type, memory));
    return;
  }
  arguments.append({memory, memory, builder.getInt64(0)});
  SmallVector<llvm::Value *> shape, strides;
  for (auto [dim, extent] : llvm::enumerate(parameter.shape)) {
    llvm::Type *word = builder.getInt64Ty();
    bool isOpen = ShapedType::isDynamic(extent);
    shape.push_back(isOpen ? builder.CreateLoad(word, builder.CreateConstGEP1_64(
                                                          word, extents, original.extents[dim]))
                           : static_cast<llvm::Value *>(builder.getInt64(extent)));
  }
  llvm::Value *stride = builder.getInt64(1);
  for (llvm::Value *extent : llvm::reverse(shape)) {
    strides.push_back(stride);
    stride = builder.CreateMul(stride, extent);
  }
  arguments.append(shape);
  llvm::append_range(arguments, llvm::reverse(strides));
}

void CallWriter::writePack(PointerAt weight, llvm::Value *block) {
  const std::optional<Signature> &pack = interface.function->pack;
  const Signature &compiled = interface.function->compiled;
  auto find = [&](const Signature &signature, size_t i) {
    return weight(interface.indexInList(CInterface::positionOf(signature, i)));
  };
  for (auto [i, offset] : llvm::enumerate(interface.block.raw))
    if (offset)
      builder.CreateMemCpy(at(block, *offset), llvm::Align(64), find(compiled, i), llvm::Align(1),
                           bytesOf(compiled.parameters[i]));
  if (!pack)
    return;
  llvm::Function *callee = module.getFunction(pack->name);
  SmallVector<llvm::Value *> arguments;
  for (auto [i, parameter] : llvm::enumerate(pack->parameters))
    append(arguments, *callee, parameter, find(*pack, i));
  for (auto [result, offset] : llvm::zip_equal(pack->results, interface.block.packed))
    append(arguments, *callee, result, at(block, offset));
  builder.CreateCall(callee, arguments);
}

/// Tensors were written where they belong; scalars are returned.
void CallWriter::storeScalars(llvm::Value *returned, PointerAt output) {
  unsigned next = 0;
  for (auto [i, result] : llvm::enumerate(interface.function->compiled.results)) {
    if (!result.isScalar)
      continue;
    bool isOneOfSeveral = returned->getType()->isStructTy();
    llvm::Value *scalar = isOneOfSeveral ? builder.CreateExtractValue(returned, next++) : returned;
    builder.CreateStore(scalar, output(i));
  }
}

void CallWriter::writeRun(PointerAt input, PointerAt output, llvm::Value *block,
                          llvm::Value *extents) {
  const Signature &compiled = interface.function->compiled;
  const Signature &original = interface.function->original;
  llvm::Function *callee = module.getFunction(compiled.name);
  SmallVector<llvm::Value *> arguments;
  for (auto [i, parameter] : llvm::enumerate(compiled.parameters)) {
    std::optional<int64_t> raw = interface.block.raw[i];
    llvm::Value *memory = parameter.packed ? at(block, interface.block.packed[*parameter.packed])
                          : raw ? at(block, *raw)
                                : input(interface.indexInList(CInterface::positionOf(compiled, i)));
    if (parameter.packed || raw)
      append(arguments, *callee, parameter, memory);
    else
      append(arguments, *callee, parameter, memory, extents,
             original.parameters[CInterface::positionOf(compiled, i)]);
  }
  for (auto [i, result] : llvm::enumerate(compiled.results))
    if (!result.isScalar)
      append(arguments, *callee, result, output(i), extents, original.results[i]);
  storeScalars(builder.CreateCall(callee, arguments), output);
}
