//===- Stages.h - The dispatches that a group becomes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_IREE_STAGES_H
#define UCMOH_LIB_IREE_STAGES_H

#include "ucmoh/Iree/CompiledGroups.h"

namespace ucmoh {

/// A buffer that a dispatch reads or writes; IREE calls it a binding.
struct Binding {
  mlir::RankedTensorType type; ///< as a tensor
  bool isResult;               ///< else it is only read
  bool isPart = false;         ///< whether each workgroup has a part of it
};

/// A parameter of the code: where it begins in a buffer.
struct CodeParameter {
  size_t binding; ///< the buffer
  int64_t offset; ///< bytes
};

/// A dispatch: NAME_pack or NAME_run.
struct Stage {
  std::string symbol;                          ///< the function's name in the code
  llvm::SmallVector<Binding> bindings;         ///< operands, then results
  llvm::SmallVector<CodeParameter> parameters; ///< the parameters of the function in the code
  /// Arguments of the group's function, that are its first operands.
  llvm::SmallVector<unsigned> arguments;
  int64_t workgroups = 1; ///< that call the function
};

/// NAME_run, behind NAME_pack if there is one. The block that this computes first is the operand of
/// NAME_run behind its arguments; the last result of each is scratch memory.
std::vector<Stage> stagesOf(const CompiledGroup &group);

/// Where the weights begin in the constant that they become, in bytes, and its size at the end.
llvm::SmallVector<int64_t> mergedOffsets(const CompiledGroup &group);

/// The group as a function.
mlir::func::FuncOp functionOf(const CompiledGroup &group);

/// Writes the code as a hal.executable @NAME with a variant @code, whose exports are named
/// SYMBOL_dispatch. `target` as in writeObjectSpec.
void writeExecutable(llvm::raw_ostream &os, const CompiledGroup &group, llvm::StringRef target);

} // namespace ucmoh

#endif // UCMOH_LIB_IREE_STAGES_H
