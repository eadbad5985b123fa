//===- ChildProcess.cpp - A process of our own that may crash
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/ChildProcess.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace ucmoh;
using llvm::sys::RetryAfterSignal;

namespace {
/// Closed at the end, but for the ends that were taken.
struct Pipe {
  int ends[2] = {-1, -1};
  bool open() { return pipe(ends) == 0; }
  int read() const { return ends[0]; }
  int write() const { return ends[1]; }
  int takeRead() { return std::exchange(ends[0], -1); }
  int takeWrite() { return std::exchange(ends[1], -1); }
  ~Pipe() {
    for (int end : ends)
      if (end >= 0)
        close(end);
  }
};
} // namespace

static bool writeLine(int descriptor, std::string line) {
  line += '\n';
  for (size_t done = 0; done < line.size();) {
    ssize_t count = RetryAfterSignal(-1, write, descriptor, line.data() + done, line.size() - done);
    if (count <= 0)
      return false;
    done += count;
  }
  return true;
}

/// The child's life: answers until the parent closes its end.
[[noreturn]] static void serve(int requests, int answers, const ChildProcess::Handler &handler) {
  FILE *stream = fdopen(requests, "r");
  char *line = nullptr;
  size_t capacity = 0;
  while (getline(&line, &capacity, stream) > 0) {
    auto request = llvm::json::parse(line);
    if (!request || !request->getAsObject())
      _exit(2);
    llvm::json::Value answer = handler(*request->getAsObject());
    if (!writeLine(answers, llvm::formatv("{0}", answer).str()))
      break;
  }
  _exit(0); // no destructors: they belong to the parent
}

llvm::Expected<std::unique_ptr<ChildProcess>>
ChildProcess::start(std::function<Handler()> makeHandler) {
  Pipe requests, answers;
  if (!requests.open() || !answers.open())
    return llvm::createStringError("cannot make a pipe");
  signal(SIGPIPE, SIG_IGN);
  llvm::outs().flush();
  int pid = fork();
  if (pid < 0)
    return llvm::createStringError("cannot start a process");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); // Ctrl-C is the parent's to answer
    // LLVM's handlers would print a stack trace of this tool; the parent says what happened.
    for (int number : {SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGABRT})
      signal(number, SIG_DFL);
    close(requests.takeWrite());
    close(answers.takeRead());
    serve(requests.read(), answers.write(), makeHandler());
  }
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(pid, requests.takeWrite(), answers.takeRead()));
}

ChildProcess::~ChildProcess() {
  close(requests);
  close(answers);
  if (pid <= 0)
    return;
  end();
}

void ChildProcess::end() {
  kill(pid, SIGKILL);
  RetryAfterSignal(-1, waitpid, pid, nullptr, 0);
  pid = -1;
}

llvm::Error ChildProcess::describeDeath() {
  int status = 0;
  RetryAfterSignal(-1, waitpid, pid, &status, 0);
  pid = -1;
  if (WIFSIGNALED(status))
    return llvm::createStringError(
        llvm::formatv("the child process died: {0}", strsignal(WTERMSIG(status))));
  return llvm::createStringError(
      llvm::formatv("the child process ended with exit code {0}", WEXITSTATUS(status)));
}

using Clock = std::chrono::steady_clock;
using Moment = std::chrono::time_point<Clock, std::chrono::duration<double>>;

/// One call of `poll` waits so long at most, because its argument is an int.
static constexpr double longestWaitMilliseconds = 1e9;

/// Whether there is something to read, or the other end is closed; false when the time is up. A
/// signal neither shortens nor lengthens it.
static bool awaitInput(int descriptor, Moment end) {
  while (true) {
    std::chrono::duration<double, std::milli> left = end - Clock::now();
    if (left.count() <= 0)
      return false;
    pollfd wanted = {descriptor, POLLIN, 0};
    if (poll(&wanted, 1, std::min(left.count(), longestWaitMilliseconds) + 1) > 0)
      return true;
  }
}

llvm::Expected<std::string> ChildProcess::readLine(double seconds) {
  Moment until = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    if (size_t newline = received.find('\n'); newline != std::string::npos) {
      std::string line = received.substr(0, newline);
      received.erase(0, newline + 1);
      return line;
    }
    if (!awaitInput(answers, until)) {
      end();
      return llvm::createStringError(
          llvm::formatv("no answer within {0:f0} s; --timeout=SECONDS allows more", seconds));
    }
    char buffer[4096];
    ssize_t count = RetryAfterSignal(-1, read, answers, &buffer[0], sizeof(buffer));
    if (count <= 0)
      return describeDeath();
    received.append(buffer, count);
  }
}

llvm::Error ChildProcess::send(llvm::json::Object request) {
  if (pid <= 0)
    return llvm::createStringError("the child process is gone");
  if (!writeLine(requests, llvm::formatv("{0}", llvm::json::Value(std::move(request))).str()))
    return describeDeath();
  return llvm::Error::success();
}

llvm::Expected<llvm::json::Object> ChildProcess::receive(double seconds) {
  if (pid <= 0)
    return llvm::createStringError("the child process is gone");
  auto line = readLine(seconds);
  if (!line)
    return line.takeError();
  auto answer = llvm::json::parse(*line);
  if (!answer)
    return answer.takeError();
  if (!answer->getAsObject())
    return llvm::createStringError("the child process gave no object");
  if (auto error = answer->getAsObject()->getString("error"))
    return llvm::createStringError(*error);
  return std::move(*answer->getAsObject());
}

llvm::Expected<llvm::json::Object> ChildProcess::ask(llvm::json::Object request, double seconds) {
  if (auto error = send(std::move(request)))
    return std::move(error);
  return receive(seconds);
}
