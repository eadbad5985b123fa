//===- Library.cpp - A module as a library for C programs
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Compile/Library.h"
#include "CInterface.h"
#include "EntryPoints.h"
#include "Support.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Runtime/KernelUnits.h"
#include "ucmoh/Runtime/MachineCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Target/TargetMachine.h"
#include <dlfcn.h>

using namespace mlir;
using namespace ucmoh;

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

static constexpr char beginning[] = R"(/* Made by ucmoh-compile for {0} on {1}.
 *
 * The functions return 0 if all was done, 1 if this CPU lacks an instruction that the code needs, 2 if memory was
 * short, and 4 if an assertion of the program does not hold, whose message is printed. They check the CPU before anything
 * else. Several threads may call them at once.
 */
#ifndef UCMOH_{2}_H
#define UCMOH_{2}_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif
)";

static constexpr char functions[] = R"(
/* Bytes of the packed weights of @{1}: of memory that the program gives, aligned to 64 bytes. */
size_t {0}_packed_bytes(void);

/* Packs the weights, once. `packed` holds all that {0}_run needs of them: they may be freed, and `packed` may be
 * copied, or saved for this library. */
int {0}_pack(const void *const *weights, void *packed);

/* Computes. Arrays are row-major; the inputs stay as they are; the outputs must not overlap anything else,
 * but where it is said below.{2} */
int {0}_run(const void *const *inputs, void *const *outputs, const void *packed{3});

/* JSON: types, shapes, the CPU's features that are checked, and how each product is computed. */
const char *{0}_describe(void);
)";

static constexpr char threads[] = R"(
/* Kernels have {1} parts. They run on the calling thread and on threads that this library makes at the first call.
 * With `parallel_for` they run where it says instead: it calls task(argument, i) once for each i below count, on any
 * threads and in any order, and returns when all are done. Null: as before. This holds for all functions of the
 * library, and none of them may run meanwhile. */
void {0}_use_threads(void (*parallel_for)(void *context, size_t count, void (*task)(void *argument, size_t index),
                                          void *argument),
                     void *context);
)";

static constexpr char aboutExtents[] = R"(
 * `extents` has the number for each of e0, e1 and so on in the shapes below. A number that is not promised gives 3,
 * before anything is read or written.)";

static constexpr char end[] = R"(
#ifdef __cplusplus
}
#endif

#endif
)";

/// Names the type of elements in C.
static std::string typeInC(Type type) {
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isIndex())
    return "int64_t";
  if (type.isInteger(1))
    return "uint8_t, 0 or 1";
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::formatv("int{0}_t", integer.getWidth());
  return llvm::formatv("uint{0}_t, the bits", type.getIntOrFloatBitWidth());
}

/// " with e0, e1 for ?", in the order of the open dims.
static std::string namesOfExtents(const Parameter &parameter) {
  SmallVector<std::string> names;
  for (int64_t number : parameter.extents)
    if (number >= 0)
      names.push_back("e" + std::to_string(number));
  return names.empty() ? "" : " with " + llvm::join(names, ", ") + " for ?";
}

static std::string placeOf(const Parameter &parameter) {
  return parameter.inPlace
             ? llvm::formatv("; may be the memory of inputs[{0}]", *parameter.inPlace).str()
             : "";
}

/// One line for people, and macros for programs, of each parameter in a list.
static void writeList(llvm::raw_ostream &os, StringRef function, StringRef kind,
                      ArrayRef<Parameter> list) {
  std::string prefix = (function + "_" + kind).str();
  std::string macro = StringRef(prefix).upper();
  os << llvm::formatv("\n#define {0}S {1}\n", macro, list.size());
  auto bytes = llvm::map_range(list, [](const Parameter &p) { return std::to_string(bytesOf(p)); });
  os << llvm::formatv("#define {0}_BYTES {{{1}}\n", macro, llvm::join(bytes, ", "));
  for (auto [i, parameter] : llvm::enumerate(list)) {
    os << llvm::formatv("/* {0}s[{1}]: {2}{4}; elements are {3}{5} */\n", kind, i,
                        toString(parameter), typeInC(parameter.elementType),
                        namesOfExtents(parameter), placeOf(parameter));
    os << llvm::formatv("#define {0}{1}_BYTES {2}\n", macro, i, bytesOf(parameter));
    if (parameter.shape.empty())
      continue;
    os << llvm::formatv("#define {0}{1}_RANK {2}\n", macro, i, parameter.shape.size());
    os << llvm::formatv("#define {0}{1}_SHAPE {{{2}}\n", macro, i,
                        llvm::join(llvm::map_range(parameter.shape,
                                                   [](int64_t extent) {
                                                     return std::to_string(
                                                         ShapedType::isDynamic(extent) ? 0
                                                                                       : extent);
                                                   }),
                                   ", "));
  }
}

