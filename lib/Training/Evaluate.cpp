//===- Evaluate.cpp - Tables of how well models rank
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace ucmoh;
namespace json = llvm::json;

/// Group -> its lists.
using Groups = std::map<std::string, std::vector<ProgramList>>;

static std::string groupOf(const Dataset &data, int64_t program, GroupBy by) {
  switch (by) {
  case GroupBy::Types:
    return "types " + data.tasks[data.task[program]].types;
  case GroupBy::Target:
    return "target " + data.targetOf(program).str();
  case GroupBy::Intrinsic:
    return "intrinsic " + data.intrinsics[data.intrinsic[program]];
  case GroupBy::Machine:
    return "machine " + data.machines[data.machine[program]];
  case GroupBy::Class:
    return "class " + data.tasks[data.task[program]].workloadClass;
  }
  llvm_unreachable("all groups have a name");
}

static Groups groupsOf(const Dataset &data, llvm::ArrayRef<ProgramList> lists, GroupBy by) {
  Groups groups;
  for (const ProgramList &list : lists) {
    std::map<std::string, ProgramList> parts;
    for (int64_t program : list.programs)
      parts
          .try_emplace(groupOf(data, program, by),
                       ProgramList{list.task, list.machine, list.run, {}})
          .first->second.programs.push_back(program);
    for (auto &[group, part] : parts)
      if (part.programs.size() > 1)
        groups[group].push_back(std::move(part));
  }
  return groups;
}

static ModelScores randomScores(const Dataset &data) {
  std::mt19937 random(1);
  ModelScores scores{"random", false, {}};
  for (int seed = 0; seed < 5; ++seed)
    for (float &score : scores.seeds.emplace_back(data.programs()))
      score = static_cast<float>(random() >> 8);
  return scores;
}

static size_t programsOf(llvm::ArrayRef<ProgramList> lists) {
  size_t programs = 0;
  for (const ProgramList &list : lists)
    programs += list.programs.size();
  return programs;
}

static Evaluation evaluateModel(const Dataset &data, llvm::StringRef group,
                                llvm::ArrayRef<ProgramList> lists, const ModelScores &model) {
  Evaluation evaluation{group.str(), model.model, lists.size(), programsOf(lists), {}};
  for (llvm::ArrayRef<float> scores : model.seeds)
    evaluation.seeds.push_back(measure(rank(data, lists, scores), model.predictsSeconds));
  return evaluation;
}

/// The last of `models` is random.
static void evaluateGroup(const Dataset &data, llvm::StringRef group,
                          llvm::ArrayRef<ProgramList> lists, llvm::ArrayRef<ModelScores> models,
                          std::vector<Evaluation> &evaluations) {
  size_t first = evaluations.size();
  for (const ModelScores &model : models)
    evaluations.push_back(evaluateModel(data, group, lists, model));
  std::vector<RankedList> again = remeasured(data, lists);
  if (again.empty())
    return;
  double worst = evaluations.back().mean(&Metrics::top1);
  Metrics best = measure(again, /*predictsSeconds=*/true);
  size_t programs = 0;
  for (const RankedList &list : again)
    programs += list.seconds.size();
  evaluations.push_back({group.str(), "ceiling", again.size(), programs, {best}});
  for (Evaluation &evaluation : llvm::MutableArrayRef(evaluations).drop_front(first))
    for (Metrics &metrics : evaluation.seeds)
      metrics.ofCeiling = (metrics.top1 - worst) / (best.top1 - worst);
}

std::vector<Evaluation> ucmoh::evaluate(const Dataset &data, llvm::ArrayRef<ProgramList> lists,
                                        llvm::ArrayRef<ModelScores> models,
                                        llvm::ArrayRef<GroupBy> by) {
  std::vector<ModelScores> all(models);
  all.push_back(randomScores(data));
  std::vector<Evaluation> evaluations;
  evaluateGroup(data, "all", lists, all, evaluations);
  for (GroupBy kind : by)
    for (auto &[group, members] : groupsOf(data, lists, kind))
      evaluateGroup(data, group, members, all, evaluations);
  return evaluations;
}

double Evaluation::mean(double Metrics::*value) const {
  double sum = 0;
  for (const Metrics &metrics : seeds)
    sum += metrics.*value;
  return sum / seeds.size();
}

double Evaluation::spread(double Metrics::*value) const {
  double center = mean(value), squares = 0;
  for (const Metrics &metrics : seeds)
    squares += (metrics.*value - center) * (metrics.*value - center);
  return seeds.size() > 1 ? std::sqrt(squares / (seeds.size() - 1)) : NAN;
}

std::string ucmoh::toMarkdown(llvm::ArrayRef<Evaluation> evaluations) {
  std::string text, line = "|---|---|---|---|";
  llvm::raw_string_ostream os(text);
  os << "| group | lists | programs | model |";
  for (const MetricColumn &column : metricColumns) {
    os << " " << column.title << " |";
    line += "---|";
  }
  os << "\n" << line << "\n";
  for (const Evaluation &e : evaluations) {
    os << "| " << e.group << " | " << e.lists << " | " << e.programs << " | " << e.model << " |";
    for (const MetricColumn &column : metricColumns) {
      if (double mean = e.mean(column.value); !std::isnan(mean))
        os << llvm::formatv(" {0:f4}", mean);
      if (double spread = e.spread(column.value); !std::isnan(spread))
        os << llvm::formatv(" ±{0:f4}", spread);
      os << " |";
    }
    os << "\n";
  }
  return text;
}

static json::Value orNull(double value) {
  return std::isnan(value) ? json::Value(nullptr) : json::Value(value);
}

json::Value ucmoh::toJson(llvm::ArrayRef<Evaluation> evaluations) {
  json::Array list;
  for (const Evaluation &e : evaluations) {
    json::Object spread, entry{{"group", e.group},
                               {"model", e.model},
                               {"lists", static_cast<int64_t>(e.lists)},
                               {"programs", static_cast<int64_t>(e.programs)},
                               {"seeds", static_cast<int64_t>(e.seeds.size())}};
    for (const MetricColumn &column : metricColumns) {
      entry[column.key] = orNull(e.mean(column.value));
      spread[column.key] = orNull(e.spread(column.value));
    }
    entry["spread"] = std::move(spread);
    list.push_back(std::move(entry));
  }
  return list;
}

json::Value ucmoh::predictionsToJson(const Dataset &data, llvm::ArrayRef<ProgramList> lists,
                                     llvm::ArrayRef<ModelScores> models) {
  json::Array task, intrinsic, measured, predictions;
  for (const ProgramList &list : lists)
    for (int64_t program : list.programs) {
      task.push_back(data.tasks[list.task].name);
      intrinsic.push_back(data.intrinsics[data.intrinsic[program]]);
      measured.push_back(data.seconds[program]);
    }
  for (const ModelScores &model : models) {
    if (!model.predictsSeconds)
      continue;
    json::Array predicted;
    for (const ProgramList &list : lists)
      for (int64_t program : list.programs)
        predicted.push_back(model.seeds.front()[program]);
    predictions.push_back(
        json::Object{{"model", model.model}, {"predicted", std::move(predicted)}});
  }
  return json::Object{{"task", std::move(task)},
                      {"intrinsic", std::move(intrinsic)},
                      {"measured", std::move(measured)},
                      {"models", std::move(predictions)}};
}
