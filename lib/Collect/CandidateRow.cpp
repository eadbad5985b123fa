//===- CandidateRow.cpp - A measured candidate as a row of the records
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/CandidateRow.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Analysis/Program.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <ctime>

using namespace mlir;
using namespace ucmoh;

llvm::Expected<std::string> ucmoh::recordMachine(const Target &target, Records &records) {
  Records::Machine machine;
  machine.name = target.machine.name;
  machine.cpu = hostCpuName().str();
  llvm::raw_string_ostream ir(machine.ir);
  if (target.machineOp)
    ir << target.machineOp;
  else
    printMachine(target, machine.name, machine.cpu, ir);
  return records.addMachine(machine);
}

std::string ucmoh::hashOfProgram(const Workload &workload, const Candidate &candidate) {
  std::string program;
  llvm::raw_string_ostream(program) << buildProgram(workload, candidate);
  return llvm::formatv("{0:x-16}", llvm::xxh3_64bits(program));
}

Records::Row ucmoh::makeRow(const RowOrigin &origin, const MeasuredCandidate &candidate,
                            StringRef program) {
  Records::Row row;
  row.workload = origin.workload;
  row.machine = origin.machine;
  row.target = origin.target;
  row.run = origin.run;
  row.program = program.str();
  llvm::raw_string_ostream(row.choice) << candidate.choice;
  SymbolRefAttr intrinsic = candidate.choice.getIntrinsic();
  row.intrinsic = intrinsic.getRootReference().str() + "::" + intrinsic.getLeafReference().str();
  row.error = candidate.error;
  if (candidate.isMeasured())
    row.seconds = candidate.seconds;
  else if (row.error.empty())
    row.error = "not measured";
  row.versions = "ucmoh " UCMOH_VERSION "; LLVM " LLVM_VERSION_STRING;
  row.time = std::time(nullptr);
  return row;
}
