//===- ucmoh-lsp-server.cpp - The language server for files with the ucmoh dialect
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Transforms/TransformOps.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ucmoh::registerInputDialects(registry);
  ucmoh::registerTransformOps(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
