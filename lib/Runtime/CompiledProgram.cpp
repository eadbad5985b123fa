//===- CompiledProgram.cpp - One function, compiled
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/CompiledProgram.h"

// LLVM's OpenMP runtime declares it; that header lies among the compiler's own.
extern "C" void omp_set_num_threads(int);

using namespace mlir;
using namespace ucmoh;

llvm::Expected<std::vector<std::unique_ptr<CompiledProgram>>>
CompiledProgram::compile(ModuleOp source, ArrayRef<std::string> entries,
                         const CompileOptions &options) {
  auto lowered = LoweredProgram::lower(source, entries, options);
  if (!lowered)
    return lowered.takeError();
  auto executable = Executable::compile(*lowered->module, lowered->target);
  if (!executable)
    return executable.takeError();
  std::shared_ptr<Executable> shared = std::move(*executable);
  std::vector<std::unique_ptr<CompiledProgram>> programs;
  for (LoweredFunction &function : lowered->functions) {
    programs.push_back(std::make_unique<CompiledProgram>());
    programs.back()->function = std::move(function);
    programs.back()->executable = shared;
  }
  omp_set_num_threads(options.threads);
  return programs;
}

llvm::Expected<std::unique_ptr<CompiledProgram>>
CompiledProgram::compile(ModuleOp source, StringRef entry, const CompileOptions &options) {
  auto programs = compile(source, ArrayRef<std::string>(entry.str()), options);
  if (!programs)
    return programs.takeError();
  return std::move(programs->front());
}

llvm::Error CompiledProgram::prepare(const std::vector<Tensor> &arguments) {
  auto select = [&](const Signature &signature, ArrayRef<Tensor> packed) {
    std::vector<Tensor> selected;
    for (auto [i, parameter] : llvm::enumerate(signature.parameters))
      selected.push_back(parameter.packed ? packed[*parameter.packed]
                                          : arguments[parameter.argument.value_or(i)]);
    return selected;
  };
  std::vector<Tensor> packed;
  if (function.pack) {
    auto packing = executable->prepare(*function.pack, select(*function.pack, {}));
    if (!packing)
      return packing.takeError();
    if (auto error = (*packing)->run())
      return error;
    packed = (*packing)->getResults();
  }
  auto created = executable->prepare(function.compiled, select(function.compiled, packed));
  if (!created)
    return created.takeError();
  invocation = std::move(*created);
  return llvm::Error::success();
}
