//===- ArgumentAttrs.cpp - What is said of a function's arguments
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ucmoh;

/// Whether there are numbers of the type, read as signed or unsigned, that are the two bounds.
static bool fits(ArrayRef<int64_t> bounds, unsigned bits) {
  return bounds.size() == 2 && bounds[0] <= bounds[1] && bounds[0] >= llvm::minIntN(bits) &&
         bounds[1] <= (bounds[0] < 0 ? llvm::maxIntN(bits) : int64_t(llvm::maxUIntN(bits)));
}

LogicalResult UCMoHDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                     unsigned argument, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || attribute.getName() != "ucmoh.range")
    return success();
  auto tensor = dyn_cast<RankedTensorType>(function.getArgumentTypes()[argument]);
  auto element = tensor ? dyn_cast<IntegerType>(tensor.getElementType()) : IntegerType();
  if (!element || element.getWidth() > 32)
    return op->emitError(
               "'ucmoh.range' is for tensors of integers of at most 32 bits, but argument #")
           << argument << " is not one";
  auto bounds = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (!bounds || !fits(bounds, element.getWidth()))
    return op->emitError("'ucmoh.range' of argument #")
           << argument << " must be array<i64: LOW, HIGH> of numbers that " << element << " holds";
  return success();
}
