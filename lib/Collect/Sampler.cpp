//===- Sampler.cpp - Which candidates are worth a measurement
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampler.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/CostModel/Features.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace mlir;
using namespace ucmoh;

/// Draws that are legal are rare for some workloads.
static constexpr int64_t wildAttempts = 60;
/// Active sampling looks at so many: its time grows with their square.
static constexpr size_t activePool = 512;
/// So many times in a row that nothing new is drawn: there is (almost) nothing left.
static constexpr int fruitlessRounds = 3;

namespace {
class Sampler {
public:
  Sampler(const Workload &workload, const Target &target, const SampleOptions &options)
      : workload(workload), target(target), options(options), random(options.seed) {
    for (const Candidate &candidate : options.measured)
      insert(candidate);
  }

  void addGroup(ArrayRef<const RankedCandidate *> group);
  std::vector<Candidate> takeDrawn() { return std::move(drawn); }

private:
  /// Both ends included. Not std::uniform_int_distribution: each library has its own.
  int64_t pick(int64_t low, int64_t high) { return low + random() % (high - low + 1); }
  bool insert(const Candidate &candidate);
  bool add(const Candidate &candidate);
  void addRound(ArrayRef<const RankedCandidate *> group);
  void fillGroup(ArrayRef<const RankedCandidate *> group);
  void addSome(ArrayRef<const RankedCandidate *> from, int64_t count);
  void addWild(const Candidate &start);
  void addGuided(ArrayRef<const RankedCandidate *> group);
  void addActive(ArrayRef<const RankedCandidate *> group);
  int64_t block(int64_t tile, int64_t extent);

  const Workload &workload;
  const Target &target;
  const SampleOptions &options;
  std::mt19937_64 random;
  llvm::StringSet<> known;
  std::vector<Candidate> drawn;
};
} // namespace

/// Whether it was not known yet.
bool Sampler::insert(const Candidate &candidate) {
  std::string text;
  llvm::raw_string_ostream(text) << candidate.toAttr(0, "");
  return known.insert(text).second;
}

bool Sampler::add(const Candidate &candidate) {
  if (!insert(candidate))
    return false;
  drawn.push_back(candidate);
  return true;
}

/// So many that are new, or all there are.
void Sampler::addSome(ArrayRef<const RankedCandidate *> from, int64_t count) {
  std::vector<const RankedCandidate *> left(from.begin(), from.end());
  for (; count > 0 && !left.empty(); left.pop_back()) {
    std::swap(left[pick(0, left.size() - 1)], left.back());
    count -= add(left.back()->candidate);
  }
}

/// A multiple of the tile of any size, small ones as likely as large ones; or everything.
int64_t Sampler::block(int64_t tile, int64_t extent) {
  int64_t tiles = (extent + tile - 1) / tile, most = 0;
  while ((int64_t(2) << most) <= tiles)
    ++most;
  int64_t count = int64_t(1) << pick(0, most);
  return pick(0, 2) == 0 || count * tile >= extent ? extent : count * tile;
}

/// A candidate of the same intrinsic and packing, all else at random.
void Sampler::addWild(const Candidate &start) {
  static constexpr LoopOrder orders[] = {
      {false, true}, {false, false}, {true, true}, {true, false}};
  const Intrinsic &intrinsic = *start.intrinsic;
  Nest nest = buildNest(workload, start.packLhs, start.packRhs);
  Candidate candidate = start;
  candidate.tileN = pick(1, 6) * intrinsic.n;
  candidate.tileM = pick(1, 16) * intrinsic.m;
  candidate.cacheM = block(candidate.tileM, nest.m.extent);
  candidate.cacheN = block(candidate.tileN, nest.n.extent);
  candidate.cacheK = nest.outerK.empty() ? block(intrinsic.k * 16, nest.k.extent) : nest.k.extent;
  candidate.order = orders[pick(0, 3)];
  if (candidate.tileM <= nest.m.extent && candidate.tileN < nest.n.extent + intrinsic.n &&
      succeeded(verifySchedule(workload, nest, candidate)))
    add(candidate);
}

void Sampler::addActive(ArrayRef<const RankedCandidate *> group) {
  std::vector<const RankedCandidate *> pool(group.begin(), group.end());
  while (pool.size() > activePool) // the rest stays in order: the model's rank counts
    pool.erase(pool.begin() + pick(0, pool.size() - 1));
  for (size_t index :
       chooseInformative(describeCandidates(workload, target.machine, pool), options.active))
    add(pool[index]->candidate);
}

void Sampler::addGuided(ArrayRef<const RankedCandidate *> group) {
  size_t wanted = drawn.size() + options.guided;
  add(group.front()->candidate);
  addSome(group.take_front(std::max<size_t>(options.guided * 2, group.size() / 10)),
          wanted - drawn.size());
}

void Sampler::addRound(ArrayRef<const RankedCandidate *> group) {
  if (options.guided > 0)
    addGuided(group);
  addSome(group, options.uniform);
  if (options.active > 0)
    addActive(group);
  size_t wanted = drawn.size() + options.wild;
  for (int64_t i = 0; i < wildAttempts && drawn.size() < wanted; ++i)
    addWild(group[pick(0, group.size() - 1)]->candidate);
}

void Sampler::fillGroup(ArrayRef<const RankedCandidate *> group) {
  llvm::StringRef name = group.front()->candidate.intrinsic->target;
  size_t wanted = drawn.size() + options.atLeast;
  size_t measured = llvm::count_if(options.measured, [&](const Candidate &candidate) {
    return candidate.intrinsic->target == name;
  });
  for (int fruitless = 0; fruitless < fruitlessRounds && drawn.size() + measured < wanted;) {
    size_t before = drawn.size();
    addRound(group);
    fruitless = drawn.size() == before ? fruitless + 1 : 0;
  }
}

