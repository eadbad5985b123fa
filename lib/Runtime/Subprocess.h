//===- Subprocess.h - Another program, run to its end
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RUNTIME_SUBPROCESS_H
#define UCMOH_LIB_RUNTIME_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ucmoh {

/// A file in memory that a program started by `runProgram` can open by `path`, or have as its
/// standard input or output. Nothing is left behind when this process is killed.
class MemoryFile {
public:
  explicit MemoryFile(llvm::StringRef content = "");
  ~MemoryFile();
  MemoryFile(const MemoryFile &) = delete;

  int getDescriptor() const { return descriptor; }
  std::string path() const;
  std::string read() const;

private:
  int descriptor;
};

/// Runs `command` (the first is the program's path) and waits. The error says how it ended, with
/// what it wrote to its standard error. The program dies with this process.
llvm::Error runProgram(llvm::ArrayRef<std::string> command, const MemoryFile &input,
                       const MemoryFile &output);

} // namespace ucmoh

#endif // UCMOH_LIB_RUNTIME_SUBPROCESS_H
