//===- CrossCompiler.cpp - From LLVM IR to a program of another architecture
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrossCompiler.h"
#include "NativeCode.h"
#include "Subprocess.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace ucmoh;

static const char mainSource[] =
#include "ForeignMain.inc"
    ;

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const CodeTarget &target) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();
  llvm::Triple triple(target.triple);
  std::string message;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return llvm::createStringError(message);
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, target.cpu, target.features, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  if (!triple.isLittleEndian() || machine->createDataLayout().getPointerSize() != 8)
    return llvm::createStringError("cannot call code for " + target.triple +
                                   ": not little-endian with pointers of 64 bits");
  return machine;
}

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
// Object file and program
//===----------------------------------------------------------------------===//

static llvm::Expected<std::string> emitObject(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  ignoreRefusedLoops(module.getContext());
  if (auto error = makeOptimizingTransformer(3, 0, &machine)(&module))
    return std::move(error);
  SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM cannot write object files for " +
                                   machine.getTargetTriple().str());
  passes.run(module);
  return bytes.str().str();
}

/// The linker writes beside its output, so that has to be a real file for a moment.
static llvm::Expected<std::string> link(StringRef object, const CodeTarget &target,
                                        StringRef clang) {
  SmallString<128> directory;
  if (auto code = llvm::sys::fs::createUniqueDirectory("ucmoh", directory))
    return llvm::createStringError("cannot make a temporary directory: " + code.message());
  llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(directory); });
  std::string path = (directory + "/program").str();
  MemoryFile source(mainSource), objectFile(object), output;
  auto error =
      runProgram({clang.str(), "--target=" + target.triple, "-O2", "-static", "-fuse-ld=lld", "-o",
                  path, "-xc", "-", "-xnone", objectFile.path(), "-lm"},
                 source, output);
  if (error)
    return llvm::createStringError(llvm::formatv(
        "cannot link a program for {0}; that needs lld-{1} and a C library for it (Debian: "
        "libc6-dev-ARCHITECTURE-cross, libgcc-12-dev-ARCHITECTURE-cross). {2}",
        target.triple, LLVM_VERSION_MAJOR, llvm::toString(std::move(error))));
  auto program = llvm::MemoryBuffer::getFile(path);
  if (!program)
    return llvm::createStringError(path + ": " + program.getError().message());
  return (*program)->getBuffer().str();
}

llvm::Expected<ForeignProgram> ucmoh::buildForeignProgram(ModuleOp module, const CodeTarget &target,
                                                          StringRef clang) {
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(module, context);
  if (!llvmModule)
    return llvm::createStringError("cannot translate the module to LLVM IR");
  ForeignProgram program;
  program.functions = addEntry(*llvmModule);
  auto object = emitObject(*llvmModule, **machine);
  if (!object)
    return object.takeError();
  auto bytes = link(*object, target, clang);
  if (!bytes)
    return bytes.takeError();
  program.bytes = std::move(*bytes);
  return program;
}
