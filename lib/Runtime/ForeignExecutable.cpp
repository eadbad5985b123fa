//===- ForeignExecutable.cpp - Compiled code for another architecture
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignExecutable.h"
#include "CallFrame.h"
#include "Subprocess.h"
#include "ucmoh/Runtime/Executable.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace ucmoh;

namespace {
/// A static program, and the names of the functions that it can call, by number.
struct ForeignProgram {
  std::string bytes;
  std::vector<std::string> functions;
};
} // namespace

static const char mainSource[] =
#include "ForeignMain.inc"
    ;

//===----------------------------------------------------------------------===//
// The functions' common entry
//===----------------------------------------------------------------------===//

/// Loads each argument through its pointer, calls, and stores what is returned.
static void emitCall(llvm::IRBuilder<> &builder, llvm::Function &function, llvm::Value *pointers) {
  auto loadPointer = [&](unsigned i) {
    llvm::Value *at = builder.CreateConstGEP1_64(builder.getPtrTy(), pointers, i);
    return builder.CreateLoad(builder.getPtrTy(), at);
  };
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function.args())
    arguments.push_back(builder.CreateLoad(argument.getType(), loadPointer(argument.getArgNo())));
  llvm::Value *result = builder.CreateCall(&function, arguments);
  if (!result->getType()->isVoidTy())
    builder.CreateStore(result, loadPointer(arguments.size()));
  builder.CreateRetVoid();
}

/// Adds `ucmoh_call(number, pointers)`. Everything else becomes internal, since a program may call
/// its functions as the C library does.
static std::vector<std::string> addEntry(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  std::vector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  auto *type = llvm::FunctionType::get(builder.getVoidTy(),
                                       {builder.getInt64Ty(), builder.getPtrTy()}, false);
  auto *entry =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "ucmoh_call", module);
  auto *otherwise = llvm::BasicBlock::Create(context, "unknown", entry);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", entry, otherwise));
  auto *select = builder.CreateSwitch(entry->getArg(0), otherwise);
  builder.SetInsertPoint(otherwise);
  builder.CreateRetVoid();
  std::vector<std::string> names;
  for (llvm::Function *function : functions) {
    auto *block = llvm::BasicBlock::Create(context, "call", entry);
    select->addCase(builder.getInt64(names.size()), block);
    builder.SetInsertPoint(block);
    emitCall(builder, *function, entry->getArg(1));
    names.push_back(function->getName().str());
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  return names;
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

static llvm::Expected<std::string> linkProgram(StringRef object, const CodeTarget &target,
                                               StringRef clang) {
  auto program = link({clang.str(), "--target=" + target.triple, "-O2", "-static", "-fuse-ld=lld"},
                      object, {"-lm"}, mainSource);
  if (program)
    return program;
  return llvm::createStringError(llvm::formatv(
      "cannot link a program for {0}; that needs lld-{1} and a C library for it (Debian: "
      "libc6-dev-ARCHITECTURE-cross, libgcc-12-dev-ARCHITECTURE-cross). {2}",
      target.triple, LLVM_VERSION_MAJOR, llvm::toString(program.takeError())));
}

/// Translates, optimizes at -O3 for the target and links with ForeignMain.c. `clang` is the path of
/// the compiler that links.
static llvm::Expected<ForeignProgram> buildForeignProgram(ModuleOp module, const CodeTarget &target,
                                                          StringRef clang) {
  ForeignProgram program;
  auto object = generateCode(module, target, llvm::CodeGenFileType::ObjectFile,
                             [&](llvm::Module &code) { program.functions = addEntry(code); });
  if (!object)
    return object.takeError();
  auto bytes = linkProgram(*object, target, clang);
  if (!bytes)
    return bytes.takeError();
  program.bytes = std::move(*bytes);
  return program;
}

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
