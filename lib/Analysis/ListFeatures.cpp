//===- ListFeatures.cpp - Prints the features that target files need
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A program of the build. HostCpu.cpp asks for the features where no file is parsed, so they are
/// read from the files by the dialect's own parser and become a part of the library.
///
//===----------------------------------------------------------------------===//

#include "mlir/Parser/Parser.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Dialect/UCMoH.h"

using namespace mlir;
using namespace ucmoh;

/// Prints one string literal of C++ for each target of each file.
int main(int argc, char **argv) {
  DialectRegistry registry;
  registerInputDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  for (const char *path : ArrayRef(argv, argc).drop_front()) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
    if (!module)
      return 1;
    for (auto target : module->getOps<TargetOp>())
      llvm::outs() << '"' << target.getFeatures() << "\",\n";
  }
  return 0;
}
