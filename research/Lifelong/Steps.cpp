//===- Steps.cpp - What is learned one after the other
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifelong/Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace ucmoh;

/// Moves `count` random elements to the front and drops the others.
template <class T> static void draw(std::vector<T> &values, size_t count, std::mt19937_64 &random) {
  std::shuffle(values.begin(), values.end(), random);
  if (values.size() > count)
    values.erase(values.begin() + count, values.end());
}

/// Keeps so many programs of each list, and so many programs of all lists.
static void thin(std::vector<ProgramList> &lists, int64_t perList, int64_t all) {
  std::mt19937_64 random(1);
  std::shuffle(lists.begin(), lists.end(), random);
  int64_t programs = 0;
  size_t count = 0;
  for (; count < lists.size() && programs < all; ++count) {
    draw(lists[count].programs, perList, random);
    programs += lists[count].programs.size();
  }
  lists.resize(count);
}

namespace {

/// All lists of the data, by what they are for.
struct Parts {
  std::vector<ProgramList> train, choose, test, drawn;
};

} // namespace

static Parts divide(const Dataset &data, const LifelongSample &sample) {
  auto isDrawn = [&](int64_t program) { return data.runs[data.run[program]] == "drawn"; };
  auto keep = [&](std::vector<ProgramList> lists, bool drawn) {
    return keepPrograms(std::move(lists), [&](int64_t program) {
      return isDrawn(program) == drawn &&
             (sample.machine.empty() || data.machines[data.machine[program]] == sample.machine);
    });
  };
  return {keep(listsToLearn(data, Split::ByTask, {}), false),
          keep(listsToJudge(data, Split::ByTask, {}), false),
          keep(listsToJudge(data, Split::Holdout, {}), false), keep(listsOf(data), true)};
}

llvm::Expected<std::vector<LifelongStep>> ucmoh::makeSteps(const Dataset &data,
                                                           llvm::ArrayRef<std::string> texts,
                                                           const LifelongSample &sample) {
  Parts parts = divide(data, sample);
  std::vector<LifelongStep> steps;
  for (llvm::StringRef text : texts) {
    LifelongStep &step = steps.emplace_back();
    auto [name, programs] = text.split('=');
    step.name = name.str();
    for (llvm::StringRef one : llvm::split(programs, '+'))
      step.names.push_back(one.str());
    if (llvm::Error error = checkNames(data, step.names))
      return std::move(error);
    auto ofStep = [&](const std::vector<ProgramList> &lists, int64_t perList, int64_t all) {
      std::vector<ProgramList> own =
          keepPrograms(lists, [&](int64_t program) { return isNamed(data, program, step.names); });
      thin(own, perList, all);
      return own;
    };
    step.train = ofStep(parts.train, sample.programsPerList, sample.trainPrograms);
    step.choose = ofStep(parts.choose, sample.judgedPerList, INT64_MAX);
    step.test = ofStep(parts.test, sample.judgedPerList, INT64_MAX);
    step.drawn = ofStep(parts.drawn, sample.programsPerList, INT64_MAX);
    if (step.train.empty() || step.choose.empty() || step.test.empty())
      return llvm::createStringError("step '" + step.name +
                                     "' has nothing to learn or nothing to be judged on");
  }
  return steps;
}

static void addProgram(const Dataset &from, int64_t program, Dataset &to) {
  llvm::append_range(to.rows, from.rowsOf(program));
  to.offsets.push_back(to.rows.size() / to.width);
  to.seconds.push_back(from.seconds[program]);
  to.spread.push_back(from.spread[program]);
  to.analytic.push_back(from.analytic[program]);
  to.task.push_back(from.task[program]);
  to.intrinsic.push_back(from.intrinsic[program]);
  to.machine.push_back(from.machine[program]);
  to.run.push_back(from.run[program]);
}

Dataset ucmoh::compact(const Dataset &data, std::vector<LifelongStep> &steps) {
  Dataset part;
  part.schema = data.schema;
  part.dataHash = data.dataHash;
  part.features = data.features;
  part.intrinsics = data.intrinsics;
  part.machines = data.machines;
  part.runs = data.runs;
  part.tasks = data.tasks;
  part.width = data.width;
  std::map<int64_t, int64_t> numbers;
  for (LifelongStep &step : steps)
    for (std::vector<ProgramList> *lists : {&step.train, &step.choose, &step.test, &step.drawn})
      for (ProgramList &list : *lists)
        for (int64_t &program : list.programs) {
          auto [entry, isNew] = numbers.try_emplace(program, part.programs());
          if (isNew)
            addProgram(data, program, part);
          program = entry->second;
        }
  return part;
}
