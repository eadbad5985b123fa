//===- CallWriter.h - Calls of a compiled function with plain pointers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COMPILE_CALLWRITER_H
#define UCMOH_LIB_COMPILE_CALLWRITER_H

#include "CInterface.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace ucmoh {

/// Writes calls of the functions of one interface, whose buffers are given as pointers.
class CallWriter {
public:
  /// The pointer to the input, weight or result with that index in its list.
  using PointerAt = llvm::function_ref<llvm::Value *(int64_t)>;

  CallWriter(llvm::Module &module, const CInterface &interface)
      : module(module), interface(interface), builder(module.getContext()) {}
  /// Appends a function without a body's end; the builder stands in it.
  llvm::Function *create(const llvm::Twine &name, llvm::Type *result,
                         llvm::ArrayRef<llvm::Type *> types);
  /// Fills the block of weights.
  void writePack(PointerAt weight, llvm::Value *block);
  /// Computes the results. `extents` points to the open extents, if there are any.
  void writeRun(PointerAt input, PointerAt output, llvm::Value *block, llvm::Value *extents);
  llvm::IRBuilder<> &getBuilder() { return builder; }

private:
  llvm::Value *at(llvm::Value *block, int64_t offset) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), block, offset);
  }
  /// Appends what stands for the parameter in a call: a scalar, or a buffer's descriptor.
  void append(llvm::SmallVectorImpl<llvm::Value *> &arguments, const llvm::Function &callee,
              const Parameter &parameter, llvm::Value *memory);
  /// The same for one whose open extents have the numbers of the function as written.
  void append(llvm::SmallVectorImpl<llvm::Value *> &arguments, const llvm::Function &callee,
              const Parameter &parameter, llvm::Value *memory, llvm::Value *extents,
              const Parameter &original);
  void storeScalars(llvm::Value *returned, PointerAt output);

  llvm::Module &module;
  const CInterface &interface;
  llvm::IRBuilder<> builder;
};

} // namespace ucmoh

#endif // UCMOH_LIB_COMPILE_CALLWRITER_H
