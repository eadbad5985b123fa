//===- Pipeline.cpp - The passes in order
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Transforms/Pipeline.h"
#include "CUDA/DevicePipeline.h"
#include "PatternConfig.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/RequestCWrappers.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_REGISTRATION
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

static std::unique_ptr<Pass> createFolder() { return createCanonicalizerPass(patternsOnly()); }

/// For passes on functions.
static OpPassManager &onFunctions(OpPassManager &pm) {
  bool isFunction = pm.getOpAnchorName() == func::FuncOp::getOperationName();
  return isFunction ? pm : pm.nest<func::FuncOp>();
}

void ucmoh::buildPreparePipeline(OpPassManager &pm) {
  OpPassManager &functions = onFunctions(pm);
  functions.addPass(createWideSums());
  pm.addPass(createFolder()); // folds constants, such as scales given in f64
  pm.addPass(createCSEPass());
  pm.addPass(createConvertElementwiseToLinalgPass()); // arithmetic on tensors
  functions.addPass(createDropZeros());
  functions.addPass(createIntegerProducts());
  functions.addPass(createLayout());
  functions.addPass(createPrepare());
  functions.addPass(createExtents());
  functions.addPass(createPlaceParts());
}

void ucmoh::buildTilePipeline(OpPassManager &pm, const std::string &target, bool check) {
  OpPassManager &functions = onFunctions(pm);
  functions.addPass(createNarrowWeights({target, check}));
  functions.addPass(createJoinReductions({target}));
  functions.addPass(createTile({target, check}));
  pm.addPass(createApproximateMath()); // scalars: their vectors then take each step side by side
  onFunctions(pm).addPass(createTensorize({target}));
  pm.addPass(createFolder());
  pm.addPass(createCSEPass());
}

void ucmoh::buildTensorizePipeline(OpPassManager &pm, const TensorizePipelineOptions &options) {
  pm.addPass(createVerifyBorders());
  pm.addPass(createResolveTarget({options.target}));
  buildPreparePipeline(pm);
  OpPassManager &functions = onFunctions(pm);
  functions.addPass(createSumRows({options.target}));
  functions.addPass(createGroups({options.target}));
  if (options.winograd)
    pm.addPass(createWinograd({options.target, options.model, options.threads, options.choices}));
  pm.addPass(createBlocks({options.target, options.model, options.threads, options.choices}));
  // The pass takes the whole module, so that it knows which choices of a file are for none of its
  // functions.
  pm.addPass(createSelect({options.target, options.model, options.threads, options.choices}));
  buildTilePipeline(pm, options.target, options.check);
}

/// Adds the passes for what is no contraction, on tensors.
static void addRows(OpPassManager &pm) {
  pm.addPass(createApproximateMath()); // for ops that were decomposed
  pm.addNestedPass<func::FuncOp>(createGroupRest());
  pm.addNestedPass<func::FuncOp>(createFuseRest());
}

static void addBufferization(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.bufferAlignment = 64; // kernels load whole cache lines of packed operands
  pm.addNestedPass<func::FuncOp>(createResolveDims()); // which slices are compared by
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createOneShotBufferizePass(options));
}

/// A result that was allocated is computed in the caller's buffer; any other one is copied there.
static void addResultArguments(OpPassManager &pm) {
  bufferization::BufferResultsToOutParamsPassOptions options;
  options.hoistStaticAllocs = options.hoistDynamicAllocs = true;
  options.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(options));
}

/// Floats that LLVM has no type for: arithmetic in f32, conversions as integers.
static void addFloats(OpPassManager &pm) {
  arith::ArithEmulateUnsupportedFloatsOptions emulated;
  emulated.sourceTypeStrs = {"f8E4M3FN", "f8E5M2"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulated));
  pm.addPass(createExpandFloats());
}

