//===- Lookup.cpp - Look-ups in tables of bytes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallVerifier.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

static bool isVectorOfBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() &&
         vector.getElementType().isInteger(8);
}

LogicalResult LookupOp::verifyRegions() {
  constexpr int64_t entries = 256;
  Block &body = getBody().front();
  TypeRange types = body.getArgumentTypes();
  auto fail = [&] { return mlir::emitError(getLoc()) << "lookup @" << getSymName() << ": "; };
  if (types.size() != 2 || !llvm::all_of(types, isVectorOfBytes) ||
      cast<VectorType>(types[0]).getNumElements() != entries)
    return fail() << "the body must take a table, vector<" << entries
                  << "xi8>, and places, a vector of i8";
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield || yield.getResults().getTypes() != types.drop_front())
    return fail() << "the body must yield a vector like that of the places";
  WalkResult result = getOperation()->walk([](LLVM::CallIntrinsicOp call) {
    return failed(verifyIntrinsicCall(call)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
