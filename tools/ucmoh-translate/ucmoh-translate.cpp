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
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Iree/ObjectSpec.h"
#include "ucmoh/Iree/Replace.h"
#include "ucmoh/Iree/Tune.h"
#include "ucmoh/Runtime/ProgramOptions.h"
#include "ucmoh/Support/Files.h"
#include "llvm/ADT/StringExtras.h"
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
namespace {
/// Says what is made of a program.
enum class Form { Objects, Module, TuningSpec, Annotated };
} // namespace

static cl::opt<Form>
    form(cl::desc("What to make:"), cl::cat(category),
         cl::values(clEnumValN(Form::Objects, "to-iree-objects",
                               "spec.mlir, a preprocessing spec of IREE that contains the code of "
                               "what is tensorized"),
                    clEnumValN(Form::Module, "to-iree-module",
                               "module.mlir: of a program that IREE printed, the same with "
                               "dispatches of that code"),
                    clEnumValN(Form::TuningSpec, "to-iree-tuning-spec",
                               "spec.mlir, a tuning spec of IREE: how its own code generator tiles "
                               "what the model knows"),
                    clEnumValN(Form::Annotated, "to-iree-annotated",
                               "module.mlir: of a program that IREE printed, the same with such "
                               "configurations as attributes")));
static cl::opt<std::string> output("output", cl::Required, cl::cat(category), cl::value_desc("DIR"),
                                   cl::desc("Where to write it, and report.json"));
static cl::opt<GroupExtent>
    extent("group", cl::init(GroupExtent::Contraction), cl::cat(category),
           cl::desc("What becomes a dispatch"),
           cl::values(clEnumValN(GroupExtent::Network, "network",
                                 "everything that only one result depends on (default)"),
                      clEnumValN(GroupExtent::Contraction, "contraction",
                                 "a contraction with the elementwise ops around it (default)")));
static cl::opt<int64_t> workgroups("workgroups", cl::init(1), cl::cat(category),
                                   cl::desc("How many of IREE's threads share a dispatch at most, "
                                            "by rows of its result (1)"));
static cl::opt<std::string> ireeTarget("iree-target", cl::cat(category),
                                       cl::value_desc("#hal.executable.target<...>"),
                                       cl::desc("IREE's attribute of the device; without it, "
                                                "compile with --iree-hal-link-executables=false"));

static cl::opt<std::string> ireeVersion("iree-version", cl::init("3.13"), cl::cat(category),
                                        cl::desc("Whose spelling a tuning spec has: 3.11, 3.12 or "
                                                 "3.13 (default)"));

static constexpr char overview[] = R"(Programs in forms of other compilers

EXAMPLES:
  ucmoh-translate --to-iree-objects model.mlir --output=DIR
  iree-compile model.mlir -o model.vmfb --iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu \
    --iree-llvmcpu-target-cpu=host --iree-preprocessing-transform-spec-filename=DIR/spec.mlir \
    --iree-hal-link-executables=false
)";

/// Changes a program to what it is for IREE when its spec is applied. A dump of IREE's is that
/// already.
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

static llvm::json::Object describe(const CompiledGroup &group) {
  const Dispatch &dispatch = group.dispatch;
  llvm::json::Array ops;
  for (const OpInfo &op : dispatch.ops)
    ops.push_back(llvm::json::Object{{"workload", op.workload},
                                     {"choice", op.choice},
                                     {"intrinsic", op.intrinsic},
                                     {"predicted_seconds", op.predictedSeconds}});
  return llvm::json::Object{{"name", dispatch.name},
                            {"location", group.location},
                            {"places", static_cast<int64_t>(group.places.size())},
                            {"triple", dispatch.triple},
                            {"workgroups", group.workgroups},
                            {"packed_bytes", dispatch.packedBytes},
                            {"scratch_bytes", dispatch.runScratch},
                            {"contractions", std::move(ops)}};
}

static llvm::json::Array describe(ArrayRef<LeftOp> ops) {
  llvm::json::Array left;
  for (const LeftOp &op : ops)
    left.push_back(llvm::json::Object{{"op", op.op->getName().getStringRef()},
                                      {"location", toString(op.op->getLoc())},
                                      {"reason", op.reason}});
  return left;
}

static llvm::json::Value describe(const CompiledGroups &compiled) {
  llvm::json::Array dispatches;
  for (const CompiledGroup &group : compiled.groups)
    dispatches.push_back(describe(group));
  return llvm::json::Object{{"dispatches", std::move(dispatches)},
                            {"left", describe(compiled.left)}};
}

static llvm::Error writeFile(StringRef name, llvm::function_ref<void(llvm::raw_ostream &)> print) {
  SmallString<128> path(output.getValue());
  llvm::sys::path::append(path, name);
  return writeAtomically(path, [&](llvm::raw_ostream &os) {
    print(os);
    return llvm::Error::success();
  });
}

