//===- ChildProcess.h - A process of our own that may crash
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RUNTIME_CHILDPROCESS_H
#define UCMOH_RUNTIME_CHILDPROCESS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <memory>

namespace ucmoh {

/// A fork of this process that answers requests, one JSON object per line over pipes. When it
/// crashes or hangs, it alone is lost. Start it while this process has a single thread.
class ChildProcess {
public:
  /// Answers one request.
  using Handler = std::function<llvm::json::Object(const llvm::json::Object &request)>;

  /// `makeHandler` runs in the child.
  static llvm::Expected<std::unique_ptr<ChildProcess>> start(std::function<Handler()> makeHandler);

  /// The answer; an error says how the child died or that it took longer than `seconds` (then it
  /// is killed).
  llvm::Expected<llvm::json::Object> ask(llvm::json::Object request, double seconds);
  /// The two halves of `ask`, so that the child can work meanwhile: each request has one answer.
  llvm::Error send(llvm::json::Object request);
  llvm::Expected<llvm::json::Object> receive(double seconds);

  /// False once an error was the answer because the child died or took too long.
  bool isAlive() const { return pid > 0; }

  ~ChildProcess();

private:
  ChildProcess(int pid, int requests, int answers)
      : pid(pid), requests(requests), answers(answers) {}
  llvm::Expected<std::string> readLine(double seconds);
  llvm::Error describeDeath();
  void end();

  int pid, requests, answers;
  std::string received;
};

} // namespace ucmoh

#endif // UCMOH_RUNTIME_CHILDPROCESS_H
