//===- CandidateRow.h - A measured candidate as a row of the records
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COLLECT_CANDIDATEROW_H
#define UCMOH_COLLECT_CANDIDATEROW_H

#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Collect/TaskMeasurement.h"
#include "ucmoh/Records/Records.h"

namespace ucmoh {

/// Adds the machine that the target's numbers describe; returns its id.
llvm::Expected<std::string> recordMachine(const Target &target, Records &records);

/// Holds what rows of one task have in common: see Records::Row.
struct RowOrigin {
  std::string workload, machine; ///< their ids
  std::string target;            ///< as in "host"
  std::string run;               ///< the label of the run
};

/// Identifies the program that the candidate makes of the workload.
std::string hashOfProgram(const Workload &workload, const Candidate &candidate);

/// The row of a candidate whose program has the hash `program`. One without samples has an error.
Records::Row makeRow(const RowOrigin &origin, const MeasuredCandidate &candidate,
                     llvm::StringRef program);

} // namespace ucmoh

#endif // UCMOH_COLLECT_CANDIDATEROW_H
