//===- Target.cpp - ucmoh.target and ucmoh.machine
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinDialect.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace ucmoh;

static LogicalResult verifyDevice(TargetOp op) {
  auto fail = [&] { return mlir::emitError(op.getLoc()) << "target @" << op.getSymName() << ": "; };
  std::optional<Attribute> device = op.getDevice();
  if (!device)
    return success();
  // Whether it is one is known only where the device's compiler is registered.
  if (isa<BuiltinDialect>(device->getDialect()))
    return fail() << "'device' must be a target attribute such as #nvvm.target";
  if (!op.getDriver() || op.getDriver()->empty())
    return fail() << "'driver' must name the library that starts kernels";
  auto positive = [](std::optional<int64_t> value) { return value && *value > 0; };
  if (!positive(op.getSharedMemoryBytes()) || !positive(op.getBlockThreads()) ||
      !op.getRowPaddingBytes() || static_cast<int64_t>(*op.getRowPaddingBytes()) < 0)
    return fail() << "'shared_memory' and 'threads' must be positive, 'row_padding' not negative";
  return success();
}

/// Only calls that ask for registers: what a target file names is executed unseen.
static LogicalResult verifyPermission(TargetOp op) {
  // As Linux numbers them on x86-64.
  constexpr int64_t archPrctl = 158, requestStateComponent = 0x1023;
  std::optional<ArrayRef<int64_t>> numbers = op.getPermission();
  if (!numbers || (numbers->size() == 3 && (*numbers)[0] == archPrctl &&
                   (*numbers)[1] == requestStateComponent &&
                   llvm::Triple(op.getTriple()).getArch() == llvm::Triple::x86_64))
    return success();
  return mlir::emitError(op.getLoc())
         << "target @" << op.getSymName() << ": 'permission' must be [" << archPrctl << ", "
         << requestStateComponent << ", COMPONENT] of x86-64: arch_prctl(ARCH_REQ_XCOMP_PERM)";
}

LogicalResult TargetOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<IntrinsicOp, FragmentOp, AsyncCopyOp, LookupOp>(op))
      return mlir::emitError(op.getLoc())
             << "target @" << getSymName()
             << ": only 'ucmoh.intrinsic', 'ucmoh.fragment', 'ucmoh.async_copy' and "
                "'ucmoh.lookup' ops may stand here";
  if (failed(verifyDevice(*this)) || failed(verifyPermission(*this)))
    return failure();
  if (getRegisterCount() < 1 || getRegisterBits() < 1)
    return mlir::emitError(getLoc())
           << "target @" << getSymName() << ": 'registers' must be positive";
  for (StringRef feature : llvm::split(getFeatures(), ","))
    if (!feature.empty() && !feature.starts_with('+') && getFeatures().contains('+'))
      return mlir::emitError(getLoc())
             << "target @" << getSymName() << ": feature '" << feature << "' must begin with '+'";
  return success();
}

/// Each entry must be a number; `where` names the dictionary in the message.
static LogicalResult verifyNumbers(MachineOp op, DictionaryAttr numbers, const Twine &where) {
  for (NamedAttribute entry : numbers) {
    auto real = dyn_cast<FloatAttr>(entry.getValue());
    auto integer = dyn_cast<IntegerAttr>(entry.getValue());
    if ((real && real.getValueAsDouble() > 0) ||
        (integer && integer.getValue().isStrictlyPositive()))
      continue;
    return mlir::emitError(op.getLoc())
           << "machine @" << op.getSymName() << ": '" << entry.getName().getValue() << "' of "
           << where << " must be a positive number";
  }
  return success();
}

LogicalResult MachineOp::verify() {
  if (failed(verifyNumbers(*this, getNumbers(), "numbers")))
    return failure();
  for (NamedAttribute entry : getIntrinsics().value_or(DictionaryAttr::get(getContext()))) {
    auto costs = dyn_cast<DictionaryAttr>(entry.getValue());
    if (!costs || !costs.get("latency_cycles") || !costs.get("throughput_cycles"))
      return mlir::emitError(getLoc())
             << "machine @" << getSymName() << ": '" << entry.getName().getValue()
             << "' must be {latency_cycles = ..., throughput_cycles = ...}";
    if (failed(verifyNumbers(*this, costs, entry.getName().getValue())))
      return failure();
  }
  return success();
}