/// Declares the functions of a library, with shapes as macros.
static std::string writeHeader(ArrayRef<CInterface> interfaces, const LibraryTarget &target) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv(beginning, target.name, target.machine,
                      StringRef(interfaces.front().name).upper());
  for (const CInterface &interface : interfaces) {
    const Signature &signature = interface.function->original;
    bool isOpen = !interface.extents().empty();
    os << llvm::formatv(functions, interface.name, signature.name, isOpen ? aboutExtents : "",
                        isOpen ? ", const int64_t *extents" : "");
    if (target.threads > 1)
      os << llvm::formatv(threads, interface.name, target.threads);
    writeList(os, interface.name, "input", interface.inputs);
    writeList(os, interface.name, "weight", interface.weights);
    writeList(os, interface.name, "output", interface.outputs);
  }
  os << end;
  return text;
}

//===----------------------------------------------------------------------===//
// Library
//===----------------------------------------------------------------------===//

/// Describes all functions as C programs see them; an error if two of them have the same name in C.
static llvm::Expected<std::vector<CInterface>> createInterfaces(const LoweredProgram &program) {
  std::vector<CInterface> interfaces;
  for (const LoweredFunction &function : program.functions) {
    auto interface = CInterface::create(function);
    if (!interface)
      return interface.takeError();
    for (const CInterface &other : interfaces)
      if (other.name == interface->name)
        return llvm::createStringError(llvm::formatv(
            "@{0} and @{1} would both be {2} in C; rename one, or compile it alone (--entry)",
            other.function->original.name, function.original.name, other.name));
    interfaces.push_back(std::move(*interface));
  }
  return interfaces;
}

/// Lists what the intrinsics' targets ask of the operating system.
static std::vector<SystemCall> permissionsOf(const Target &target) {
  std::vector<SystemCall> permissions;
  for (TargetOp op : target.ops)
    if (std::optional<ArrayRef<int64_t>> numbers = op.getPermission()) {
      SystemCall call = {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
      if (!llvm::is_contained(permissions, call))
        permissions.push_back(call);
    }
  return permissions;
}

/// Only what C programs call is seen from outside; a function of the module may be called as one of
/// the C library's is.
static void makeInternal(llvm::Module &module) {
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration())
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// Whether a function of the module already has the name of an entry point.
static llvm::Error checkNames(const llvm::Module &module, ArrayRef<CInterface> interfaces) {
  for (const CInterface &interface : interfaces)
    for (const char *suffix : {"_packed_bytes", "_pack", "_run", "_use_threads", "_describe"})
      if (module.getNamedValue(interface.name + suffix))
        return llvm::createStringError(
            llvm::formatv("@{0}{1} has the name of a function that @{2} gets in C; rename it",
                          interface.name, suffix, interface.function->original.name));
  return llvm::Error::success();
}

/// Whether all functions that are called have a body.
static llvm::Error checkBodies(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (StringRef name = function.getName();
        function.isDeclaration() && !function.use_empty() && name.consume_front("_mlir_ciface_"))
      return llvm::createStringError("@" + name +
                                     " has no body; give it one, or --entry a function that does "
                                     "not call it");
  return llvm::Error::success();
}

/// One file for the linker.
static llvm::Expected<std::string> archive(const KernelUnits::Objects &objects) {
  if (objects.empty())
    return "";
  std::vector<llvm::NewArchiveMember> members;
  for (const auto &[key, bytes] : objects)
    members.emplace_back(llvm::MemoryBufferRef(bytes, key));
  auto written = llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab,
                                            llvm::object::Archive::K_GNU, /*Deterministic=*/true,
                                            /*Thin=*/false);
  if (!written)
    return written.takeError();
  return (*written)->getBuffer().str();
}

/// Kernels call what comes with the library, and only the library calls them.
static void finishKernel(llvm::Module &kernel) {
  callSupport(kernel);
  for (llvm::Function &function : kernel)
    if (function.hasExternalLinkage() && !function.isDeclaration())
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
}

namespace {
/// Makes the object files of a program.
struct LibraryCompiler {
  LoweredProgram &program;
  ArrayRef<CInterface> interfaces;
  llvm::TargetMachine &machine;
  const LibraryTarget &description;
  std::vector<SystemCall> permissions;
  Library::Kernels where;

  llvm::Error compile(Library &library);
  llvm::Expected<std::string> finish(llvm::Module &module);
};
} // namespace

/// What is left of the module once kernels are apart.
llvm::Expected<std::string> LibraryCompiler::finish(llvm::Module &module) {
  makeInternal(module);
  for (const CInterface &interface : interfaces)
    addEntryPoints(module, interface, description);
  if (auto error = optimize(module, machine))
    return std::move(error);
  bool isInside = where == Library::Kernels::Inside;
  if (auto error = linkSupport(module, description.features, permissions,
                               isInside ? SupportFor::Module : SupportFor::SharedObject))
    return std::move(error);
  return emit(module, machine, llvm::CodeGenFileType::ObjectFile);
}

