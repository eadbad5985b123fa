//===- MeasuredData.cpp - Measurements, read into memory
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasuredData.h"
#include "ucmoh/Records/RecordsFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace ucmoh;

static bool isDatabase(llvm::StringRef path) {
  auto start = llvm::MemoryBuffer::getFileSlice(path, 15, 0);
  return start && (*start)->getBuffer() == "SQLite format 3";
}

static llvm::Error add(Records &records, llvm::StringRef path) {
  if (!isDatabase(path))
    return importRecords(records, path).takeError();
  auto other = Records::open(path, Records::Mode::Read);
  if (!other)
    return other.takeError();
  return mergeRecords(records, *other).takeError();
}

static uint64_t hashOf(const std::vector<Records::Row> &rows) {
  std::string text;
  for (const Records::Row &row : rows) {
    text += row.workload + row.machine + row.choice + row.run + row.error;
    text.append(reinterpret_cast<const char *>(row.seconds.data()),
                row.seconds.size() * sizeof(double));
  }
  return llvm::xxh3_64bits(text);
}

llvm::Expected<MeasuredData> ucmoh::readMeasuredData(llvm::ArrayRef<std::string> paths) {
  auto records = Records::temporary();
  if (!records)
    return records.takeError();
  for (const std::string &path : paths)
    if (auto error = add(*records, path))
      return std::move(error);
  MeasuredData data;
  auto all = [&]() -> llvm::Error {
    if (auto error = records->forEachMachine({}, [&](const Records::Machine &machine) {
          data.machines[machine.id()] = machine;
          return llvm::Error::success();
        }))
      return error;
    if (auto error = records->forEachWorkload({}, [&](const Records::Workload &workload) {
          data.workloads.push_back(workload);
          return llvm::Error::success();
        }))
      return error;
    return records->forEachRow({}, [&](const Records::Row &row) {
      data.rows.push_back(row);
      return llvm::Error::success();
    });
  };
  if (auto error = all())
    return std::move(error);
  data.hash = hashOf(data.rows);
  return data;
}
