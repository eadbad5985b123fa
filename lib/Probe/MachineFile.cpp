//===- MachineFile.cpp - A measured machine as a file
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Probe/Probe.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ucmoh;

std::string ucmoh::printMachineFile(const ProbeResult &result, StringRef name, StringRef cpu) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const std::string &line : result.method)
    stream << "// " << line << "\n";
  printMachine(result.target, name, cpu, stream);
  return text;
}

/// Whether the file holds machines and nothing else.
static bool isMachineFile(MLIRContext *context, StringRef path) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  auto module = parseSourceFile<ModuleOp>(path, ParserConfig(context));
  return module && !module->getBody()->empty() &&
         llvm::all_of(*module->getBody(), [](Operation &op) { return isa<MachineOp>(op); });
}

llvm::Error ucmoh::checkMachineFile(MLIRContext *context, StringRef path, StringRef name) {
  bool isSymbol = !name.empty() && !llvm::isDigit(name.front()) &&
                  llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isSymbol)
    return llvm::createStringError("'" + name +
                                   "' cannot be a machine's name: --name=NAME takes "
                                   "letters, digits and '_', no digit first");
  StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty() && !llvm::sys::fs::is_directory(folder))
    return llvm::createStringError("'" + path + "' cannot be written: there is no folder '" +
                                   folder + "'");
  if (path == "-" || !llvm::sys::fs::exists(path) || isMachineFile(context, path))
    return llvm::Error::success();
  return llvm::createStringError("'" + path +
                                 "' exists and is no machine file; give --output another path");
}

llvm::Error ucmoh::writeMachineFile(StringRef path, StringRef text) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &stream) {
    stream << text;
    return llvm::Error::success();
  });
}
