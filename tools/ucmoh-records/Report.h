//===- Report.h - Statistics of records as text
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TOOLS_UCMOHRECORDS_REPORT_H
#define UCMOH_TOOLS_UCMOHRECORDS_REPORT_H

#include "ucmoh/Records/Statistics.h"

namespace ucmoh {

void printReport(const RecordsStatistics &statistics, llvm::raw_ostream &stream);

/// One line of JSON.
void printJson(const RecordsStatistics &statistics, llvm::raw_ostream &stream);

} // namespace ucmoh

#endif // UCMOH_TOOLS_UCMOHRECORDS_REPORT_H
