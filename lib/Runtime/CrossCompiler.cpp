//===- CrossCompiler.cpp - From LLVM IR to a program of another architecture
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrossCompiler.h"
#include "ucmoh/Runtime/Linker.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace ucmoh;

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

llvm::Expected<ForeignProgram> ucmoh::buildForeignProgram(ModuleOp module, const CodeTarget &target,
                                                          StringRef clang) {
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto llvmModule = translate(module, context, **machine);
  if (!llvmModule)
    return llvmModule.takeError();
  ForeignProgram program;
  program.functions = addEntry(**llvmModule);
  if (auto error = optimize(**llvmModule, **machine))
    return std::move(error);
  auto object = emit(**llvmModule, **machine, llvm::CodeGenFileType::ObjectFile);
  if (!object)
    return object.takeError();
  auto bytes = linkProgram(*object, target, clang);
  if (!bytes)
    return bytes.takeError();
  program.bytes = std::move(*bytes);
  return program;
}
