//===- Resolve.cpp - The target and the machine of a module, once for all passes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_RESOLVETARGET
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static constexpr StringLiteral attributeName = "ucmoh.target";

//===----------------------------------------------------------------------===//
// The target of a pass
//===----------------------------------------------------------------------===//

LogicalResult PassTarget::initialize(MLIRContext *context, StringRef option) {
  isGiven = !option.empty();
  request = isGiven ? option.str() : "host";
  auto library = shareLibrary(context, request);
  if (failed(library))
    return failure();
  auto resolved = resolveTarget(*library, request);
  if (failed(resolved))
    return failure();
  target = *resolved;
  return success();
}

/// The module that says for what it is compiled; null if there is none.
static Operation *findResolved(Operation *op) {
  while (op && !op->hasAttr(attributeName))
    op = op->getParentOp();
  return op;
}

FailureOr<Target> PassTarget::find(Operation *module, ResolvedAttr attribute) const {
  if (attribute.getRequest() == request)
    return target;
  auto fail = [&] {
    return mlir::emitError(module->getLoc())
           << "the module is compiled for target '" << attribute.getRequest() << "', but ";
  };
  if (isGiven)
    return fail() << "this pass is given '" << request
                  << "'; drop the option, or the module's attribute 'ucmoh.target'";
  StringRef wanted = attribute.getRequest();
  if (!wanted.contains(".mlir")) // embedded, as is what the pass itself has loaded
    return resolveTarget(target.library, wanted);
  if (auto library = findSharedLibrary(module->getContext(), wanted))
    return resolveTarget(library, wanted);
  return fail() << "no pass has loaded its file; run --ucmoh-resolve-target=\"target=" << wanted
                << "\" before this pass";
}

/// The keys with which `#dlti.target_system_spec` describes a machine, and the numbers that they
/// are.
static constexpr std::pair<StringLiteral, int64_t Machine::*> systemSpecKeys[] = {
    {"L1_cache_size_in_bytes", &Machine::l1Bytes},
    {"L2_cache_size_in_bytes", &Machine::l2Bytes},
    {"L3_cache_size_in_bytes", &Machine::l3Bytes},
    {"num_cores", &Machine::cores},
};

/// Replaces numbers of the machine by those that the module around `op` gives for the target's
/// device, "GPU" or "CPU". Other keys are for other compilers.
static LogicalResult readSystemSpec(Operation *op, Target &target) {
  StringRef device = target.device ? "GPU" : "CPU";
  for (auto [key, field] : systemSpecKeys) {
    auto value = dlti::query(op, ArrayRef<StringRef>{device, key});
    if (failed(value))
      continue;
    auto number = dyn_cast<IntegerAttr>(*value);
    if (!number || !number.getValue().isStrictlyPositive() ||
        number.getValue().getActiveBits() > 63)
      return op->emitError("'dlti.target_system_spec' has no positive integer as '")
             << key << "' of '" << device << "', but " << *value;
    target.machine.*field = number.getValue().getZExtValue();
  }
  return success();
}

FailureOr<Target> PassTarget::of(Operation *op) const {
  Operation *module = findResolved(op);
  auto attribute = module ? module->getAttrOfType<ResolvedAttr>(attributeName) : ResolvedAttr();
  FailureOr<Target> found = attribute ? find(module, attribute) : target;
  if (failed(found) || failed(readSystemSpec(op, *found)))
    return failure();
  if (!attribute)
    return found;
  ResolvedAttr here = describeTarget(*found, attribute.getRequest());
  if (here == attribute)
    return found;
  return mlir::emitError(module->getLoc())
         << "the module is compiled for " << attribute << ", which is " << here
         << " here; name target and machine, or drop the attribute 'ucmoh.target'";
}

FailureOr<Target> PassTarget::resolve(Operation *op) const {
  auto found = of(op);
  if (succeeded(found) && isa<ModuleOp>(op) && !findResolved(op))
    op->setAttr(attributeName, describeTarget(*found, request));
  return found;
}

IntrinsicOp ucmoh::findIntrinsic(Operation *user, const TargetLibrary &library) {
  auto symbol = user->getAttrOfType<SymbolRefAttr>("intrinsic");
  IntrinsicOp intrinsic = library.lookup(symbol);
  if (!intrinsic) {
    user->emitOpError("unknown intrinsic ")
        << symbol << "; known targets: " << library.knownTargets();
    return nullptr;
  }
  return succeeded(verifyUse(user, intrinsic)) ? intrinsic : nullptr;
}

SmallVector<linalg::LinalgOp> ucmoh::opsWithChoice(Operation *root) {
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) {
    if (op->hasAttr("ucmoh.choice"))
      ops.push_back(op);
  });
  return ops;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ResolveTargetPass : ucmoh::impl::ResolveTargetBase<ResolveTargetPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return passTarget.initialize(context, target);
  }

  void runOnOperation() override {
    if (failed(passTarget.resolve(getOperation())))
      signalPassFailure();
  }

  PassTarget passTarget;
};
} // namespace
