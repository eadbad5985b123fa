//===- ucmoh-opt.cpp - mlir-opt with the ucmoh dialect and passes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry); // not part of registerAllExtensions
  mlir::registerAllPasses();
  ucmoh::registerUCMoH(registry);
  ucmoh::registerUCMoHPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "UCMoH optimizer driver\n", registry));
}
