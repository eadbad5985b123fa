//===- Sentinel.cpp - Samples of quiet moments
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Sentinel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <sys/mman.h>
#include <thread>

using namespace ucmoh;

using Clock = std::chrono::steady_clock;

static constexpr int rows = 4, columns = 192, steps = 512; // rhs: 384 KiB
static constexpr int calibrationRuns = 200;
static constexpr int looksBeforeSleep = 8, looksAfterSample = 12;
static constexpr std::chrono::milliseconds firstSleep(1), longestSleep(8);

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What has been seen of late. Lies in memory that children may share, and is written by one
/// process at a time. A batch stands for its lower quartile, which no single run of luck moves.
struct Sentinel::Knowledge {
  static constexpr size_t batchRuns = 32, mostBatches = 512;
  std::array<double, batchRuns> batch;       ///< seconds of the last runs
  std::array<double, mostBatches> quartiles; ///< seconds, of the last batches
  size_t runs;                               ///< that were seen
  double good;                               ///< seconds in good moments; 0: unknown yet
  double patience;                           ///< seconds

  void see(double seconds);
};

/// The value that a share of those in [begin, end) are below.
static double quantile(double *begin, double *end, double share) {
  double *at = begin + size_t(share * (end - begin));
  std::nth_element(begin, at, end);
  return *at;
}

void Sentinel::Knowledge::see(double seconds) {
  batch[runs++ % batchRuns] = seconds;
  if (runs % batchRuns)
    return;
  size_t batches = runs / batchRuns;
  quartiles[(batches - 1) % mostBatches] = quantile(batch.begin(), batch.end(), 0.25);
  auto sorted = quartiles; // the ring keeps its order
  good = quantile(sorted.begin(), sorted.begin() + std::min(batches, mostBatches), 0.1);
}

Sentinel::Sentinel() : lhs(rows * steps, 1.0f), rhs(steps * columns, 1.0f), result(rows * columns) {
  for (int i = 0; i < calibrationRuns; ++i)
    isQuiet();
}

Sentinel::Knowledge &Sentinel::knowledge() {
  static Knowledge *shared = [] {
    void *page =
        mmap(nullptr, sizeof(Knowledge), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    // Without shared memory each process learns for itself.
    return page == MAP_FAILED ? new Knowledge{} : new (page) Knowledge{};
  }();
  return *shared;
}

void Sentinel::shareWithChildren() { knowledge(); }

double Sentinel::run() {
  auto start = Clock::now();
  std::fill(result.begin(), result.end(), 0.0f);
  for (int k = 0; k < steps; ++k)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        result[i * columns + j] += lhs[i * steps + k] * rhs[k * columns + j];
  // The result is read, so that the loops are not removed.
  volatile float sink = result[0];
  (void)sink;
  return secondsSince(start);
}

bool Sentinel::isQuiet() {
  double seconds = run();
  knowledge().see(seconds);
  slowness = knowledge().good > 0 ? seconds / knowledge().good : 1;
  return slowness <= slowdownAllowed;
}

bool Sentinel::isQuietAfterSample() {
  run(); // brings the operands back to the cache
  for (int i = 0; i < looksAfterSample; ++i)
    if (isQuiet())
      return true;
  return false;
}

bool Sentinel::wait(double seconds) {
  auto start = Clock::now();
  double most = std::min(knowledge().patience + seconds, mostPatienceSeconds);
  run(); // brings the operands back to the cache
  for (auto sleep = firstSleep;; sleep = std::min(2 * sleep, longestSleep)) {
    bool quiet = false;
    // Whoever sleeps lets others use this core's caches: only when short noise is over.
    for (int i = 0; i < looksBeforeSleep && !quiet; ++i)
      quiet = isQuiet();
    double spent = secondsSince(start);
    if (quiet || spent > most) {
      knowledge().patience = std::max(0.0, most - spent);
      return quiet;
    }
    std::this_thread::sleep_for(sleep);
  }
}

static llvm::Expected<Sample> attempt(const GateOptions &options,
                                      llvm::function_ref<llvm::Expected<CallTimes>()> call) {
  auto first = call();
  if (!first)
    return first.takeError();
  if (first->front() >= options.sampleSeconds)
    return Sample{std::move(*first), 1, false};
  Sample sample{CallTimes(first->size()), 0, false};
  while (sample.seconds.front() < options.sampleSeconds) {
    auto times = call();
    if (!times)
      return times.takeError();
    for (auto [total, seconds] : llvm::zip_equal(sample.seconds, *times))
      total += seconds;
    ++sample.calls;
  }
  for (double &total : sample.seconds)
    total /= sample.calls;
  return sample;
}

static void toBestClock(Sample &sample, double slowness) {
  for (double &seconds : sample.seconds)
    seconds /= slowness;
}

llvm::Expected<Sample> ucmoh::takeSample(Sentinel &sentinel, const GateOptions &options,
                                         llvm::function_ref<llvm::Expected<CallTimes>()> call) {
  Sample best;
  for (int i = 0; i < options.attempts && !best.quiet; ++i) {
    bool quietBefore = sentinel.wait(options.waitSeconds);
    double slowness = sentinel.getSlowness();
    auto sample = attempt(options, call);
    if (!sample)
      return sample.takeError();
    sample->quiet = quietBefore && sentinel.isQuietAfterSample();
    if (options.atBestClock && sample->quiet)
      toBestClock(*sample, (slowness + sentinel.getSlowness()) / 2);
    if (i == 0 || sample->quiet || sample->seconds.front() < best.seconds.front())
      best = std::move(*sample);
  }
  return best;
}
