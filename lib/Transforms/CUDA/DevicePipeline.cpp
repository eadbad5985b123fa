//===- DevicePipeline.cpp - Kernels of a device become binaries
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DevicePipeline.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Transforms/Passes.h"

using namespace mlir;
using namespace ucmoh;

/// From vectors and structured loops to the LLVM dialect.
static void addToLLVM(OpPassManager &device) {
  device.addPass(createConvertVectorToSCFPass());
  device.addPass(createConvertNVGPUToNVVMPass()); // the dialect has no interface for the last one
  device.addPass(memref::createExpandStridedMetadataPass());
  device.addPass(createLowerAffinePass());
  device.addPass(createCanonicalizerPass());
  device.addPass(createCSEPass());
  device.addPass(createLoopInvariantCodeMotionPass());
  device.addPass(createSCFToControlFlowPass());
  ConvertToLLVMPassOptions byDevice;
  byDevice.useDynamic = true;
  device.addPass(createConvertToLLVMPass(byDevice));
  // The interfaces leave these ops: their own conversion of buffers does not know a device's memory
  // spaces.
  device.addPass(createConvertVectorToLLVMPass());
  device.addPass(createConvertNVVMToLLVMPass()); // ops that are assembly, such as waiting in a loop
  device.addPass(createUBToLLVMConversionPass());
  device.addPass(createLowerFlags());
  device.addPass(createCanonicalizerPass());
  device.addPass(createCSEPass());
  device.addPass(createReconcileUnrealizedCastsPass());
  device.addPass(createSharedMemorySymbols());
}

void ucmoh::addDevicePasses(OpPassManager &pm, const std::string &target,
                            const std::string &assembler) {
  pm.addPass(createGpuLaunchSinkIndexComputationsPass()); // constants: else they become arguments
  pm.addPass(createGpuKernelOutliningPass());
  pm.addPass(createAttachDevice({target}));
  addToLLVM(pm.nest<gpu::GPUModuleOp>());
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa"; // text: the driver compiles it for the device at hand
  pm.addPass(createGpuModuleToBinaryPass(binary));
  pm.addPass(createAssembleKernels({assembler}));
}
