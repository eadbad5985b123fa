//===- ModelFile.cpp - What tools read as a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"
#include "Subprocess.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace ucmoh;
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

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> ucmoh::openModel(StringRef path) {
  std::string message;
  auto file = mlir::openInputFile(path, &message);
  if (!file)
    return llvm::createStringError(message);
  if (path.ends_with(".onnx"))
    return importOnnx(path);
  return file;
}
