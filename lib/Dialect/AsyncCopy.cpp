//===- AsyncCopy.cpp - Copies to scratch that run beside the computation
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallVerifier.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

/// One body: its arguments' types, and an end that yields nothing.
static LogicalResult verifyBody(AsyncCopyOp op, Region &body, StringRef name, StringRef takes,
                                function_ref<bool(TypeRange)> fits) {
  auto fail = [&] {
    return mlir::emitError(op.getLoc())
           << "async_copy @" << op.getSymName() << ": '" << name << "' ";
  };
  auto yield = body.front().empty() ? YieldOp() : dyn_cast<YieldOp>(body.front().back());
  if (!yield || !yield.getResults().empty())
    return fail() << "must end in 'ucmoh.yield' without operands";
  if (!fits(body.getArgumentTypes()))
    return fail() << "must take " << takes;
  return success();
}

LogicalResult AsyncCopyOp::verifyRegions() {
  auto copies = [](TypeRange types) {
    return types.size() == 3 && isa<LLVM::LLVMPointerType>(types[0]) &&
           isa<LLVM::LLVMPointerType>(types[1]) && types[2].isInteger(32);
  };
  auto nothing = [](TypeRange types) { return types.empty(); };
  auto count = [](TypeRange types) { return types.size() == 1 && types[0].isInteger(32); };
  if (failed(verifyBody(*this, getCopy(), "copy", "two pointers and an i32", copies)) ||
      failed(verifyBody(*this, getCommit(), "commit", "nothing", nothing)) ||
      failed(verifyBody(*this, getWait(), "wait", "an i32", count)))
    return failure();
  WalkResult result = getOperation()->walk([](LLVM::CallIntrinsicOp call) {
    return failed(verifyIntrinsicCall(call)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult CopyOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  if (source.getRank() != 1 || target.getRank() != 1)
    return emitOpError("copies between flat buffers");
  if (source.getElementType() != target.getElementType())
    return emitOpError("copies elements of one type, but has ") << source << " and " << target;
  return success();
}
