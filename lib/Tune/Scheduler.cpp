//===- Scheduler.cpp - Which task gets the next round
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Tune/Scheduler.h"
#include <algorithm>

using namespace ucmoh;

const Scheduler::Proposal &Scheduler::proposalOf(size_t task) {
  if (!proposals[task]) {
    std::vector<size_t> candidates = tasks[task].propose(options.roundSize);
    double gain = tasks[task].expectedGain(candidates);
    proposals[task] = Proposal{std::move(candidates), gain};
  }
  return *proposals[task];
}

/// In seconds, from what is expected and not from a clock: the order of rounds does not depend on
/// how busy the machine is.
double Scheduler::costOf(const TaskSearch &task, size_t count) const {
  double sample = std::max(options.sampleSeconds, task.getBestSeconds());
  return count * (options.compileSeconds + options.samples * sample);
}

double Scheduler::getTotalSeconds() const {
  double sum = 0;
  for (const TaskSearch &task : tasks)
    sum += task.getUses() * task.getBestSeconds();
  return sum;
}

double Scheduler::getPickSeconds() const {
  double sum = 0;
  for (const TaskSearch &task : tasks)
    sum += task.getUses() * task.getPickSeconds();
  return sum;
}

std::optional<TuneRound> Scheduler::next() {
  double best = 0, expected = 0;
  std::optional<size_t> chosen;
  for (size_t i = 0; i < size(); ++i) {
    const Proposal &proposal = proposalOf(i);
    if (proposal.candidates.empty())
      continue;
    expected += proposal.gain;
    double rate = proposal.gain / costOf(tasks[i], proposal.candidates.size());
    if (!chosen || rate > best) {
      best = rate;
      chosen = i;
    }
  }
  if (!chosen || trials >= options.trials || expected < options.leastGain * getTotalSeconds())
    return std::nullopt;
  TuneRound round{*chosen, proposals[*chosen]->candidates};
  round.candidates.resize(std::min<int64_t>(round.candidates.size(), options.trials - trials));
  trials += round.candidates.size();
  tasks[*chosen].begin(round.candidates);
  proposals[*chosen].reset();
  return round;
}

void Scheduler::observe(size_t task, size_t candidate, double seconds) {
  tasks[task].observe(candidate, seconds);
  proposals[task].reset();
}

void Scheduler::fail(size_t task, size_t candidate) {
  tasks[task].fail(candidate);
  proposals[task].reset();
}

void Scheduler::giveUp(size_t task) {
  for (size_t candidate = 0; candidate < tasks[task].size(); ++candidate)
    tasks[task].fail(candidate);
  proposals[task].reset();
}
