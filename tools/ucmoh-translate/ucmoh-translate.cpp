//===- ucmoh-translate.cpp - Programs in forms of other compilers
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Iree/ObjectSpec.h"
#include "ucmoh/Records/TemporaryFile.h"
#include "ucmoh/Runtime/ProgramOptions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of ucmoh-translate");
static ProgramOptions program(category);
static cl::opt<bool> toIreeObjects("to-iree-objects", cl::cat(category),
                                   cl::desc("Write a preprocessing spec of IREE that contains the "
                                            "code of what is tensorized"));
static cl::opt<std::string> output("output", cl::Required, cl::cat(category), cl::value_desc("DIR"),
                                   cl::desc("Where to write spec.mlir and report.json"));
static cl::opt<GroupExtent>
    extent("group", cl::init(GroupExtent::Contraction), cl::cat(category),
           cl::desc("What becomes a dispatch"),
           cl::values(clEnumValN(GroupExtent::Network, "network",
                                 "everything that only one result depends on (default)"),
                      clEnumValN(GroupExtent::Contraction, "contraction",
                                 "a contraction with the elementwise ops around it (default)")));
static cl::opt<std::string> ireeTarget("iree-target", cl::cat(category),
                                       cl::value_desc("#hal.executable.target<...>"),
                                       cl::desc("IREE's attribute of the device; without it, "
                                                "compile with --iree-hal-link-executables=false"));

static constexpr char overview[] = R"(Programs in forms of other compilers

EXAMPLES:
  ucmoh-translate --to-iree-objects model.mlir --output=DIR
  iree-compile model.mlir -o model.vmfb --iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu \
    --iree-llvmcpu-target-cpu=host --iree-preprocessing-transform-spec-filename=DIR/spec.mlir \
    --iree-hal-link-executables=false
)";

/// What a program is for IREE when its spec is applied. A dump of IREE's already is that.
static LogicalResult simplify(ModuleOp module) {
  if (module.getOps<func::FuncOp>().empty())
    return success();
  PassManager manager(module.getContext());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  return manager.run(module);
}

static std::string toString(Location location) {
  std::string text;
  llvm::raw_string_ostream(text) << location;
  return text;
}

static llvm::json::Object describe(const Dispatch &dispatch, const Group &group) {
  llvm::json::Array ops;
  for (const OpInfo &op : dispatch.ops)
    ops.push_back(llvm::json::Object{{"workload", op.workload},
                                     {"choice", op.choice},
                                     {"predicted_seconds", op.predictedSeconds}});
  return llvm::json::Object{{"name", dispatch.name},
                            {"location", toString(group.root()->getLoc())},
                            {"packed_bytes", dispatch.packedBytes},
                            {"scratch_bytes", dispatch.runScratch},
                            {"contractions", std::move(ops)}};
}

static llvm::json::Object describe(const Operation *op, const llvm::Twine &reason) {
  return llvm::json::Object{{"op", const_cast<Operation *>(op)->getName().getStringRef()},
                            {"location", toString(const_cast<Operation *>(op)->getLoc())},
                            {"reason", reason.str()}};
}

/// Two groups with the same ops need one spec.
static bool isKnown(const Group &group, ArrayRef<CompiledGroup> compiled) {
  OwningOpRef<ModuleOp> module = outline(group, "same");
  auto ops = [](ModuleOp module) { return *module.getOps<func::FuncOp>().begin(); };
  return llvm::any_of(compiled, [&](const CompiledGroup &other) {
    func::FuncOp function = ops(other.module.get()), same = ops(*module);
    return OperationEquivalence::isRegionEquivalentTo(&function.getBody(), &same.getBody(),
                                                      OperationEquivalence::Flags::IgnoreLocations);
  });
}

namespace {
/// What is written.
struct Translation {
  std::vector<CompiledGroup> groups;
  llvm::json::Array taken, left;
};
} // namespace

static Translation translate(ModuleOp module) {
  Translation result;
  Groups found = findGroups(module, {extent, /*mayCapture=*/false});
  for (const LeftOp &left : found.left)
    result.left.push_back(describe(left.op, left.reason));
  for (const Group &group : found.groups) {
    if (isKnown(group, result.groups))
      continue;
    std::string name = llvm::formatv("ucmoh_{0}", result.groups.size());
    OwningOpRef<ModuleOp> outlined = outline(group, name);
    auto dispatch = Dispatch::compile(*outlined, name, program.toCompileOptions());
    if (!dispatch) {
      result.left.push_back(describe(group.root(), llvm::toString(dispatch.takeError())));
      continue;
    }
    result.taken.push_back(describe(*dispatch, group));
    result.groups.push_back({std::move(outlined), std::move(*dispatch)});
  }
  return result;
}

static llvm::Error write(Translation &translation) {
  if (std::error_code error = llvm::sys::fs::create_directories(output))
    return llvm::createStringError("cannot make " + output + ": " + error.message());
  auto write = [](StringRef name, llvm::function_ref<void(llvm::raw_ostream &)> print) {
    SmallString<128> path(output.getValue());
    llvm::sys::path::append(path, name);
    return writeAtomically(path, [&](llvm::raw_ostream &os) {
      print(os);
      return llvm::Error::success();
    });
  };
  if (auto error = write("spec.mlir", [&](llvm::raw_ostream &os) {
        writeObjectSpec(os, translation.groups, ireeTarget);
      }))
    return error;
  llvm::json::Value report = llvm::json::Object{{"dispatches", std::move(translation.taken)},
                                                {"left", std::move(translation.left)}};
  return write("report.json",
               [&](llvm::raw_ostream &os) { os << llvm::formatv("{0:2}\n", report); });
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (!toIreeObjects) {
    llvm::errs() << "error: say what to make: --to-iree-objects\n";
    return 1;
  }
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects(); // a dump of IREE's
  context.loadDialect<func::FuncDialect>();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = program.parse(context, sources);
  if (!module || !program.check(context) || failed(simplify(*module)))
    return 1;
  Translation translation = translate(*module);
  if (auto error = write(translation)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
