//===- TransformOps.cpp - The transformation in schedules of the transform dialect
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Transforms/TransformOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/Pipeline.h"

using namespace mlir;
using namespace ucmoh;
using transform::ApplyToEachResultList;

#define GET_OP_CLASSES
#include "ucmoh/Transforms/TransformOps.cpp.inc"

/// Runs passes on what a handle refers to: a function or a module, which does not contain the
/// schedule.
static DiagnosedSilenceableFailure runOn(Operation *payload, transform::TransformOpInterface op,
                                         ApplyToEachResultList &results,
                                         llvm::function_ref<void(OpPassManager &)> build) {
  if (!isa<func::FuncOp, ModuleOp>(payload))
    return op.emitSilenceableError()
           << "needs functions or modules, but is given '" << payload->getName() << "'";
  if (payload->isAncestor(op))
    return op.emitDefiniteFailure("is given a module that contains it; match its functions: "
                                  "transform.structured.match ops{[\"func.func\"]}");
  PassManager manager(payload->getName());
  build(manager);
  if (failed(manager.run(payload)))
    return op.emitDefiniteFailure("a pass failed");
  results.push_back(payload);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure ChooseOp::applyToOne(transform::TransformRewriter &, Operation *payload,
                                                 ApplyToEachResultList &results,
                                                 transform::TransformState &) {
  return runOn(payload, *this, results, [&](OpPassManager &manager) {
    buildPreparePipeline(manager);
    manager.addPass(createSelect({getTarget().str(), getModel().str(),
                                  static_cast<int64_t>(getThreads()), getChoices().str()}));
  });
}

DiagnosedSilenceableFailure TensorizeOp::applyToOne(transform::TransformRewriter &,
                                                    Operation *payload,
                                                    ApplyToEachResultList &results,
                                                    transform::TransformState &) {
  return runOn(payload, *this, results,
               [&](OpPassManager &manager) { buildTilePipeline(manager, getTarget().str()); });
}

template <typename Op>
static void addEffects(Op op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(op.getPayloadMutable(), effects);
  transform::producesHandle(op->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

void ChooseOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffects(*this, effects);
}

void TensorizeOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffects(*this, effects);
}

namespace {
class Extension : public transform::TransformDialectExtension<Extension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Extension)
  using Base::Base;
  void init() {
    declareGeneratedDialect<UCMoHDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "ucmoh/Transforms/TransformOps.cpp.inc"
        >();
  }
};
} // namespace

void ucmoh::registerTransformOps(DialectRegistry &registry) { registry.addExtensions<Extension>(); }
