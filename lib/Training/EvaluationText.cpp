//===- EvaluationText.cpp - Evaluations as Markdown and JSON
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Evaluate.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ucmoh;
namespace json = llvm::json;

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
