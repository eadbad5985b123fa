//===- Evaluate.cpp - Tables of how well models rank
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Evaluate.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace ucmoh;

/// Group -> its lists, in the order of the first list.
using Key = std::pair<std::string, std::string>;
using Groups = llvm::MapVector<Key, std::vector<ProgramList>, std::map<Key, unsigned>>;

static Groups groupsOf(const Dataset &data, llvm::ArrayRef<ProgramList> lists) {
  Groups groups;
  for (llvm::StringRef split : {"holdout", "train"})
    for (llvm::StringRef kind : {"all", "types", "machine", "class"})
      for (const ProgramList &list : lists) {
        const TaskInfo &task = data.tasks[list.task];
        if (task.isHoldout() != (split == "holdout"))
          continue;
        std::string group = kind.str();
        if (kind == "types")
          group += " " + task.types;
        else if (kind == "machine")
          group += " " + data.machines[list.machine];
        else if (kind == "class")
          group += " " + task.workloadClass;
        groups[{split.str(), group}].push_back(list);
      }
  return groups;
}

static std::vector<float> randomScores(const Dataset &data) {
  std::mt19937 random(1);
  std::vector<float> scores(data.programs());
  for (float &score : scores)
    score = static_cast<float>(random() >> 8);
  return scores;
}

static Metrics measureModel(const Dataset &data, llvm::ArrayRef<ProgramList> lists,
                            llvm::ArrayRef<float> scores) {
  std::vector<RankedList> ranked;
  for (const ProgramList &list : lists)
    ranked.push_back(rank(data, list, scores));
  return measure(ranked);
}

std::vector<Evaluation> ucmoh::evaluate(const Dataset &data, llvm::ArrayRef<ModelScores> models) {
  std::vector<Evaluation> evaluations;
  std::vector<float> random = randomScores(data);
  for (auto &[key, lists] : groupsOf(data, listsOf(data))) {
    auto &[split, group] = key;
    size_t first = evaluations.size();
    for (const ModelScores &model : models)
      evaluations.push_back({split, group, model.model, measureModel(data, lists, model.scores)});
    Metrics worst = measureModel(data, lists, random), ceiling = measure(remeasured(data, lists));
    evaluations.push_back({split, group, "random", worst});
    if (ceiling.lists)
      evaluations.push_back({split, group, "ceiling", ceiling});
    for (Evaluation &evaluation : llvm::MutableArrayRef(evaluations).drop_front(first))
      evaluation.ofCeiling =
          ceiling.lists ? (evaluation.metrics.top1 - worst.top1) / (ceiling.top1 - worst.top1)
                        : std::nan("");
  }
  return evaluations;
}

std::string ucmoh::toMarkdown(llvm::ArrayRef<Evaluation> evaluations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::StringRef split, group;
  for (const Evaluation &e : evaluations) {
    if (e.split != split || e.group != group)
      os << "\n**" << e.split << ", " << e.group << "**: " << e.metrics.lists << " lists, "
         << e.metrics.programs << " programs\n\n"
         << "| model | top-1 | top-5 | top-1 geomean | top-5 geomean | pairwise | intrinsic right "
            "| its regret | of ceiling |\n|---|---|---|---|---|---|---|---|---|\n";
    split = e.split;
    group = e.group;
    const Metrics &m = e.metrics;
    os << llvm::formatv("| {0} | {1:f4} | {2:f4} | {3:f4} | {4:f4} | {5:f4} | {6:f3} | {7:f4} | ",
                        e.model, m.top1, m.top5, m.top1Geomean, m.top5Geomean, m.pairwise,
                        m.intrinsicAccuracy, m.intrinsicRegret);
    if (std::isnan(e.ofCeiling))
      os << "|\n";
    else
      os << llvm::formatv("{0:f3} |\n", e.ofCeiling);
  }
  return text;
}

llvm::json::Value ucmoh::toJson(llvm::ArrayRef<Evaluation> evaluations) {
  llvm::json::Array list;
  for (const Evaluation &e : evaluations) {
    const Metrics &m = e.metrics;
    llvm::json::Object entry{{"split", e.split},
                             {"group", e.group},
                             {"model", e.model},
                             {"lists", static_cast<int64_t>(m.lists)},
                             {"programs", static_cast<int64_t>(m.programs)},
                             {"top1", m.top1},
                             {"top5", m.top5},
                             {"top1_geomean", m.top1Geomean},
                             {"top5_geomean", m.top5Geomean},
                             {"pairwise", m.pairwise},
                             {"intrinsic_accuracy", m.intrinsicAccuracy},
                             {"intrinsic_regret", m.intrinsicRegret}};
    entry["of_ceiling"] =
        std::isnan(e.ofCeiling) ? llvm::json::Value(nullptr) : llvm::json::Value(e.ofCeiling);
    list.push_back(std::move(entry));
  }
  return list;
}