static llvm::json::Object describe(const TunedOp &op) {
  llvm::json::Array ranked;
  for (const RankedTiles &entry : op.tuning.ranked)
    ranked.push_back(llvm::json::Object{{"tiles", llvm::json::Array(entry.tiles)},
                                        {"predicted_seconds", entry.predictedSeconds}});
  return llvm::json::Object{{"workload", op.workload},
                            {"places", static_cast<int64_t>(op.places.size())},
                            {"compilation_info", op.tuning.compilationInfo},
                            {"ranked", std::move(ranked)}};
}

static llvm::json::Value describe(const TunedOps &ops) {
  llvm::json::Array tuned;
  for (const TunedOp &op : ops.tuned)
    tuned.push_back(describe(op));
  return llvm::json::Object{{"tuned", std::move(tuned)}, {"left", describe(ops.left)}};
}

/// Writes a file, and report.json before it.
static llvm::Error write(const llvm::json::Value &report, StringRef name,
                         llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (std::error_code error = llvm::sys::fs::create_directories(output))
    return llvm::createStringError("cannot make " + output + ": " + error.message());
  if (auto error = writeFile(
          "report.json", [&](llvm::raw_ostream &os) { os << llvm::formatv("{0:2}\n", report); }))
    return error;
  return writeFile(name, print);
}

/// The name of what is written is the option that asks for it.
static bool checkForm(ModuleOp module) {
  bool isDump = module.getOps<func::FuncOp>().empty();
  if ((form != Form::Module && form != Form::Annotated) || isDump)
    return true;
  bool isModule = form == Form::Module;
  llvm::errs() << llvm::formatv("error: --to-iree-{0} takes a program as IREE prints it: "
                                "iree-compile --compile-to={1} --mlir-print-op-generic\n",
                                isModule ? "module" : "annotated", isModule ? "abi" : "flow");
  return false;
}

/// Versions of IREE whose spellings are known.
static constexpr StringRef ireeVersions[] = {"3.11", "3.12", "3.13"};

static bool checkOptions() {
  if (!form.getNumOccurrences())
    llvm::errs() << "error: say what to make: --to-iree-objects, --to-iree-module, "
                    "--to-iree-tuning-spec or --to-iree-annotated\n";
  else if (workgroups < 1)
    llvm::errs() << "error: --workgroups must be positive, but is " << workgroups << "\n";
  else if (!llvm::is_contained(ireeVersions, ireeVersion))
    llvm::errs() << "error: --iree-version=" << ireeVersion << " is not known; give one of "
                 << llvm::join(ArrayRef(ireeVersions), ", ") << "\n";
  else
    return true;
  return false;
}

static void showProgress(size_t done, size_t all) {
  if (llvm::errs().is_displayed())
    llvm::errs() << "\r" << done << "/" << all << " groups compiled" << (done == all ? "\n" : "");
}

static llvm::Error writeGroups(ModuleOp module) {
  // A dump is rewritten, where a spec only finds what is there.
  bool isDump = form == Form::Module;
  GroupOptions groups = {extent, /*mayCapture=*/isDump, /*mayMergeWeights=*/isDump, workgroups};
  CompiledGroups compiled =
      CompiledGroups::compile(module, groups, program.toCompileOptions(), showProgress);
  if (form == Form::Objects)
    return write(describe(compiled), "spec.mlir",
                 [&](llvm::raw_ostream &os) { writeObjectSpec(os, compiled.groups, ireeTarget); });
  return write(describe(compiled), "module.mlir", [&](llvm::raw_ostream &os) {
    writeReplaced(os, module, compiled.groups, ireeTarget);
  });
}

/// The weights know our kernels, which have more registers and other packings than what IREE makes:
/// the roofline ranks that better (docs/results/iree.md).
static llvm::Error writeTuning(ModuleOp module) {
  CompileOptions options = program.toCompileOptions();
  auto target = loadTarget(module.getContext(), options.target);
  std::string message, name = options.model == "auto" ? "analytic" : options.model;
  std::unique_ptr<CostModel> model = createModelFor(*target, name, message);
  TunedOps ops = tune(module, {*target, *model, ireeVersion});
  if (form == Form::Annotated)
    return write(describe(ops), "module.mlir",
                 [&](llvm::raw_ostream &os) { writeAnnotated(os, module, ops.tuned); });
  return write(describe(ops), "spec.mlir",
               [&](llvm::raw_ostream &os) { writeTuningSpec(os, ops.tuned); });
}

static llvm::Error translate(ModuleOp module) {
  bool isTuning = form == Form::TuningSpec || form == Form::Annotated;
  return isTuning ? writeTuning(module) : writeGroups(module);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (!checkOptions())
    return 1;
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects(); // a dump of IREE's
  context.loadDialect<func::FuncDialect>();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = program.parse(context, sources);
  if (!module || !program.check(context) || !checkForm(*module) || failed(simplify(*module)))
    return 1;
  return failed(printError(translate(*module)));
}
