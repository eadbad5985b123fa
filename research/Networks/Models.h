//===- Models.h - The published models, one file each
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_NETWORKS_MODELS_H
#define UCMOH_RESEARCH_NETWORKS_MODELS_H

#include "Networks/Baselines.h"

namespace ucmoh {

// These are Baseline::fit and Baseline::score of each model.
llvm::Error fitTensetMlp(const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreTensetMlp(llvm::StringRef weights, const Dataset &data);

llvm::Error fitTlp(const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreTlp(llvm::StringRef weights, const Dataset &data);

llvm::Error fitMtlTlp(const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreMtlTlp(llvm::StringRef weights, const Dataset &data);

llvm::Error fitUnicomo(const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreUnicomo(llvm::StringRef weights, const Dataset &data);

llvm::Error fitAssignment(const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreAssignment(llvm::StringRef weights, const Dataset &data);

llvm::Error fitTransferMlp(const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreTransferMlp(llvm::StringRef weights, const Dataset &data);

llvm::Error fitLightgbm(const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreLightgbm(llvm::StringRef weights, const Dataset &data);

llvm::Error fitXgboost(const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreXgboost(llvm::StringRef weights, const Dataset &data);

/// Best seconds of the program's list / its seconds; 0 where it is in no list to learn from.
std::vector<float> trainingLabels(const Dataset &data, const BaselineOptions &options);

/// With ten columns more in each row: the class of the task, one-hot by its hash.
Dataset withClasses(const Dataset &data);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_NETWORKS_MODELS_H
