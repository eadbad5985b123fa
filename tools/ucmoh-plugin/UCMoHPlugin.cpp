//===- UCMoHPlugin.cpp - The dialect and the passes for the stock mlir-opt
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

// One entry point registers both: --load-dialect-plugin alone suffices. The passes are then
// known to --pass-pipeline, not as flags: mlir-opt reads its flags before it loads plugins.
extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ucmoh", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            ucmoh::registerUCMoH(*registry);
            ucmoh::registerUCMoHPasses();
          }};
}
