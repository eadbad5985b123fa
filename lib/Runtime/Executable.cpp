//===- Executable.cpp - Where compiled code runs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Executable.h"
#include "ForeignExecutable.h"
#include "NativeExecutable.h"
#include "ucmoh/Analysis/Target.h"

using namespace mlir;
using namespace ucmoh;

llvm::Expected<std::unique_ptr<Executable>> Executable::compile(ModuleOp module,
                                                                const CodeTarget &target) {
  if (target.triple.empty() || isHostArchitecture(target.triple))
    return compileNative(module, target);
  return compileForeign(module, target);
}

std::string Executable::whyNotHere(StringRef triple) {
  if (isHostArchitecture(triple))
    return "";
  auto tools = findForeignTools(triple);
  return tools ? "" : llvm::toString(tools.takeError());
}
