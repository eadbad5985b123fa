//===- Programs.cpp - Programs of a data set as cost models see them
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Programs.h"
#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/Training/Selection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

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

/// As rankCandidates does it in the compiler.
static void restrainList(const Dataset &data, const ProgramList &list, std::vector<float> &scores) {
  std::vector<unsigned> intrinsics;
  std::vector<double> roofline;
  std::vector<float> ofList;
  for (int64_t program : list.programs) {
    intrinsics.push_back(data.intrinsic[program]);
    roofline.push_back(data.analytic[program]);
    ofList.push_back(scores[program]);
  }
  restrain(intrinsics, roofline, ofList);
  for (auto [program, score] : llvm::zip_equal(list.programs, ofList))
    scores[program] = score;
}

std::vector<float> ucmoh::scoreAll(const Dataset &data, const CostModel &model) {
  std::vector<float> scores(data.programs());
  for (int64_t program = 0; program < data.programs(); ++program)
    model.score(programFeatures(data, program), llvm::MutableArrayRef(scores[program]));
  for (const ProgramList &list : listsOf(data))
    if (!model.knowsMachine(programFeatures(data, list.programs.front()).front()))
      restrainList(data, list, scores);
  return scores;
}

llvm::Expected<std::vector<float>> ucmoh::readScores(llvm::StringRef path, const Dataset &data) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createFileError(path, buffer.getError());
  llvm::SmallVector<llvm::StringRef, 0> lines;
  (*buffer)->getBuffer().rtrim().split(lines, '\n');
  if (static_cast<int64_t>(lines.size()) != data.programs())
    return llvm::createStringError(path + ": has " + llvm::Twine(lines.size()) +
                                   " lines, but the data has " + llvm::Twine(data.programs()) +
                                   " programs; write one score for each");
  std::vector<float> scores;
  for (llvm::StringRef line : lines) {
    double score;
    if (!llvm::to_float(line.trim(), score))
      return llvm::createStringError(path + ": '" + line + "' is no number");
    scores.push_back(static_cast<float>(score));
  }
  return scores;
}
