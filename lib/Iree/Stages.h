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
};

/// A dispatch: NAME_pack or NAME_run.
struct Stage {
  std::string symbol;                    ///< of the function in the code
  llvm::SmallVector<Binding> bindings;   ///< operands, then results
  llvm::SmallVector<unsigned> arguments; ///< of the group's function, that are its first operands
};

/// NAME_run, behind NAME_pack if there is one. The block that this computes first is the operand of
/// NAME_run behind its arguments; the last result of each is scratch memory.
std::vector<Stage> stagesOf(const CompiledGroup &group);

/// The group as a function.
mlir::func::FuncOp functionOf(const CompiledGroup &group);

/// Writes the code as a hal.executable @NAME with a variant @code, whose exports are named
/// SYMBOL_dispatch. `target` as in writeObjectSpec.
void writeExecutable(llvm::raw_ostream &os, const CompiledGroup &group, llvm::StringRef target);

} // namespace ucmoh

#endif // UCMOH_LIB_IREE_STAGES_H