/// Adds the passes that work on tensors.
static void addTensorPasses(OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  if (options.hoist)
    pm.addPass(createHoistWeights());
  if (options.rest) // while padding is an op
    pm.addNestedPass<func::FuncOp>(createWindows({options.target, options.check}));
  pm.addPass(createDecompose());
  pm.addPass(createConvertElementwiseToLinalgPass()); // arithmetic on tensors
  pm.addPass(createExpandPowers());
  pm.addNestedPass<func::FuncOp>(createBoundLookups());
  pm.addPass(createFolder());
  if (options.rest)
    addRows(pm);
  if (options.resultsAsArguments)
    pm.addNestedPass<func::FuncOp>(createDistinctResults());
  pm.addNestedPass<func::FuncOp>(createPlacePieces());
}

/// From buffers to loops.
static void addBufferPasses(OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  if (options.rest) {
    pm.addPass(createCSEPass()); // views
    pm.addNestedPass<func::FuncOp>(createJoinRest());
  }
  pm.addPass(createLowerChecks());
  if (options.instrument)
    pm.addPass(createInstrument());
  pm.addPass(createInlineKernels({options.outlineNetworks}));
  pm.addPass(createFolder()); // loops no longer carry buffers that stay the same
  pm.addPass(createCSEPass());
  if (options.resultsAsArguments)
    addResultArguments(pm);
  if (options.rest) {
    pm.addPass(createShareRest({options.target, options.threads}));
    pm.addNestedPass<func::FuncOp>(createPlaceRows());
  }
  bufferization::buildBufferDeallocationPipeline(pm);
  // Memory that was just read or written is in the caches: the next buffer had better lie there.
  pm.addNestedPass<func::FuncOp>(bufferization::createOptimizeAllocationLivenessPass());
  pm.addPass(createConvertBufferizationToMemRefPass()); // copies of returned arguments
  pm.addPass(createLower({options.target}));
  pm.addPass(createLowerCopies());
  if (options.rest)
    pm.addPass(createVectorizeRest({options.target}));
  pm.addPass(createConvertLinalgToLoopsPass());
  if (options.rest && options.outlineNetworks)
    pm.addPass(createOutlineRest());
  addFloats(pm);
  pm.addPass(createFolder());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
}

/// From loops to the LLVM dialect.
static void addLLVMPasses(OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  pm.addPass(createSplitOpenDims());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToSCFPass());
  ConvertSCFToOpenMPPassOptions threads;
  threads.numThreads = options.threads;
  pm.addPass(createConvertSCFToOpenMPPass(threads)); // the loops that threads share
  pm.addPass(createThreadStacks());
  pm.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  pm.addPass(createFolder());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass()); // masks, slices: not known to the pass for all
  ConvertMathToLLVMPassOptions math;
  math.approximateLog1p = false; // log(1 + x) is 0 next to 0
  pm.addPass(createConvertMathToLLVMPass(math));
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createLowerLaunches());
  // All at once: pass by pass, types that only one dialect knows (an AMX tile in a branch) fail.
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createLowerFlags());
  pm.addPass(createLowerDistinct());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createFolder());
  pm.addPass(createCSEPass());
}

void ucmoh::buildToLLVMPipeline(OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  pm.addPass(createVerifyBorders());
  addTensorPasses(pm, options);
  addBufferization(pm);
  addBufferPasses(pm, options);
  addDevicePasses(pm, options.target, options.assembler);
  addLLVMPasses(pm, options);
}

void ucmoh::registerUCMoHPasses() {
  registerUCMoHTransformsPasses(); // one by one
  PassPipelineRegistration<TensorizePipelineOptions>(
      "tensorize-with-cost-model",
      "tensorize each contraction and convolution as the cost model finds best",
      buildTensorizePipeline);
  PassPipelineRegistration<ToLLVMPipelineOptions>(
      "ucmoh-to-llvm", "bufferize and lower to the LLVM dialect", buildToLLVMPipeline);
}
