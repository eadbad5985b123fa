//===- Xgboost.cpp - TenSet's trees over statements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Gradient-boosted trees score each statement; the program's score is their sum, and its squared
/// error is what each statement's gradient comes from. All statements of a program step at once:
/// with the published second derivative of 1 that diverges where programs have many statements, as
/// ours have. It is their number here, so that together they go where one would have gone.
///
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <numeric>

// What is used of XGBoost's C interface; all return 0 on success.
extern "C" {
typedef void *DMatrixHandle;
typedef void *BoosterHandle;
const char *XGBGetLastError();
int XGDMatrixCreateFromMat(const float *data, uint64_t rows, uint64_t columns, float missing,
                           DMatrixHandle *out);
int XGDMatrixFree(DMatrixHandle handle);
int XGBoosterCreate(const DMatrixHandle *matrices, uint64_t count, BoosterHandle *out);
int XGBoosterFree(BoosterHandle handle);
int XGBoosterSetParam(BoosterHandle handle, const char *name, const char *value);
int XGBoosterTrainOneIter(BoosterHandle handle, DMatrixHandle matrix, int round,
                          const char *gradients, const char *hessians);
int XGBoosterPredict(BoosterHandle handle, DMatrixHandle matrix, int options, unsigned trees,
                     int training, uint64_t *rows, const float **out);
int XGBoosterSaveModelToBuffer(BoosterHandle handle, const char *format, uint64_t *size,
                               const char **out);
int XGBoosterLoadModelFromBuffer(BoosterHandle handle, const void *buffer, uint64_t size);
}

using namespace ucmoh;

namespace {

/// A booster with the rows of some programs. The first error stays, and later calls do nothing.
class Trees {
public:
  Trees(const Dataset &data, llvm::ArrayRef<int64_t> programs);
  ~Trees() {
    XGBoosterFree(booster);
    XGDMatrixFree(matrix);
  }
  Trees(const Trees &) = delete;

  void set(const char *name, const std::string &value) {
    call(XGBoosterSetParam, booster, name, value.c_str());
  }
  void load(llvm::StringRef model) {
    call(XGBoosterLoadModelFromBuffer, booster, model.data(), model.size());
  }
  llvm::StringRef save();       ///< belongs to the booster
  std::vector<float> predict(); ///< of each program
  void boost(llvm::ArrayRef<float> residuals, int round);
  llvm::Error error() const {
    return message.empty() ? llvm::Error::success() : llvm::createStringError(message);
  }

private:
  template <class F, class... Args> void call(F function, Args... args) {
    if (message.empty() && function(args...) != 0)
      message = std::string("xgboost: ") + XGBGetLastError();
  }
  std::vector<int64_t> ends; ///< of the programs' rows
  DMatrixHandle matrix = nullptr;
  BoosterHandle booster = nullptr;
  std::string message;
};

} // namespace

Trees::Trees(const Dataset &data, llvm::ArrayRef<int64_t> programs) {
  std::vector<float> rows;
  for (int64_t program : programs) {
    llvm::append_range(rows, data.rowsOf(program));
    ends.push_back(rows.size() / data.width);
  }
  call(XGDMatrixCreateFromMat, rows.data(), ends.back(), data.width, NAN, &matrix);
  call(XGBoosterCreate, &matrix, 1, &booster);
}

std::vector<float> Trees::predict() {
  std::vector<float> sums;
  uint64_t count = 0;
  const float *values = nullptr;
  call(XGBoosterPredict, booster, matrix, 0, 0, 0, &count, &values);
  if (!values)
    return std::vector<float>(ends.size());
  int64_t row = 0;
  for (int64_t end : ends) {
    float &sum = sums.emplace_back(0);
    for (; row < end; ++row)
      sum += values[row];
  }
  return sums;
}

llvm::StringRef Trees::save() {
  uint64_t size = 0;
  const char *model = nullptr;
  call(XGBoosterSaveModelToBuffer, booster, R"({"format": "ubj"})", &size, &model);
  return {model, size};
}

/// The array as XGBoost wants it described.
static std::string arrayInterface(llvm::ArrayRef<float> values) {
  return llvm::formatv(R"({{"data":[{0},true],"shape":[{1},1],"typestr":"<f4","version":3})",
                       reinterpret_cast<uintptr_t>(values.data()), values.size());
}

void Trees::boost(llvm::ArrayRef<float> residuals, int round) {
  std::vector<float> gradients, hessians;
  for (auto [end, residual] : llvm::zip_equal(ends, residuals)) {
    hessians.resize(end, static_cast<float>(end - gradients.size()));
    gradients.resize(end, residual);
  }
  std::string first = arrayInterface(gradients), second = arrayInterface(hessians);
  call(XGBoosterTrainOneIter, booster, matrix, round, first.c_str(), second.c_str());
}

llvm::Error ucmoh::fitXgboost(const Dataset &data, const BaselineOptions &options) {
  std::vector<float> all = trainingLabels(data, options), labels;
  std::vector<int64_t> programs;
  for (auto [program, label] : llvm::enumerate(all))
    if (label > 0) {
      programs.push_back(program);
      labels.push_back(label);
    }
  if (programs.empty())
    return llvm::createStringError("the data has no list of programs left to learn from");
  Trees trees(data, programs);
  const std::pair<const char *, std::string> parameters[] = {
      {"max_depth", "6"},
      {"gamma", "0.003"},
      {"min_child_weight", "2"},
      {"eta", "0.2"},
      {"tree_method", "hist"},
      {"base_score", "0"},
      {"seed", std::to_string(options.seed)},
      {"nthread", std::to_string(options.threads)}};
  for (auto &[name, value] : parameters)
    trees.set(name, value);
  auto start = std::chrono::steady_clock::now();
  int64_t rounds = options.epochs ? options.epochs : 300;
  for (int64_t round = 0; round < rounds; ++round) {
    std::vector<float> residuals = trees.predict();
    double loss = 0;
    for (auto [residual, label] : llvm::zip_equal(residuals, labels)) {
      residual -= label;
      loss += residual * residual / labels.size();
    }
    trees.boost(residuals, static_cast<int>(round));
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (round % 50 == 0 || round + 1 == rounds)
      llvm::errs() << llvm::formatv("round {0}/{1}: loss {2:f4}; {3:f0} s\n", round + 1, rounds,
                                    loss, spent.count());
    if (options.limitSeconds > 0 && spent.count() > options.limitSeconds)
      break;
  }
  llvm::StringRef model = trees.save();
  if (llvm::Error error = trees.error())
    return error;
  return llvm::writeToOutput(options.output, [&](llvm::raw_ostream &os) {
    os << model;
    return llvm::Error::success();
  });
}

llvm::Expected<std::vector<float>> ucmoh::scoreXgboost(llvm::StringRef weights,
                                                       const Dataset &data) {
  auto buffer = llvm::MemoryBuffer::getFile(weights);
  if (!buffer)
    return llvm::createFileError(weights, buffer.getError());
  std::vector<int64_t> programs(data.programs());
  std::iota(programs.begin(), programs.end(), 0);
  Trees trees(data, programs);
  trees.load((*buffer)->getBuffer());
  std::vector<float> scores = trees.predict();
  if (llvm::Error error = trees.error())
    return std::move(error);
  for (float &score : scores)
    score = -score;
  return scores;
}
