//===- UCMoHPlugin.cpp - The dialect and the passes for the stock mlir-opt
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "ucmoh/Dialect/UCMoH.h"
#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/TransformOps.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/WithColor.h"

/// Whether the host runs with the LLVM that this file was compiled for. mlir-opt compares the
/// version of its plugin interface only, which outlives many incompatible changes of classes.
static bool isHostOfSameVersion() {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  if (major == LLVM_VERSION_MAJOR && minor == LLVM_VERSION_MINOR && patch == LLVM_VERSION_PATCH)
    return true;
  llvm::WithColor::error() << "the UCMoH plugin was built for LLVM " LLVM_VERSION_STRING
                              ", this tool runs with LLVM "
                           << major << '.' << minor << '.' << patch << "; rebuild the plugin\n";
  return false;
}

// One entry point registers both: --load-dialect-plugin alone suffices. The passes are then
// known to --pass-pipeline, not as flags: mlir-opt reads its flags before it loads plugins.
extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  // Zero is no version of the interface: the tool refuses to load such a plugin.
  uint32_t version = isHostOfSameVersion() ? MLIR_PLUGIN_API_VERSION : 0;
  return {version, "ucmoh", LLVM_VERSION_STRING, [](mlir::DialectRegistry *registry) {
            ucmoh::registerUCMoH(*registry);
            ucmoh::registerTransformOps(*registry);
            ucmoh::registerUCMoHPasses();
          }};
}
