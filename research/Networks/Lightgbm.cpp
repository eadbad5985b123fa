//===- Lightgbm.cpp - TenSet's other trees over statements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A learner of the heterogeneous-transfer tuner, with the settings of TenSet, whose data that
/// uses.
///
//===----------------------------------------------------------------------===//

#include "Trees.h"
#include "llvm/Support/FormatVariadic.h"

// These functions of LightGBM's C interface are used; all return 0 on success.
extern "C" {
typedef void *LightgbmHandle;
const char *LGBM_GetLastError();
int LGBM_DatasetCreateFromMat(const void *data, int type, int32_t rows, int32_t columns,
                              int isRowMajor, const char *parameters, LightgbmHandle reference,
                              LightgbmHandle *out);
int LGBM_DatasetFree(LightgbmHandle handle);
int LGBM_BoosterCreate(LightgbmHandle data, const char *parameters, LightgbmHandle *out);
int LGBM_BoosterFree(LightgbmHandle handle);
int LGBM_BoosterLoadModelFromString(const char *model, int *iterations, LightgbmHandle *out);
int LGBM_BoosterSaveModelToString(LightgbmHandle handle, int first, int count, int importance,
                                  int64_t capacity, int64_t *size, char *out);
int LGBM_BoosterUpdateOneIterCustom(LightgbmHandle handle, const float *gradients,
                                    const float *hessians, int *isFinished);
int LGBM_BoosterGetPredict(LightgbmHandle handle, int data, int64_t *count, double *out);
int LGBM_BoosterPredictForMat(LightgbmHandle handle, const void *data, int type, int32_t rows,
                              int32_t columns, int isRowMajor, int kind, int first, int count,
                              const char *parameters, int64_t *size, double *out);
}

using namespace ucmoh;

static constexpr int f32 = 0, rawScore = 1;

namespace {

class LightgbmTrees : public Trees {
public:
  explicit LightgbmTrees(const TreeRows &rows) : Trees("lightgbm", LGBM_GetLastError), rows(rows) {}
  ~LightgbmTrees() override {
    if (booster)
      LGBM_BoosterFree(booster);
    if (matrix)
      LGBM_DatasetFree(matrix);
  }
  void begin(const BaselineOptions &options) override;
  void load(const std::string &model) override {
    int iterations;
    call(LGBM_BoosterLoadModelFromString, model.c_str(), &iterations, &booster);
  }
  void boost(llvm::ArrayRef<float> gradients, llvm::ArrayRef<float> hessians) override {
    int isFinished;
    call(LGBM_BoosterUpdateOneIterCustom, booster, gradients.data(), hessians.data(), &isFinished);
  }
  std::vector<double> predict() override;
  std::string save() override;

private:
  int32_t count() const { return static_cast<int32_t>(rows.ends.back()); }

  const TreeRows &rows;
  LightgbmHandle matrix = nullptr; ///< only to train
  LightgbmHandle booster = nullptr;
};

} // namespace

void LightgbmTrees::begin(const BaselineOptions &options) {
  std::string parameters = llvm::formatv(
      "objective=none num_leaves=72 learning_rate=0.1632095 min_sum_hessian_in_leaf=4 "
      "feature_fraction=0.84375 bagging_fraction=0.89435 bagging_freq=4 verbosity=-1 "
      "deterministic=true force_col_wise=true seed={0} num_threads={1}",
      options.seed, options.threads);
  call(LGBM_DatasetCreateFromMat, rows.values.data(), f32, count(), rows.width, /*isRowMajor=*/1,
       parameters.c_str(), nullptr, &matrix);
  call(LGBM_BoosterCreate, matrix, parameters.c_str(), &booster);
}

/// Returns the scores of the rows that it was trained with, which LightGBM has at hand.
std::vector<double> LightgbmTrees::predict() {
  std::vector<double> values(rows.ends.back());
  int64_t size = 0;
  if (matrix)
    call(LGBM_BoosterGetPredict, booster, 0, &size, values.data());
  else
    call(LGBM_BoosterPredictForMat, booster, rows.values.data(), f32, count(), rows.width,
         /*isRowMajor=*/1, rawScore, 0, -1, "num_threads=1", &size, values.data());
  return values;
}

std::string LightgbmTrees::save() {
  int64_t size = 0;
  call(LGBM_BoosterSaveModelToString, booster, 0, -1, 0, 0, &size, nullptr);
  std::string model(size, '\0');
  call(LGBM_BoosterSaveModelToString, booster, 0, -1, 0, size, &size, model.data());
  return model;
}

static std::unique_ptr<Trees> make(const TreeRows &rows) {
  return std::make_unique<LightgbmTrees>(rows);
}

llvm::Error ucmoh::fitLightgbm(const Dataset &data, const BaselineOptions &options) {
  return fitTrees(make, withClasses(data), options);
}

llvm::Expected<std::vector<float>> ucmoh::scoreLightgbm(llvm::StringRef weights,
                                                        const Dataset &data) {
  return scoreTrees(make, weights, withClasses(data));
}
