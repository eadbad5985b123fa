//===- AssembleKernels.cpp - What a device's assembler says of kernels
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ucmoh/Transforms/KernelNeeds.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

namespace ucmoh {
#define GEN_PASS_DEF_ASSEMBLEKERNELS
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

/// On a gpu.binary: a dictionary with the fields of KernelNeeds, and the launching `function`.
static constexpr StringLiteral needsName = "ucmoh.needs";

//===----------------------------------------------------------------------===//
// The assembler
//===----------------------------------------------------------------------===//

/// The first group of `pattern` in `text`; empty for none.
static StringRef firstGroup(StringRef pattern, StringRef text) {
  SmallVector<StringRef> match;
  return llvm::Regex(pattern, llvm::Regex::Newline).match(text, &match) ? match[1] : StringRef();
}

static int64_t findNumber(StringRef pattern, StringRef text) {
  int64_t number = 0;
  firstGroup(pattern, text).getAsInteger(10, number);
  return number;
}

/// Returns whether the assembler took `text`, and what it printed.
static std::pair<bool, std::string> assemble(StringRef assembler, StringRef text) {
  SmallString<64> source, log;
  int descriptor;
  auto fail = [](const Twine &why) { return std::make_pair(false, ("error   : " + why).str()); };
  if (auto code = llvm::sys::fs::createTemporaryFile("ucmoh", "ptx", descriptor, source))
    return fail(code.message());
  llvm::FileRemover removeSource(source);
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
  if (auto code = llvm::sys::fs::createTemporaryFile("ucmoh", "log", log))
    return fail(code.message());
  llvm::FileRemover removeLog(log);
  std::string architecture = "-arch=" + firstGroup("^\\.target ([a-z0-9_]+)", text).str(), error;
  std::optional<StringRef> redirects[] = {StringRef(), log.str(), log.str()};
  int status = llvm::sys::ExecuteAndWait(
      assembler, {assembler, "-v", architecture, source, "-o", "/dev/null"}, std::nullopt,
      redirects, /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  auto printed = llvm::MemoryBuffer::getFile(log);
  if (!printed || status < 0)
    return fail(error);
  return {status == 0, (*printed)->getBuffer().str()};
}

static KernelNeeds readLog(StringRef kernel, bool isGood, StringRef log) {
  KernelNeeds needs;
  needs.kernel = kernel;
  if (!isGood) {
    needs.error = firstGroup("error +: (.*)$", log);
    if (needs.error.empty())
      needs.error = log.trim().empty() ? "it does not say why" : log.trim();
    return needs;
  }
  needs.registers = findNumber("Used ([0-9]+) registers", log);
  needs.spillBytes = findNumber("([0-9]+) bytes spill stores", log);
  needs.sharedMemoryBytes = findNumber("([0-9]+) bytes smem", log);
  return needs;
}

//===----------------------------------------------------------------------===//
// What is noted
//===----------------------------------------------------------------------===//

static DictionaryAttr toAttr(const KernelNeeds &needs, StringRef function, Builder builder) {
  return builder.getDictionaryAttr({
      builder.getNamedAttr("function", builder.getStringAttr(function)),
      builder.getNamedAttr("registers", builder.getI64IntegerAttr(needs.registers)),
      builder.getNamedAttr("spill_bytes", builder.getI64IntegerAttr(needs.spillBytes)),
      builder.getNamedAttr("shared_memory_bytes",
                           builder.getI64IntegerAttr(needs.sharedMemoryBytes)),
      builder.getNamedAttr("error", builder.getStringAttr(needs.error)),
  });
}

std::vector<KernelNeeds> ucmoh::readKernelNeeds(ModuleOp module, StringRef function) {
  std::vector<KernelNeeds> all;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    auto noted = binary->getAttrOfType<DictionaryAttr>(needsName);
    if (!noted || noted.getAs<StringAttr>("function").getValue() != function)
      continue;
    auto number = [&](StringRef name) { return noted.getAs<IntegerAttr>(name).getInt(); };
    all.push_back({binary.getSymName().str(), number("registers"), number("spill_bytes"),
                   number("shared_memory_bytes"), noted.getAs<StringAttr>("error").str()});
  }
  return all;
}

static void remarkOn(gpu::LaunchFuncOp launch, const KernelNeeds &needs, StringRef function) {
  auto options = remark::RemarkOpts::name("assembled").category("ucmoh").function(function);
  if (!needs.error.empty()) {
    remark::failed(launch.getLoc(), options)
        << needs.kernel + ": the assembler refuses it: " + needs.error;
    return;
  }
  remark::analysis(launch.getLoc(), options)
      << llvm::formatv("{0}: {1} registers a thread, {2} bytes spilled, {3} bytes of shared memory",
                       needs.kernel, needs.registers, needs.spillBytes, needs.sharedMemoryBytes)
             .str();
}

namespace {
struct AssembleKernelsPass : ucmoh::impl::AssembleKernelsBase<AssembleKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    auto program = llvm::sys::findProgramByName(assembler);
    if (assembler.empty() || !program)
      return;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto binary =
          SymbolTable::lookupNearestSymbolFrom<gpu::BinaryOp>(launch, launch.getKernelModuleName());
      auto object = binary ? dyn_cast<gpu::ObjectAttr>(binary.getObjects()[0]) : nullptr;
      if (!object || object.getFormat() != gpu::CompilationTarget::Assembly)
        return;
      auto [isGood, log] = assemble(*program, object.getObject().getValue().rtrim('\0'));
      KernelNeeds needs = readLog(binary.getSymName(), isGood, log);
      if (Value bytes = launch.getDynamicSharedMemorySize())
        needs.sharedMemoryBytes += getConstantIntValue(bytes).value_or(0);
      StringRef function = launch->getParentOfType<FunctionOpInterface>().getName();
      remarkOn(launch, needs, function);
      binary->setAttr(needsName, toAttr(needs, function, Builder(&getContext())));
    });
  }
};
} // namespace
