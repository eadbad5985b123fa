//===- ForeignExecutable.cpp - Compiled code for another architecture
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignExecutable.h"
#include "CallFrame.h"
#include "CrossCompiler.h"
#include "Subprocess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace ucmoh;

/// The first of the names that is in PATH; an error that names the package otherwise.
static llvm::Expected<std::string> findTool(ArrayRef<std::string> names, StringRef triple,
                                            StringRef package) {
  for (const std::string &name : names)
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return llvm::createStringError(
      llvm::formatv("code for {0} does not run on this processor, and {1} is not in PATH (Debian: "
                    "{2}; scripts/setup.sh --test installs all that emulation needs)",
                    triple, llvm::join(names, " or "), package));
}

namespace {
class ForeignInvocation : public Invocation {
public:
  ForeignInvocation(std::vector<std::string> command, const Signature &signature,
                    std::vector<Tensor> arguments, int64_t function)
      : command(std::move(command)), signature(signature),
        call(writeCall(CallFrame(signature, std::move(arguments)), function)) {}

  llvm::Error run() override {
    MemoryFile output;
    if (auto error = runProgram(command, call, output))
      return error;
    auto tensors = readResults(signature, output.read());
    if (!tensors)
      return tensors.takeError();
    results = std::move(*tensors);
    return llvm::Error::success();
  }
  std::vector<Tensor> getResults() const override { return results; }

private:
  std::vector<std::string> command;
  Signature signature;
  MemoryFile call;
  std::vector<Tensor> results;
};

class ForeignExecutable : public Executable {
public:
  ForeignExecutable(std::string emulator, ForeignProgram program)
      : emulator(std::move(emulator)), functions(std::move(program.functions)),
        program(program.bytes) {}

  llvm::Expected<std::unique_ptr<Invocation>> prepare(const Signature &signature,
                                                      std::vector<Tensor> arguments) override {
    auto found = llvm::find(functions, signature.name);
    if (found == functions.end())
      return llvm::createStringError("the program has no function @" + signature.name);
    return std::make_unique<ForeignInvocation>(std::vector<std::string>{emulator, program.path()},
                                               signature, std::move(arguments),
                                               found - functions.begin());
  }
  bool isEmulated() const override { return true; }

private:
  std::string emulator;
  std::vector<std::string> functions;
  MemoryFile program;
};
} // namespace

llvm::Expected<ForeignTools> ucmoh::findForeignTools(StringRef triple) {
  std::string emulator = ("qemu-" + llvm::Triple(triple).getArchName()).str();
  auto qemu = findTool({emulator + "-static", emulator}, triple, "qemu-user-static");
  if (!qemu)
    return qemu.takeError();
  std::string version = std::to_string(LLVM_VERSION_MAJOR);
  auto clang = findTool({"clang-" + version, "clang"}, triple, "clang-" + version);
  if (!clang)
    return clang.takeError();
  return ForeignTools{*qemu, *clang};
}

llvm::Expected<std::unique_ptr<Executable>> ucmoh::compileForeign(ModuleOp module,
                                                                  const CodeTarget &target) {
  auto tools = findForeignTools(target.triple);
  if (!tools)
    return tools.takeError();
  auto program = buildForeignProgram(module, target, tools->clang);
  if (!program)
    return program.takeError();
  return std::make_unique<ForeignExecutable>(tools->emulator, std::move(*program));
}
