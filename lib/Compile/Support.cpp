//===- Support.cpp - What compiled programs bring with them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace ucmoh;

static constexpr StringLiteral x86Features[] = {
#define UCMOH_FEATURE(NAME, ...) NAME,
#include "Support/X86Features.def"
};
static constexpr StringLiteral aarch64Features[] = {
#define UCMOH_FEATURE(NAME, ...) NAME,
#include "Support/AArch64Features.def"
};

namespace {
/// The code that exists for one architecture.
struct SupportCode {
  Triple::ArchType architecture;
  StringLiteral oldestCpu;          ///< whose instructions all others have
  ArrayRef<StringLiteral> features; ///< that the code for the CPU can look for
  std::array<StringRef, 3> texts;   ///< LLVM IR: the check of the CPU, Call.c, Floats.c
  StringRef threads;                ///< Threads.c
};
} // namespace

static const SupportCode supportCodes[] = {
    {
        Triple::x86_64,
        "x86-64",
        x86Features,
        {
#include "X86.inc"
            ,
#include "X86Call.inc"
            ,
#include "X86Floats.inc"
        },
#include "X86Threads.inc"
    },
    {
        Triple::aarch64,
        "generic",
        aarch64Features,
        {
#include "AArch64.inc"
            ,
#include "AArch64Call.inc"
            ,
#include "AArch64Floats.inc"
        },
#include "AArch64Threads.inc"
    },
};

static Expected<const SupportCode *> findCode(const Triple &triple) {
  for (const SupportCode &code : supportCodes)
    if (code.architecture == triple.getArch())
      return &code;
  return createStringError("programs for " + triple.getArchName() +
                           " cannot be compiled ahead of time, only for x86_64 and aarch64");
}

Expected<std::vector<std::string>> ucmoh::checkedFeatures(const Triple &triple,
                                                          ArrayRef<std::string> features) {
  auto code = findCode(triple);
  if (!code)
    return code.takeError();
  std::vector<std::string> checked;
  for (StringRef feature : (*code)->features)
    if (is_contained(features, feature))
      checked.push_back(feature.str());
  return checked;
}

StringRef ucmoh::oldestCpu(const Triple &triple) { return cantFail(findCode(triple))->oldestCpu; }

/// Adds the names of what it defines to `names`.
static Error link(Module &module, StringRef text, std::vector<std::string> &names) {
  SMDiagnostic diagnostic;
  auto code = parseIR(MemoryBufferRef(text, "support"), diagnostic, module.getContext());
  if (!code)
    return createStringError("the support code is broken: " + diagnostic.getMessage());
  for (const Function &function : *code)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      names.push_back(function.getName().str());
  code->setDataLayout(module.getDataLayout());
  code->setTargetTriple(module.getTargetTriple());
  if (Linker::linkModules(module, std::move(code)))
    return createStringError("the support code cannot be linked");
  return Error::success();
}

/// Optimization knows the C library's functions.
void ucmoh::callSupport(Module &module) {
  for (StringRef name : {"malloc", "calloc", "aligned_alloc", "free", "abort"})
    if (Function *function = module.getFunction(name); function && function->isDeclaration())
      function->setName("ucmoh_" + name);
}

static void define(Module &module, StringRef name, Constant *value) {
  new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                     value, name);
}

/// The tables that Support/Support.h declares.
static void defineTables(Module &module, const SupportCode &code, ArrayRef<std::string> features,
                         ArrayRef<SystemCall> permissions) {
  LLVMContext &context = module.getContext();
  auto uses = map_to_vector(code.features,
                            [&](StringRef name) { return uint8_t(is_contained(features, name)); });
  define(module, "ucmoh_uses", ConstantDataArray::get(context, uses));
  SmallVector<uint64_t> numbers;
  for (const SystemCall &call : permissions)
    append_range(numbers, call);
  define(module, "ucmoh_permissions", ConstantDataArray::get(context, numbers));
  define(module, "ucmoh_permission_count",
         ConstantInt::get(Type::getInt64Ty(context), permissions.size()));
}

static void hide(Module &module, ArrayRef<std::string> names, SupportFor callers) {
  for (StringRef name : names)
    if (GlobalValue *value = module.getNamedValue(name); callers == SupportFor::Module)
      value->setLinkage(GlobalValue::InternalLinkage);
    else
      value->setVisibility(GlobalValue::HiddenVisibility);
}

Error ucmoh::linkSupport(Module &module, ArrayRef<std::string> features,
                         ArrayRef<SystemCall> permissions, SupportFor callers) {
  auto code = findCode(module.getTargetTriple());
  if (!code)
    return code.takeError();
  callSupport(module);
  defineTables(module, **code, features, permissions);
  std::vector<std::string> names = {"ucmoh_uses", "ucmoh_permissions", "ucmoh_permission_count"};
  SmallVector<StringRef> texts = to_vector((*code)->texts);
  if (module.getFunction("ucmoh_use_threads"))
    texts.push_back((*code)->threads);
  for (StringRef text : texts)
    if (auto error = link(module, text, names))
      return error;
  hide(module, names, callers);
  return Error::success();
}
