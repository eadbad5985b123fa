//===- RecordsFile.h - Records as files of JSON lines
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RECORDS_RECORDSFILE_H
#define UCMOH_RECORDS_RECORDSFILE_H

#include "ucmoh/Records/Records.h"

namespace ucmoh {

/// Writes what passes `filter` to `path`: compressed with zstd if that ends in ".zst", to standard
/// output if it is "-". The file appears at once and complete. Equal data gives equal lines, but
/// for the time in the first one.
llvm::Error exportRecords(Records &records, const Records::Filter &filter, llvm::StringRef path);

/// Adds what an export, compressed or not, holds; returns how many rows were new. After an error,
/// "FILE:LINE: what is wrong", `records` are as they were.
llvm::Expected<int64_t> importRecords(Records &records, llvm::StringRef path);

/// Adds what `other` holds, all or nothing; returns how many rows were new.
llvm::Expected<int64_t> mergeRecords(Records &records, Records &other);

} // namespace ucmoh

#endif // UCMOH_RECORDS_RECORDSFILE_H
