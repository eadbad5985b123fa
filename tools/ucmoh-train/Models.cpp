//===- Models.cpp - Models as the command line names them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "ucmoh/Training/Programs.h"

using namespace ucmoh;

static llvm::Expected<ModelScores> scoreCostModel(llvm::StringRef name, const Dataset &data) {
  if (name == "analytic")
    return ModelScores{name.str(), /*predictsSeconds=*/true, {data.analytic}};
  if (llvm::Error error = checkSchema(data))
    return std::move(error);
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel(name, error);
  if (!model)
    return llvm::createStringError(error);
  return ModelScores{model->getName().str(), model->predictsSeconds(), {scoreAll(data, *model)}};
}

static llvm::Expected<ModelScores> scoreFile(llvm::StringRef path, const Dataset &data) {
  ModelScores model{path.str(), /*predictsSeconds=*/false, {{}}};
  if (llvm::Error error = readScores(path, data).moveInto(model.seeds.front()))
    return std::move(error);
  return model;
}

llvm::Expected<ModelScores> ucmoh::scoreModels(llvm::StringRef text, const Dataset &data) {
  auto [label, models] = text.contains('=') ? text.split('=') : std::pair(llvm::StringRef(), text);
  bool isFile = models.consume_front("scores:");
  ModelScores all;
  llvm::SmallVector<llvm::StringRef> parts;
  models.split(parts, '+');
  for (llvm::StringRef part : parts) {
    llvm::Expected<ModelScores> one = isFile ? scoreFile(part, data) : scoreCostModel(part, data);
    if (!one)
      return one.takeError();
    if (all.seeds.empty())
      all.model = one->model;
    all.predictsSeconds = one->predictsSeconds;
    all.seeds.push_back(std::move(one->seeds.front()));
  }
  if (!label.empty())
    all.model = label.str();
  else if (all.seeds.size() > 1)
    all.model += " and " + std::to_string(all.seeds.size() - 1) + " more";
  return all;
}
