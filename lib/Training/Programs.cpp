//===- Programs.cpp - Programs of a data set as cost models see them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Programs.h"

using namespace ucmoh;

llvm::Error ucmoh::checkSchema(const Dataset &data) {
  if (data.schema == featureSchema() && data.width == featureCount)
    return llvm::Error::success();
  return llvm::createStringError("the data has features of schema '" + data.schema +
                                 "', this build has '" + featureSchema() +
                                 "'; make it anew with ucmoh-featurize");
}

ProgramFeatures ucmoh::programFeatures(const Dataset &data, int64_t program) {
  llvm::ArrayRef<float> values = data.rowsOf(program);
  ProgramFeatures features(values.size() / featureCount);
  for (auto [number, row] : llvm::enumerate(features))
    std::copy_n(values.begin() + number * featureCount, featureCount, row.values.begin());
  return features;
}

std::vector<float> ucmoh::scoreAll(const Dataset &data, const CostModel &model) {
  std::vector<float> scores(data.programs());
  for (int64_t program = 0; program < data.programs(); ++program)
    model.score(programFeatures(data, program), llvm::MutableArrayRef(scores[program]));
  return scores;
}
