//===- MeasuredData.h - Measurements, read into memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_DATASET_MEASUREDDATA_H
#define UCMOH_LIB_DATASET_MEASUREDDATA_H

#include "ucmoh/Records/Records.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace ucmoh {

struct MeasuredData {
  llvm::StringMap<Records::Machine> machines; ///< by id
  std::vector<Records::Workload> workloads;
  std::vector<Records::Row> rows;
  uint64_t hash = 0; ///< of the rows, whatever files they came in
};

/// Reads exports of measurements and databases, each row once. Errors name the file, and what is
/// wrong with it.
llvm::Expected<MeasuredData> readMeasuredData(llvm::ArrayRef<std::string> paths);

} // namespace ucmoh

#endif // UCMOH_LIB_DATASET_MEASUREDDATA_H
