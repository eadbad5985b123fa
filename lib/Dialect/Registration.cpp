//===- Registration.cpp - What a context has to know
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Dialect/Registration.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;

void ucmoh::registerInputDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerUCMoH(registry);
}

void ucmoh::registerExecutableDialects(DialectRegistry &registry) {
  registerInputDialects(registry);
  registerAllToLLVMIRTranslations(registry);
}
