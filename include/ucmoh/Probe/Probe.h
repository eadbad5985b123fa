//===- Probe.h - The numbers of this machine, measured
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_PROBE_PROBE_H
#define UCMOH_PROBE_PROBE_H

#include "ucmoh/Analysis/Target.h"
#include "llvm/Support/Error.h"

namespace ucmoh {

/// Says what the probe measures, and for how long.
struct ProbeOptions {
  std::string target = "host"; ///< whose intrinsics, as in resolveTarget
  double budgetSeconds = 25;   ///< the whole measurement lasts so long, compilation included
  std::function<void(double seconds)> onProgress; ///< called every second or so; may be null
};

/// One measured number, for people.
struct ProbeRow {
  std::string name, unit; ///< as in the table
  double value;           ///< in that unit
  int64_t samples;        ///< that were taken
  double disagreement;    ///< between the two halves of the samples: .05 is 5 %
  /// Whether both halves agree within 5 %.
  bool isSteady() const { return disagreement <= 0.05; }
};

/// Holds what a probe measured.
struct ProbeResult {
  Target target; ///< as asked for; its machine's numbers and its intrinsics' costs are measured
  std::vector<ProbeRow> rows;      ///< in the order of the table
  std::vector<std::string> method; ///< lines for the file's head: what was measured with what
};

/// Measures this machine: all numbers that `Machine` has for a CPU, and the costs of the target's
/// intrinsics. Fails when the CPU cannot execute one of them. Runs on the last of the allowed
/// cores, and on all of them where they are measured together.
llvm::Expected<ProbeResult> probe(mlir::MLIRContext *context, const ProbeOptions &options);

/// The text of a machine file: `ucmoh.machine @NAME cpus ["CPU"] ...`, with a comment that says
/// what was measured how.
std::string printMachineFile(const ProbeResult &result, llvm::StringRef name, llvm::StringRef cpu);

/// Whether a machine file may be written there: an error if the path holds something that is no
/// machine file, and if the name is no symbol's.
llvm::Error checkMachineFile(mlir::MLIRContext *context, llvm::StringRef path,
                             llvm::StringRef name);

/// Writes the text, all of it or nothing ("-": to standard output), after checkMachineFile.
llvm::Error writeMachineFile(llvm::StringRef path, llvm::StringRef text);

} // namespace ucmoh

#endif // UCMOH_PROBE_PROBE_H
