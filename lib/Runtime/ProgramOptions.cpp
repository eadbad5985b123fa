//===- ProgramOptions.cpp - Command line options of tools that compile programs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/ProgramOptions.h"
#include "Subprocess.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Analysis/HostMachine.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Transforms/ChoiceFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

using llvm::StringRef;

/// Arguments: the model, folders that may have the package.
static constexpr char importer[] = R"(import sys
sys.path[:0] = sys.argv[2:]
try:
  from ucmoh import onnx_import
except ImportError as error:
  sys.exit(f'the Python package ucmoh is not installed ({error}): pip install ./python')
try:
  print(onnx_import.import_file(sys.argv[1]).text)
except onnx_import.Error as error:
  sys.exit(str(error))
)";

static llvm::Expected<std::string> findPython() {
  std::optional<std::string> chosen = llvm::sys::Process::GetEnv("UCMOH_PYTHON");
  std::string name = chosen.value_or("python3");
  if (auto path = llvm::sys::findProgramByName(name))
    return *path;
  return llvm::createStringError(
      llvm::formatv("an ONNX file is imported by Python, and '{0}' was not found; set UCMOH_PYTHON "
                    "to a Python that has the packages onnx and torch-mlir",
                    name));
}

/// In the source tree, in an installed package of Python, and as CMake installs it.
static std::vector<std::string> packageFolders() {
  static int anchor;
  std::string tool = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  std::vector<std::string> folders;
  for (const char *place : {"../../python", "../..", "../share/ucmoh/python"}) {
    llvm::SmallString<128> folder = llvm::sys::path::parent_path(tool);
    llvm::sys::path::append(folder, place);
    folders.push_back(folder.str().str());
  }
  return folders;
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> importOnnx(StringRef path) {
  auto python = findPython();
  if (!python)
    return python.takeError();
  std::vector<std::string> command = {*python, "-W", "ignore", "-c", importer};
  command.push_back(path.str());
  llvm::append_range(command, packageFolders());
  MemoryFile nothing, text;
  if (auto error = runProgram(command, nothing, text))
    return llvm::createStringError(path + ": " + llvm::toString(std::move(error)));
  return llvm::MemoryBuffer::getMemBufferCopy(text.read(), path);
}

/// The text of a program in MLIR. A file whose name ends in .onnx goes through the importer of the
/// Python package, by the Python that UCMOH_PYTHON names, or python3.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openModel(StringRef path) {
  std::string message;
  auto file = mlir::openInputFile(path, &message);
  if (!file)
    return llvm::createStringError(message);
  if (path.ends_with(".onnx"))
    return importOnnx(path);
  return file;
}

LogicalResult ucmoh::printError(llvm::Error error) {
  if (!error)
    return success();
  llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
  return failure();
}

ProgramOptions::ProgramOptions(cl::OptionCategory &category)
    : inputFile(cl::Positional, cl::desc("<in.mlir or in.onnx>"), cl::Required, cl::cat(category)),
      entry("entry", cl::cat(category),
            cl::desc("The only function to compile (default: all public ones)")),
      target("target", cl::init("host"), cl::cat(category),
             cl::desc("host, names of targets joined by +, or a target file; "
                      "@MACHINE or @FILE.mlir behind it pins the machine")),
      model("model", cl::init("auto"), cl::cat(category),
            cl::desc("Cost model: auto (embedded where it has seen the target's intrinsics, else "
                     "analytic), embedded, analytic, random:SEED or FILE.safetensors")),
      choices("choices", cl::cat(category),
              cl::desc("JSONL file of choices that override the model")),
      threads(freeOptionName("threads"), cl::init(1), cl::cat(category),
              cl::desc("Threads that one kernel may use")),
      winograd(
          "winograd", cl::init(true), cl::cat(category),
          cl::desc("Convolutions of 3 x 3 pixels may be computed with fewer products (Winograd): "
                   "results of floats differ by rounding")) {}

CompileOptions ProgramOptions::toCompileOptions() const {
  CompileOptions options;
  options.target = target;
  options.model = model;
  options.choices = choices;
  options.threads = threads;
  options.winograd = winograd;
  return options;
}

bool ProgramOptions::check(MLIRContext &context) const {
  if (threads < 1) {
    llvm::errs() << "error: --threads must be positive, but is " << threads << "\n";
    return false;
  }
  // An option has no place in a file.
  ScopedDiagnosticHandler plain(&context, [](Diagnostic &diagnostic) {
    if (!isa<UnknownLoc>(diagnostic.getLocation()))
      return failure();
    llvm::errs() << "error: " << diagnostic << "\n";
    return success();
  });
  auto resolved = loadTarget(&context, target.getValue());
  if (failed(resolved))
    return false;
  if (std::string advice = adviceOnMachine(*resolved, target.getValue()); !advice.empty())
    llvm::WithColor::note() << advice << "\n";
  size_t cores = cpusAtStart().size();
  if (isHostArchitecture(resolved->triple) && !resolved->device && threads > int64_t(cores))
    llvm::WithColor::warning() << "--threads=" << threads << ", but this process may use " << cores
                               << (cores == 1 ? " core" : " cores")
                               << ": threads take turns; give it no more than that\n";
  resolved->threads = threads;
  std::string error, caveat;
  if (!createModelFor(*resolved, model.getValue(), error, &caveat))
    return llvm::errs() << "error: " << error << "\n", false;
  if (!caveat.empty())
    llvm::WithColor::note() << caveat << "\n";
  return choices.empty() || succeeded(ChoiceFile().read(choices.getValue(), &context));
}

/// Empty after an error.
std::vector<std::string> ProgramOptions::findFunctions(ModuleOp module) const {
  std::vector<std::string> names;
  std::string known;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    known += " @" + function.getSymName().str();
    if (entry.empty() || function.getSymName() == entry)
      names.push_back(function.getSymName().str());
  }
  if (names.empty() && known.empty())
    llvm::errs() << inputFile << ": error: no public function with a body\n";
  else if (names.empty())
    llvm::errs() << inputFile << ": error: no public function @" << entry
                 << "; give --entry one of:" << known << "\n";
  return names;
}

OwningOpRef<ModuleOp> ProgramOptions::parse(MLIRContext &context, llvm::SourceMgr &sources) const {
  auto file = openModel(inputFile);
  if (!file) {
    llvm::errs() << "error: " << llvm::toString(file.takeError()) << "\n";
    return {};
  }
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

int ProgramOptions::run(MLIRContext::Threading threading, Body body) const {
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry, threading);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parse(context, sources);
  if (!module || !check(context))
    return 1;
  std::vector<std::string> functions = findFunctions(*module);
  if (functions.empty())
    return 1;
  return failed(body(*module, functions));
}
