//===- DatasetBuilder.h - Featurized measurements as columns
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_DATASET_DATASETBUILDER_H
#define UCMOH_LIB_DATASET_DATASETBUILDER_H

#include "Featurizer.h"
#include "ucmoh/Dataset/Dataset.h"

namespace ucmoh {

Dataset buildDataset(llvm::ArrayRef<FeaturizedTask> tasks, const FeatureKind &kind,
                     uint64_t dataHash);

} // namespace ucmoh

#endif // UCMOH_LIB_DATASET_DATASETBUILDER_H
