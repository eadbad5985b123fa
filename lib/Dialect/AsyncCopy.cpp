//===- AsyncCopy.cpp - Copies to shared memory that run beside the computation
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
  if (body.empty() && op.getLike())
    return success(); // the library of targets fills it in
  if (body.empty())
    return fail() << "is missing; write it, or name a copy that has it: like(@NAME)";
  auto yield = body.front().empty() ? YieldOp() : dyn_cast<YieldOp>(body.front().back());
  if (!yield || !yield.getResults().empty())
    return fail() << "must end in 'ucmoh.yield' without operands";
  if (!fits(body.getArgumentTypes()))
    return fail() << "must take " << takes;
  return success();
}

/// Whether `types` are what `letters` says: p for a pointer, i for an i32.
static bool haveForm(TypeRange types, StringRef letters) {
  return types.size() == letters.size() && llvm::all_of(llvm::zip(types, letters), [](auto pair) {
           auto [type, letter] = pair;
           return letter == 'p' ? isa<LLVM::LLVMPointerType>(type) : type.isInteger(32);
         });
}

static LogicalResult verifyBodies(AsyncCopyOp op) {
  auto verify = [&](Region &body, StringRef name, StringRef letters, StringRef takes) {
    return verifyBody(op, body, name, takes,
                      [&](TypeRange types) { return haveForm(types, letters); });
  };
  if (!op.getBarrier())
    return success(succeeded(verify(op.getCopy(), "copy", "ppi", "two pointers and an i32")) &&
                   succeeded(verify(op.getCommit(), "commit", "", "nothing")) &&
                   succeeded(verify(op.getWait(), "wait", "i", "an i32")));
  return success(
      succeeded(verify(op.getInit(), "init", "pi", "a pointer and an i32")) &&
      succeeded(verify(op.getCopy(), "copy", "ppip", "two pointers, an i32 and a pointer")) &&
      succeeded(verify(op.getCommit(), "commit", "p", "a pointer")) &&
      succeeded(verify(op.getWait(), "wait", "pi", "a pointer and an i32")));
}

LogicalResult AsyncCopyOp::verifyRegions() {
  bool lacksInit = getInit().empty() && !getLike();
  if (getBarrier() ? lacksInit : !getInit().empty())
    return emitOpError("needs 'init' if and only if it has a 'barrier'");
  if (failed(verifyBodies(*this)))
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
