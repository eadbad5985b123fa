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
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/CostModel/Features.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/TransformOps.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::opt<bool>
    printTargets("ucmoh-print-targets",
                 llvm::cl::desc("Print the known targets and machines as Markdown and exit"));

static llvm::cl::opt<bool>
    printFeatures("ucmoh-print-features",
                  llvm::cl::desc("Print the features of cost models as Markdown and exit"));

static mlir::LogicalResult runPrintTargets(const mlir::DialectRegistry &registry) {
  mlir::MLIRContext context(registry);
  auto library = ucmoh::TargetLibrary::load(&context);
  if (mlir::failed(library))
    return mlir::failure();
  return ucmoh::printTargetTable(*library, llvm::outs());
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry); // not part of registerAllExtensions
  mlir::registerAllPasses();
  ucmoh::registerUCMoH(registry);
  ucmoh::registerTransformOps(registry);
  ucmoh::registerUCMoHPasses();
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "UCMoH optimizer driver\n", registry);
  if (printFeatures) {
    llvm::outs() << ucmoh::featureTable();
    return mlir::asMainReturnCode(mlir::success());
  }
  if (printTargets)
    return mlir::asMainReturnCode(runPrintTargets(registry));
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
}
