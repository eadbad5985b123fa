//===- Scratch.h - Memory that the caller gives instead of an allocator
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COMPILE_SCRATCH_H
#define UCMOH_LIB_COMPILE_SCRATCH_H

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace ucmoh {

/// Gives malloc and free names that LLVM does not know, so that placeScratch finds each call again
/// after optimization.
void nameAllocations(llvm::Module &module);

/// Places what `function` allocates in `memory`, one of its values, which is aligned to cache
/// lines; buffers that are never alive at once share their place. All iterations of a loop have one
/// place for what each allocates and frees. Returns the bytes that it needs, or an error where a
/// size is not fixed or a buffer outlives the iteration that allocates it.
llvm::Expected<int64_t> placeScratch(llvm::Function &function, llvm::Value &memory);

} // namespace ucmoh

#endif // UCMOH_LIB_COMPILE_SCRATCH_H
