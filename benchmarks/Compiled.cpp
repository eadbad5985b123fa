//===- Compiled.cpp - The task by a function that UCMoH compiled ----------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiled.h"
#include "ucmoh/Runtime/MeasuringProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <dlfcn.h>

using namespace bench;

namespace {
/// Holds what compile_ours.py prints about a function.
struct Description {
  std::string name, detail, library, function;
  std::vector<std::string> arguments;
  std::vector<int64_t> pack, returns;
};

/// A memref as the C interface passes it: allocated, aligned, offset, sizes, strides; 8 bytes each.
using Descriptor = std::vector<int64_t>;

struct Call {
  void *function;
  std::vector<Descriptor> values; ///< keeps alive what `arguments` points to
  std::vector<int64_t> returned;  ///< descriptors of the results, one after the other
  std::vector<void *> arguments;
};
} // namespace

static size_t wordsOf(int64_t rank) { return 3 + 2 * rank; }

static Descriptor describe(const void *data, const Sizes &shape) {
  Descriptor descriptor(wordsOf(shape.size()));
  descriptor[0] = descriptor[1] = reinterpret_cast<int64_t>(data);
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim]) {
    descriptor[3 + dim] = shape[dim];
    descriptor[3 + shape.size() + dim] = stride;
  }
  return descriptor;
}

static llvm::Expected<Description> readDescription(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read " + path);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return value.takeError();
  Description d;
  llvm::json::Path::Root root("compiled");
  llvm::json::ObjectMapper map(*value, root);
  if (!map || !map.map("name", d.name) || !map.map("detail", d.detail) ||
      !map.map("library", d.library) || !map.map("function", d.function) ||
      !map.map("arguments", d.arguments) || !map.map("pack", d.pack) ||
      !map.map("returns", d.returns))
    return root.getError();
  return d;
}

static llvm::Expected<void *> lookUp(void *library, const std::string &function) {
  std::string symbol = "_mlir_ciface_" + function;
  if (void *address = dlsym(library, symbol.c_str()))
    return address;
  return llvm::createStringError("no symbol " + symbol + " in the library");
}

/// Calls with up to eight pointers: the C calling conventions let a caller pass more than is taken.
static void invoke(const Call &call) {
  using Function = void (*)(void *, void *, void *, void *, void *, void *, void *, void *);
  void *a[8] = {};
  llvm::copy(call.arguments, a);
  reinterpret_cast<Function>(call.function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}

/// Calls again. What the last call returned is the caller's, so it is given back first.
static void invokeAgain(Call &call) {
  if (!call.returned.empty()) {
    std::free(reinterpret_cast<void *>(call.returned[0]));
    call.returned[0] = 0;
  }
  invoke(call);
}

static void setArguments(Call &call, const std::vector<int64_t> &returnedRanks) {
  for (int64_t rank : returnedRanks)
    call.returned.resize(call.returned.size() + wordsOf(rank));
  if (!returnedRanks.empty())
    call.arguments.push_back(call.returned.data());
  for (Descriptor &value : call.values)
    call.arguments.push_back(value.data());
}

/// Runs @function.pack and returns descriptors of what it packed.
static llvm::Expected<std::vector<Descriptor>> pack(const Task &task, const Description &d,
                                                    void *library, const Buffer &rhs) {
  std::vector<Descriptor> packed;
  if (d.pack.empty())
    return packed;
  llvm::Expected<void *> function = lookUp(library, d.function + ".pack");
  if (!function)
    return function.takeError();
  Call call{*function, {describe(rhs.data(), task.rhsShape())}, {}, {}};
  setArguments(call, d.pack);
  invoke(call);
  auto position = call.returned.begin();
  for (int64_t rank : d.pack) {
    packed.emplace_back(position, position + wordsOf(rank));
    position += wordsOf(rank);
  }
  return packed;
}

llvm::Expected<Implementation> bench::loadCompiled(const Task &task, const std::string &path,
                                                   const Buffer &lhs, const Buffer &rhs) {
  ucmoh::keepFreedMemoryOrWarn(); // a network's runtime would use its buffers again, too
  llvm::Expected<Description> d = readDescription(path);
  if (!d)
    return d.takeError();
  void *library = dlopen(d->library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return llvm::createStringError(dlerror());
  llvm::Expected<void *> function = lookUp(library, d->function);
  if (!function)
    return function.takeError();
  llvm::Expected<std::vector<Descriptor>> packed = pack(task, *d, library, rhs);
  if (!packed)
    return packed.takeError();
  auto result = std::make_shared<Buffer>(product(task.resultShape()) * bytesOf(task.result));
  auto call = std::make_shared<Call>(Call{*function, {}, {}, {}});
  auto nextPacked = packed->begin();
  for (const std::string &argument : d->arguments)
    call->values.push_back(argument == "lhs"      ? describe(lhs.data(), task.lhsShape())
                           : argument == "rhs"    ? describe(rhs.data(), task.rhsShape())
                           : argument == "result" ? describe(result->data(), task.resultShape())
                                                  : *nextPacked++);
  setArguments(*call, d->returns);
  auto plainResult = [result, call]() -> const char * {
    // A function that returns its result may have put it elsewhere.
    return call->returned.empty() ? result->data()
                                  : reinterpret_cast<const char *>(call->returned[1]);
  };
  return Implementation{d->name, d->detail, [call] { invokeAgain(*call); }, plainResult};
}
