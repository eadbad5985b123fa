//===- Sentinel.h - Samples of quiet moments
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_SENTINEL_H
#define UCMOH_RUNTIME_SENTINEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace ucmoh {

/// A fixed product whose right operand fills much of the L2 cache, timed around measurements. On
/// shared machines cached kernels flip between two speeds for seconds, which arithmetic in
/// registers does not show but this does.
class Sentinel {
public:
  /// Takes a few milliseconds: finds out how fast the product is.
  Sentinel();
  /// Sentinels of this process and of the children that it forks from now on share what they have
  /// learned: a child that begins in a noisy moment knows how fast the machine is in good ones.
  static void shareWithChildren();
  /// Runs it once; false when it is more than a quarter slower than in good moments: what a
  /// neighbour on the same core does, while clocks that follow the load of the whole chip stay
  /// below. Good moments are the best tenth of the last 16,384 runs, in batches of 32: on many
  /// machines one run in a hundred is much faster than what lasts, and none waits for that. A
  /// machine that stays slower is taken for quiet again once it was so in nine tenths of them.
  bool isQuiet();
  /// The last run's time over that of good moments; below 1 where it was faster.
  double getSlowness() const { return slowness; }
  /// Waits for a quiet moment; false when there was none. `seconds` are what this wait may cost:
  /// those that earlier ones did not use, up to `mostPatienceSeconds`, are added, so that
  /// noise of seconds is waited for once and not by each sample in vain.
  bool wait(double seconds);
  /// True if the machine is quiet right after a sample. Takes some looks: cores that lowered their
  /// clock for a wide instruction raise it again in some 200 µs.
  bool isQuietAfterSample();

  static constexpr double mostPatienceSeconds = 6; ///< that waits may save up
  static constexpr double slowdownAllowed = 1.25;  ///< a quiet run takes less

private:
  struct Knowledge;
  static Knowledge &knowledge();
  double run();

  std::vector<float> lhs, rhs, result;
  double slowness = 1;
};

/// How a sample is taken.
struct GateOptions {
  double sampleSeconds = 5e-3; ///< calls are repeated until a sample is this long
  double waitSeconds = 0.06;   ///< for a quiet moment, before a sample is taken anyway
  int attempts = 2;            ///< to get a sample that began and ended in a quiet moment
  /// Quiet samples are divided by how much slower than in good moments the sentinel was before and
  /// after them: for samples that are compared over minutes, in which the clock changes.
  bool atBestClock = false;
};

/// Seconds of one call, and of parts of it if there are any.
using CallTimes = std::vector<double>;

/// One sample: the mean of some calls.
struct Sample {
  CallTimes seconds;  ///< per call
  int64_t calls = 0;  ///< `seconds` is their mean
  bool quiet = false; ///< before and after
};

/// Takes a sample of `call`. The first call of each attempt is not counted unless it takes longer
/// than a whole sample: the sentinel has used the caches.
llvm::Expected<Sample> takeSample(Sentinel &sentinel, const GateOptions &options,
                                  llvm::function_ref<llvm::Expected<CallTimes>()> call);

} // namespace ucmoh

#endif // UCMOH_RUNTIME_SENTINEL_H
