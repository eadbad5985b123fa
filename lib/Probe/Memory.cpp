//===- Memory.cpp - Buffers to read from, caches aside
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Benchmark.h"
#include "ucmoh/Analysis/HostCores.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace ucmoh;

static constexpr int64_t hugePageBytes = 2 << 20;
/// A core that reads together with others has so many slices of the memory.
static constexpr int64_t slicesPerCore = 16;
static constexpr int64_t readsPerSample = 1000;

/// Large pages: which physical pages a program gets would else decide how well a cache holds them.
std::shared_ptr<char> ucmoh::allocatePages(int64_t bytes) {
  int64_t size = llvm::alignTo(bytes, hugePageBytes);
  void *memory = std::aligned_alloc(hugePageBytes, size);
  if (!memory)
    return nullptr;
  madvise(memory, size, MADV_HUGEPAGE);
  std::memset(memory, 1, size);
  return std::shared_ptr<char>(static_cast<char *>(memory), std::free);
}

int64_t ucmoh::chooseMemoryBytes(const Machine &machine) {
  int64_t all = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  int64_t bytes = std::min(std::max<int64_t>(256 << 20, 4 * machine.l3Bytes), all / 4);
  return std::max(bytes / sliceBytes, int64_t(1)) * sliceBytes;
}

//===----------------------------------------------------------------------===//
// Latency
//===----------------------------------------------------------------------===//

/// Makes one ring of all lines: each holds the address of the next, in random order.
static char **linkLines(char *memory, int64_t bytes, int64_t lineBytes) {
  std::vector<uint32_t> order(bytes / lineBytes);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(0));
  auto at = [&](size_t i) {
    return reinterpret_cast<char **>(memory + order[i % order.size()] * lineBytes);
  };
  for (size_t i = 0; i < order.size(); ++i)
    *at(i) = reinterpret_cast<char *>(at(i + 1));
  return at(0);
}

Benchmark ucmoh::measureLatency(std::shared_ptr<char> memory, int64_t bytes, int64_t lineBytes) {
  char **line = linkLines(memory.get(), bytes, lineBytes);
  return Benchmark("memory latency", /*usesCaches=*/true, [memory, line]() mutable {
    auto start = now();
    for (int64_t i = 0; i < readsPerSample; ++i)
      line = reinterpret_cast<char **>(*line);
    return secondsSince(start) / readsPerSample;
  });
}

//===----------------------------------------------------------------------===//
// Bandwidth
//===----------------------------------------------------------------------===//

using Slices = std::vector<std::shared_ptr<Invocation>>;

/// One call for each slice of the memory.
static llvm::Expected<Slices> prepareSlices(Executable &executable, StringRef name,
                                            std::shared_ptr<char> memory, int64_t bytes,
                                            Tensor results) {
  MLIRContext *context = results.getElementType().getContext();
  Tensor once(IndexType::get(context), {});
  once.setInteger(0, 1);
  Slices slices;
  for (int64_t begin = 0; begin + sliceBytes <= bytes; begin += sliceBytes) {
    std::shared_ptr<char> slice(memory, memory.get() + begin);
    Tensor buffer(IntegerType::get(context, 64), {sliceBytes / 8}, slice);
    auto call = prepareFunction(executable, name, {buffer, results}, once);
    if (!call)
      return call.takeError();
    slices.push_back(std::move(*call));
  }
  return slices;
}

llvm::Expected<Benchmark> ucmoh::measureMemory(StringRef name, Executable &executable,
                                               StringRef function, std::shared_ptr<char> memory,
                                               int64_t bytes, Tensor results) {
  auto slices = prepareSlices(executable, function, memory, bytes, results);
  if (!slices)
    return slices.takeError();
  return Benchmark(name.str(), /*usesCaches=*/true, [slices = *slices, next = size_t(0)]() mutable {
    Invocation &slice = *slices[next++ % slices.size()];
    auto start = now();
    llvm::cantFail(slice.run());
    return secondsSince(start) / sliceBytes;
  });
}

namespace {
/// Reads memory on one core.
struct Reader {
  int core;
  Slices slices;
  TimePoint start, end;
};
} // namespace

/// Each reads the slice `number`, all beginning at the same time, at real-time priority where
/// that is allowed; from the first beginning to the last end.
static double readTogether(std::vector<Reader> &readers, size_t number) {
  std::atomic<size_t> ready = 0, alone = 0;
  std::vector<std::thread> threads;
  for (Reader &reader : readers)
    threads.emplace_back([&] {
      stayOn(reader.core);
      Invocation &slice = *reader.slices[number % reader.slices.size()];
      for (++ready; ready < readers.size();)
        std::this_thread::yield(); // those to come may need this core to begin
      goBeforeOthers();
      for (++alone; alone < readers.size();) // not yielding: others would begin now
        continue;
      reader.start = now();
      llvm::cantFail(slice.run());
      reader.end = now();
    });
  for (std::thread &thread : threads)
    thread.join();
  auto earliest = llvm::min_element(readers, [](auto &a, auto &b) { return a.start < b.start; });
  auto latest = llvm::max_element(readers, [](auto &a, auto &b) { return a.end < b.end; });
  return secondsBetween(earliest->start, latest->end);
}

llvm::Expected<Benchmark> ucmoh::measureAllCores(Executable &executable, StringRef name,
                                                 ArrayRef<int> cores, Tensor results) {
  std::vector<Reader> readers;
  for (int core : cores) {
    std::shared_ptr<char> memory;
    std::thread([&] { // the thread that writes first decides where memory lies
      stayOn(core);
      memory = allocatePages(slicesPerCore * sliceBytes);
    })
        .join();
    if (!memory)
      return llvm::createStringError("no memory to measure all cores together");
    Tensor own(results.getElementType(), results.getShape());
    auto slices = prepareSlices(executable, name, memory, slicesPerCore * sliceBytes, own);
    if (!slices)
      return slices.takeError();
    readers.push_back({core, *slices, {}, {}});
  }
  return Benchmark("memory, all cores", /*usesCaches=*/true,
                   [readers, number = size_t(0)]() mutable {
                     double bytes = static_cast<double>(readers.size()) * sliceBytes;
                     return readTogether(readers, number++) / bytes;
                   });
}
