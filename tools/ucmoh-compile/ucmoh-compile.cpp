//===- ucmoh-compile.cpp - Linalg programs as libraries for C programs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "ucmoh/Compile/Library.h"
#include "ucmoh/Runtime/ProgramOptions.h"
#include "ucmoh/Support/Files.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace ucmoh;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of ucmoh-compile");
static ProgramOptions program(category);
static cl::opt<std::string>
    output("o", cl::Required, cl::cat(category), cl::value_desc("FILE.so|FILE.o"),
           cl::desc("What to write: a shared object, or an object file to link"));
static cl::opt<std::string> header("header", cl::cat(category), cl::value_desc("FILE.h"),
                                   cl::desc("Header of C that declares the functions"));

static constexpr char overview[] = R"(Compile linalg programs for C programs

Each public function @NAME becomes NAME_packed_bytes, NAME_pack, NAME_run and NAME_describe, which the header explains.

EXAMPLES:
  ucmoh-compile model.mlir -o model.so --header=model.h     for this CPU
  ucmoh-compile model.mlir -o model.o --target=x86_avx2_fma for each CPU that has AVX2 and FMA
  ucmoh-compile model.mlir -o model.so --target=aarch64_dotprod@graviton3
)";

static bool isShared() { return StringRef(output).ends_with(".so"); }

/// The bytes of the output file.
static llvm::Expected<std::string> finish(const Library &library) {
  return isShared() ? linkShared(library) : library.object;
}

static llvm::Error write(const Library &library, StringRef bytes) {
  if (header.empty())
    return writeAtomically(output, bytes);
  // The header takes its place last: none of them is new without the other.
  return writeAtomically(header, [&](llvm::raw_ostream &os) {
    os << library.header;
    return writeAtomically(output, bytes);
  });
}

static llvm::Error compile(ModuleOp module, ArrayRef<std::string> functions) {
  auto kernels = isShared() ? Library::Kernels::Apart : Library::Kernels::Inside;
  auto library = Library::compile(module, functions, program.toCompileOptions(), kernels);
  if (!library)
    return library.takeError();
  auto bytes = finish(*library);
  if (!bytes)
    return bytes.takeError();
  return write(*library, *bytes);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (!isShared() && !StringRef(output).ends_with(".o")) {
    llvm::errs() << "error: -o " << output << ": give FILE.so for a shared object, FILE.o for an "
                 << "object file\n";
    return 1;
  }
  return program.run(MLIRContext::Threading::ENABLED,
                     [](ModuleOp module, ArrayRef<std::string> functions) {
                       return printError(compile(module, functions));
                     });
}
