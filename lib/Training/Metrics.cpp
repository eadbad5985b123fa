//===- Metrics.cpp - How good a ranking is
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Metrics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <numeric>

using namespace ucmoh;

RankedList ucmoh::rank(const Dataset &data, const ProgramList &list, llvm::ArrayRef<float> scores) {
  RankedList ranked;
  ranked.weight = data.tasks[list.task].weight();
  for (int64_t program : list.programs) {
    ranked.scores.push_back(scores[program]);
    ranked.seconds.push_back(data.seconds[program]);
    ranked.intrinsics.push_back(data.intrinsic[program]);
  }
  return ranked;
}

std::vector<RankedList> ucmoh::rank(const Dataset &data, llvm::ArrayRef<ProgramList> lists,
                                    llvm::ArrayRef<float> scores) {
  std::vector<RankedList> ranked;
  for (const ProgramList &list : lists)
    ranked.push_back(rank(data, list, scores));
  return ranked;
}

/// Positions of the programs, best score first.
static std::vector<size_t> order(const RankedList &list) {
  std::vector<size_t> positions(list.scores.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::stable_sort(positions.begin(), positions.end(),
                   [&](size_t a, size_t b) { return list.scores[a] < list.scores[b]; });
  return positions;
}

double ucmoh::bestOfFirst(const RankedList &list, size_t k) {
  double best = INFINITY;
  std::vector<size_t> positions = order(list);
  for (size_t position : llvm::ArrayRef(positions).take_front(k))
    best = std::min(best, list.seconds[position]);
  return best;
}

/// Half of a pair counts where the scores are equal; pairs of equal seconds do not.
static double pairwise(const RankedList &list) {
  double right = 0, pairs = 0;
  for (size_t i = 0; i < list.seconds.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (list.seconds[i] == list.seconds[j])
        continue;
      ++pairs;
      if (list.scores[i] == list.scores[j])
        right += 0.5;
      else
        right += (list.seconds[i] < list.seconds[j]) == (list.scores[i] < list.scores[j]);
    }
  return pairs ? right / pairs : 1;
}

/// Best seconds of the picked intrinsic / best seconds; none where there is only one intrinsic.
static std::optional<double> intrinsicRatio(const RankedList &list) {
  if (llvm::all_equal(list.intrinsics))
    return std::nullopt;
  int32_t picked = list.intrinsics[order(list).front()];
  double best = INFINITY, ofPicked = INFINITY;
  for (auto [seconds, intrinsic] : llvm::zip_equal(list.seconds, list.intrinsics)) {
    best = std::min(best, seconds);
    if (intrinsic == picked)
      ofPicked = std::min(ofPicked, seconds);
  }
  return ofPicked / best;
}

/// Both forms of what the first k programs of each list reach.
static void measureFirst(llvm::ArrayRef<RankedList> lists, size_t k, double &ratio,
                         double &geomean) {
  double best = 0, found = 0, logs = 0;
  for (const RankedList &list : lists) {
    double fastest = *llvm::min_element(list.seconds), first = bestOfFirst(list, k);
    best += list.weight * fastest;
    found += list.weight * first;
    logs += std::log(fastest / first);
  }
  ratio = best / found;
  geomean = std::exp(logs / lists.size());
}

static void measureIntrinsics(llvm::ArrayRef<RankedList> lists, Metrics &metrics) {
  double choices = 0, regret = 0, right = 0;
  for (const RankedList &list : lists)
    if (std::optional<double> ratio = intrinsicRatio(list)) {
      ++choices;
      regret += *ratio - 1;
      right += *ratio == 1;
    }
  if (choices == 0)
    return;
  metrics.intrinsicRegret = regret / choices;
  metrics.intrinsicAccuracy = right / choices;
}

static void measureSeconds(llvm::ArrayRef<RankedList> lists, Metrics &metrics) {
  double count = 0, errors = 0, sum = 0, squares = 0;
  for (const RankedList &list : lists)
    for (auto [score, seconds] : llvm::zip_equal(list.scores, list.seconds)) {
      double measured = std::log2(seconds), error = std::log2(score) - measured;
      ++count;
      errors += error * error;
      sum += measured;
      squares += measured * measured;
    }
  metrics.rmse = std::sqrt(errors / count);
  metrics.r2 = 1 - errors / (squares - sum * sum / count);
}

Metrics ucmoh::measure(llvm::ArrayRef<RankedList> lists, bool predictsSeconds) {
  Metrics metrics;
  if (lists.empty())
    return metrics;
  measureFirst(lists, 1, metrics.top1, metrics.top1Geomean);
  measureFirst(lists, 5, metrics.top5, metrics.top5Geomean);
  measureFirst(lists, 8, metrics.top8, metrics.top8Geomean);
  double right = 0;
  for (const RankedList &list : lists)
    right += pairwise(list);
  metrics.pairwise = right / lists.size();
  measureIntrinsics(lists, metrics);
  if (predictsSeconds)
    measureSeconds(lists, metrics);
  return metrics;
}

/// Programs by a hash of their features and how often it was seen before in the list.
static std::map<std::pair<uint64_t, int>, int64_t> byFeatures(const Dataset &data,
                                                              const ProgramList &list) {
  std::map<std::pair<uint64_t, int>, int64_t> programs;
  std::map<uint64_t, int> seen;
  for (int64_t program : list.programs) {
    llvm::ArrayRef<float> rows = data.rowsOf(program);
    uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(rows.data()),
                                                     rows.size() * sizeof(float)));
    programs[{hash, seen[hash]++}] = program;
  }
  return programs;
}

std::vector<RankedList> ucmoh::remeasured(const Dataset &data, llvm::ArrayRef<ProgramList> lists) {
  std::vector<RankedList> ranked;
  std::map<std::pair<int32_t, int32_t>, const ProgramList *> firstRun;
  for (const ProgramList &list : lists) {
    auto [entry, isFirst] = firstRun.try_emplace({list.task, list.machine}, &list);
    if (isFirst)
      continue;
    auto before = byFeatures(data, *entry->second), now = byFeatures(data, list);
    ProgramList matched{list.task, list.machine, list.run, {}};
    std::vector<float> scores(data.programs());
    for (auto &[key, program] : now)
      if (auto other = before.find(key); other != before.end()) {
        matched.programs.push_back(program);
        scores[program] = static_cast<float>(data.seconds[other->second]);
      }
    if (matched.programs.size() > 1)
      ranked.push_back(rank(data, matched, scores));
  }
  return ranked;
}
