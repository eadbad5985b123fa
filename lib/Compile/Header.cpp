//===- Header.cpp - What C programs include
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Header.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;

static constexpr char beginning[] = R"(/* Made by ucmoh-compile for {0} on {1}.
 *
 * The functions return 0 if all was done, 1 if this CPU lacks an instruction that the code needs, and 2 if memory was
 * short. They check the CPU before anything else. Several threads may call them at once.
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

/* Computes. Arrays are row-major; the inputs stay as they are; the outputs must not overlap anything else.{2} */
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

/// What elements are in C.
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

/// One line for people, and macros for programs, of each parameter in a list.
static void writeList(llvm::raw_ostream &os, StringRef function, StringRef kind,
                      ArrayRef<Parameter> list) {
  std::string prefix = (function + "_" + kind).str();
  std::string macro = StringRef(prefix).upper();
  os << llvm::formatv("\n#define {0}S {1}\n", macro, list.size());
  auto bytes = llvm::map_range(list, [](const Parameter &p) { return std::to_string(bytesOf(p)); });
  os << llvm::formatv("#define {0}_BYTES {{{1}}\n", macro, llvm::join(bytes, ", "));
  for (auto [i, parameter] : llvm::enumerate(list)) {
    os << llvm::formatv("/* {0}s[{1}]: {2}{4}; elements are {3} */\n", kind, i, toString(parameter),
                        typeInC(parameter.elementType), namesOfExtents(parameter));
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

std::string ucmoh::writeHeader(ArrayRef<CInterface> interfaces, const LibraryTarget &target) {
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
    writeList(os, interface.name, "output", signature.results);
  }
  os << end;
  return text;
}
