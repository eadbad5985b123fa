//===- Xgboost.cpp - TenSet's trees over statements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trees.h"
#include "llvm/Support/FormatVariadic.h"

// These functions of XGBoost's C interface are used; all return 0 on success.
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

class XgboostTrees : public Trees {
public:
  explicit XgboostTrees(const TreeRows &rows) : Trees("xgboost", XGBGetLastError), rows(rows) {
    call(XGDMatrixCreateFromMat, rows.values.data(), rows.ends.back(), rows.width, NAN, &matrix);
    call(XGBoosterCreate, &matrix, 1, &booster);
  }
  ~XgboostTrees() override {
    XGBoosterFree(booster);
    XGDMatrixFree(matrix);
  }
  void begin(const BaselineOptions &options) override;
  void load(const std::string &model) override {
    call(XGBoosterLoadModelFromBuffer, booster, model.data(), model.size());
  }
  void boost(llvm::ArrayRef<float> gradients, llvm::ArrayRef<float> hessians) override;
  std::vector<double> predict() override;
  std::string save() override;

private:
  const TreeRows &rows;
  DMatrixHandle matrix = nullptr;
  BoosterHandle booster = nullptr;
  int round = 0;
};

} // namespace

void XgboostTrees::begin(const BaselineOptions &options) {
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
    call(XGBoosterSetParam, booster, name, value.c_str());
}

/// The array as XGBoost wants it described.
static std::string arrayInterface(llvm::ArrayRef<float> values) {
  return llvm::formatv(R"({{"data":[{0},true],"shape":[{1},1],"typestr":"<f4","version":3})",
                       reinterpret_cast<uintptr_t>(values.data()), values.size());
}

void XgboostTrees::boost(llvm::ArrayRef<float> gradients, llvm::ArrayRef<float> hessians) {
  std::string first = arrayInterface(gradients), second = arrayInterface(hessians);
  call(XGBoosterTrainOneIter, booster, matrix, round++, first.c_str(), second.c_str());
}

std::vector<double> XgboostTrees::predict() {
  uint64_t count = 0;
  const float *values = nullptr;
  call(XGBoosterPredict, booster, matrix, 0, 0, 0, &count, &values);
  return values ? std::vector<double>(values, values + count)
                : std::vector<double>(rows.ends.back());
}

std::string XgboostTrees::save() {
  uint64_t size = 0;
  const char *model = nullptr;
  call(XGBoosterSaveModelToBuffer, booster, R"({"format": "ubj"})", &size, &model);
  return std::string(model, size);
}

static std::unique_ptr<Trees> make(const TreeRows &rows) {
  return std::make_unique<XgboostTrees>(rows);
}

llvm::Error ucmoh::fitXgboost(const Dataset &data, const BaselineOptions &options) {
  return fitTrees(make, data, options);
}

llvm::Expected<std::vector<float>> ucmoh::scoreXgboost(llvm::StringRef weights,
                                                       const Dataset &data) {
  return scoreTrees(make, weights, data);
}