void Sampler::addGroup(ArrayRef<const RankedCandidate *> group) {
  if (options.atLeast > 0)
    fillGroup(group);
  else
    addRound(group);
}

std::vector<Candidate> ucmoh::sampleCandidates(const Workload &workload, const Target &target,
                                               ArrayRef<RankedCandidate> ranked,
                                               const SampleOptions &options) {
  llvm::MapVector<StringRef, std::vector<const RankedCandidate *>> groups;
  for (const RankedCandidate &entry : ranked)
    groups[entry.candidate.intrinsic->target].push_back(&entry);
  Sampler sampler(workload, target, options);
  for (auto &[name, group] : groups)
    sampler.addGroup(group);
  return sampler.takeDrawn();
}

using F = Feature;

static bool multiplyAlike(const Intrinsic &a, const Intrinsic &b) {
  return a.m == b.m && a.n == b.n && a.k == b.k && a.lhs == b.lhs && a.rhs == b.rhs;
}

static double fastestCycles(const Intrinsic &intrinsic, const Target &target) {
  double cycles = intrinsic.throughputCycles;
  for (const Intrinsic &other : target.intrinsics)
    if (multiplyAlike(intrinsic, other))
      cycles = std::min(cycles, other.throughputCycles);
  return cycles;
}

double ucmoh::executionSeconds(const Workload &workload, const Candidate &candidate,
                               const Target &target, double share) {
  double executions = 0; // executions by the thread that has most
  for (const FeatureRow &row : extractFeatures(workload, candidate, target.machine))
    executions += row[F::executions] * row[F::busiestShare];
  return executions * share * fastestCycles(*candidate.intrinsic, target) /
         (target.machine.clockGHz * 1e9);
}

void ucmoh::keepBeatable(std::vector<RankedCandidate> &ranked, const Workload &workload,
                         const Target &target, double share, double bestSeconds) {
  llvm::erase_if(ranked, [&](const RankedCandidate &entry) {
    return executionSeconds(workload, entry.candidate, target, share) > bestSeconds;
  });
}

/// Where models agree there is still something to learn.
static constexpr double leastUncertainty = 0.1;

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::vector<ActivePoint> ucmoh::describeCandidates(const Workload &workload, const Machine &machine,
                                                   llvm::ArrayRef<const RankedCandidate *> ranked) {
  std::vector<ActivePoint> points(ranked.size());
  std::vector<std::pair<double, size_t>> roofline;
  for (auto [i, entry] : llvm::enumerate(ranked)) {
    ProgramFeatures rows = extractFeatures(workload, entry->candidate, machine);
    points[i].position = locate(rows);
    roofline.emplace_back(analyticSeconds(rows), i);
  }
  llvm::sort(roofline);
  for (auto [rank, entry] : llvm::enumerate(roofline))
    points[entry.second].uncertainty =
        std::abs(double(rank) - double(entry.second)) / roofline.size();
  return points;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static void standardize(std::vector<ActivePoint> &points) {
  for (size_t i = 0; i < points.front().position.size(); ++i) {
    double sum = 0, squares = 0;
    for (const ActivePoint &point : points) {
      sum += point.position[i];
      squares += point.position[i] * point.position[i];
    }
    double mean = sum / points.size(), variance = squares / points.size() - mean * mean;
    double scale = variance > 1e-12 ? 1 / std::sqrt(variance) : 0;
    for (ActivePoint &point : points)
      point.position[i] = (point.position[i] - mean) * scale;
  }
}

static double squaredDistance(const ActivePoint &a, const ActivePoint &b) {
  double sum = 0;
  for (auto [x, y] : llvm::zip_equal(a.position, b.position))
    sum += (x - y) * (x - y);
  return sum;
}

/// Mean similarity to all points, between 0 and 1; distances are measured in coordinates' number,
/// the expected square of one between independent points being twice that.
static std::vector<double> representativeness(const std::vector<ActivePoint> &points) {
  std::vector<double> mean(points.size());
  double scale = std::max<size_t>(1, points.front().position.size());
  for (size_t i = 0; i < points.size(); ++i)
    for (size_t j = 0; j < points.size(); ++j)
      mean[i] += std::exp(-squaredDistance(points[i], points[j]) / scale) / points.size();
  return mean;
}

std::vector<size_t> ucmoh::chooseInformative(std::vector<ActivePoint> points, size_t count) {
  std::vector<size_t> chosen;
  if (points.empty())
    return chosen;
  standardize(points);
  std::vector<double> value = representativeness(points);
  for (auto [score, point] : llvm::zip_equal(value, points))
    score *= leastUncertainty + point.uncertainty;
  // Before anything is chosen all are equally far from it.
  std::vector<double> distance(points.size(), 1);
  std::vector<bool> taken(points.size());
  while (chosen.size() < std::min(count, points.size())) {
    size_t best = points.size();
    for (size_t i = 0; i < points.size(); ++i)
      if (!taken[i] &&
          (best == points.size() || value[i] * distance[i] > value[best] * distance[best]))
        best = i;
    taken[best] = true;
    for (size_t i = 0; i < points.size(); ++i) {
      double there = std::sqrt(squaredDistance(points[i], points[best]));
      distance[i] = chosen.empty() ? there : std::min(distance[i], there);
    }
    chosen.push_back(best);
  }
  return chosen;
}