llvm::Error LibraryCompiler::compile(Library &library) {
  llvm::LLVMContext context;
  auto module = translate(*program.module, context, machine);
  if (!module)
    return module.takeError();
  if (auto error = checkNames(**module, interfaces))
    return error;
  if (auto error = checkBodies(**module))
    return error;
  if (where == Library::Kernels::Inside)
    return finish(**module).moveInto(library.object);
  auto units = KernelUnits::extract(**module, program.target, {"library", finishKernel});
  if (!units)
    return units.takeError();
  if (auto error = finish(**module).moveInto(library.object))
    return error;
  auto objects = (*units)->takeObjects();
  return objects ? archive(*objects).moveInto(library.kernels) : objects.takeError();
}

llvm::Expected<Library> Library::compile(ModuleOp module, ArrayRef<std::string> entries,
                                         CompileOptions options, Kernels where) {
  options.ahead = true;
  auto program = LoweredProgram::lower(module, entries, options);
  if (!program)
    return program.takeError();
  auto interfaces = createInterfaces(*program);
  if (!interfaces)
    return interfaces.takeError();
  auto target = loadTarget(module.getContext(), options.target);
  auto machine = createMachine(program->target);
  if (!machine)
    return machine.takeError();
  auto features = checkedFeatures((*machine)->getTargetTriple(), enabledFeatures(**machine));
  if (!features)
    return features.takeError();
  LibraryTarget description = {options.target, target->machine.name, *features, options.threads};
  Library library = {"", "", writeHeader(*interfaces, description), program->target.triple};
  LibraryCompiler compiler = {*program, *interfaces, **machine, description, permissionsOf(*target),
                              where};
  if (auto error = compiler.compile(library))
    return std::move(error);
  return library;
}

using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Shared library
//===----------------------------------------------------------------------===//

namespace {
/// How to link: what stands before and behind the object file.
struct LinkCommand {
  std::vector<std::string> before, libraries;
};
} // namespace

static std::optional<std::string> findFirst(ArrayRef<std::string> names) {
  for (const std::string &name : names)
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return std::nullopt;
}

/// The file that the symbol of this process comes from.
static std::string libraryOf(const char *symbol) {
  Dl_info info;
  bool isFound = dladdr(dlsym(RTLD_DEFAULT, symbol), &info);
  return isFound ? info.dli_fname : "";
}

/// Without a compiler there may be no C library to develop with either: then those are linked that
/// this process has.
static LinkCommand useLinker(const std::string &linker) {
  return LinkCommand{{linker, "-shared", "-z", "defs"},
                     {"--as-needed", libraryOf("expf"), libraryOf("_Unwind_Resume"),
                      libraryOf("gnu_get_libc_version"), libraryOf("__tls_get_addr")}};
}

/// The linker that came with this program, if one did.
static std::optional<std::string> findOwnLinker() {
  llvm::SmallString<128> path(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "ld.lld");
  if (!llvm::sys::fs::can_execute(path))
    return std::nullopt;
  return path.str().str();
}

static llvm::Expected<LinkCommand> findCommand(StringRef triple) {
  std::string version = std::to_string(LLVM_VERSION_MAJOR), clang = "clang-" + version;
  bool isNative = isHostArchitecture(triple);
  if (auto linker = isNative ? findOwnLinker() : std::nullopt)
    return useLinker(*linker);
  std::vector<std::string> names = {clang, "clang"};
  if (isNative)
    names.insert(names.end(), {"cc", "gcc"});
  if (auto compiler = findFirst(names)) {
    LinkCommand command = {{*compiler, "-shared", "-static-libgcc", "-Wl,-z,defs"}, {"-lm"}};
    if (!isNative)
      command.before.insert(command.before.end(), {"--target=" + triple.str(), "-fuse-ld=lld"});
    return command;
  }
  auto linker = findFirst({"ld.lld-" + version, "ld.lld", "ld"});
  if (isNative && linker)
    return useLinker(*linker);
  return llvm::createStringError(llvm::formatv(
      "a shared object for {0} needs a compiler of C to link it, and none of {1} is in PATH "
      "(Debian: {2}); an object file (-o FILE.o) needs none",
      triple, llvm::join(names, ", "), clang));
}

llvm::Expected<std::string> ucmoh::linkShared(const Library &library) {
  auto command = findCommand(library.triple);
  if (!command)
    return command.takeError();
  auto linked = link(command->before, {library.object, library.kernels}, command->libraries);
  if (linked)
    return linked;
  return llvm::createStringError(
      llvm::formatv("cannot link a shared object for {0}; that needs a C library for it "
                    "(Debian: libc6-dev, or libc6-dev-ARCHITECTURE-cross and "
                    "libgcc-12-dev-ARCHITECTURE-cross). {1}",
                    library.triple, llvm::toString(linked.takeError())));
}
