//===- Trees.cpp - Boosted trees over statements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trees.h"
#include "ucmoh/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <numeric>

using namespace ucmoh;

TreeRows::TreeRows(const Dataset &data, llvm::ArrayRef<int64_t> programs) : width(data.width) {
  for (int64_t program : programs) {
    llvm::append_range(values, data.rowsOf(program));
    ends.push_back(values.size() / width);
  }
}

/// Returns each program's sum of its rows.
static std::vector<float> predictSums(Trees &trees, const TreeRows &rows) {
  std::vector<double> values = trees.predict();
  std::vector<float> sums;
  int64_t row = 0;
  for (int64_t end : rows.ends) {
    sums.push_back(std::accumulate(values.begin() + row, values.begin() + end, 0.0f));
    row = end;
  }
  return sums;
}

/// One tree more. Returns the mean squared error before it.
static double boost(Trees &trees, const TreeRows &rows, llvm::ArrayRef<float> labels) {
  std::vector<float> gradients, hessians, sums = predictSums(trees, rows);
  double loss = 0;
  for (auto [end, sum, label] : llvm::zip_equal(rows.ends, sums, labels)) {
    float residual = sum - label;
    loss += residual * residual / labels.size();
    hessians.resize(end, static_cast<float>(end - gradients.size()));
    gradients.resize(end, residual);
  }
  trees.boost(gradients, hessians);
  return loss;
}

static void boostAll(Trees &trees, const TreeRows &rows, llvm::ArrayRef<float> labels,
                     const BaselineOptions &options) {
  auto start = std::chrono::steady_clock::now();
  int64_t rounds = options.epochs ? options.epochs : 300;
  for (int64_t round = 1; round <= rounds; ++round) {
    double loss = boost(trees, rows, labels);
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (round % 50 == 1 || round == rounds)
      llvm::errs() << llvm::formatv("round {0}/{1}: loss {2:f4}; {3:f0} s\n", round, rounds, loss,
                                    spent.count());
    if (options.limitSeconds > 0 && spent.count() > options.limitSeconds)
      break;
  }
}

llvm::Error ucmoh::fitTrees(MakeTrees make, const Dataset &data, const BaselineOptions &options) {
  std::vector<float> labels = trainingLabels(data, options);
  std::vector<int64_t> programs;
  for (auto [program, label] : llvm::enumerate(labels))
    if (label > 0)
      programs.push_back(program);
  if (programs.empty())
    return llvm::createStringError("the data has no list of programs left to learn from");
  llvm::erase(labels, 0);
  TreeRows rows(data, programs);
  std::unique_ptr<Trees> trees = make(rows);
  trees->begin(options);
  boostAll(*trees, rows, labels, options);
  std::string model = trees->save();
  if (llvm::Error error = trees->error())
    return error;
  return writeAtomically(options.output, model);
}

llvm::Expected<std::vector<float>> ucmoh::scoreTrees(MakeTrees make, llvm::StringRef weights,
                                                     const Dataset &data) {
  auto buffer = llvm::MemoryBuffer::getFile(weights);
  if (!buffer)
    return llvm::createFileError(weights, buffer.getError());
  std::vector<int64_t> programs(data.programs());
  std::iota(programs.begin(), programs.end(), 0);
  TreeRows rows(data, programs);
  std::unique_ptr<Trees> trees = make(rows);
  trees->load((*buffer)->getBuffer().str());
  std::vector<float> scores = predictSums(*trees, rows);
  if (llvm::Error error = trees->error())
    return llvm::createStringError(weights + ": " + llvm::toString(std::move(error)));
  for (float &score : scores)
    score = -score;
  return scores;
}
