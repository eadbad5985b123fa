//===- Subprocess.cpp - Another program, run to its end
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ucmoh;

MemoryFile::MemoryFile(llvm::StringRef content) : descriptor(memfd_create("ucmoh", 0)) {
  while (!content.empty()) {
    ssize_t count = write(descriptor, content.data(), content.size());
    if (count <= 0)
      llvm::report_bad_alloc_error("no memory for a file");
    content = content.drop_front(count);
  }
  lseek(descriptor, 0, SEEK_SET);
}

MemoryFile::~MemoryFile() { close(descriptor); }

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor); }

std::string MemoryFile::read() const {
  struct stat status = {};
  fstat(descriptor, &status);
  std::string content(status.st_size, '\0');
  for (size_t done = 0; done < content.size();) {
    ssize_t count = pread(descriptor, content.data() + done, content.size() - done, done);
    if (count <= 0)
      break;
    done += count;
  }
  return content;
}

[[noreturn]] static void become(char *const *arguments, int input, int output, int messages) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none = {0, 0}; // an emulator would write the guest's core file
  setrlimit(RLIMIT_CORE, &none);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(messages, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

llvm::Error ucmoh::runProgram(llvm::ArrayRef<std::string> command, const MemoryFile &input,
                              const MemoryFile &output) {
  MemoryFile messages;
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  lseek(input.getDescriptor(), 0, SEEK_SET);
  int pid = fork();
  if (pid == 0)
    become(arguments.data(), input.getDescriptor(), output.getDescriptor(),
           messages.getDescriptor());
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid)
    return llvm::createStringError("cannot start " + command.front());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return llvm::Error::success();
  std::string how = WIFSIGNALED(status) ? std::string(strsignal(WTERMSIG(status)))
                                        : llvm::formatv("exit code {0}", WEXITSTATUS(status)).str();
  return llvm::createStringError(llvm::sys::path::filename(command.front()) + ": " + how + ": " +
                                 llvm::StringRef(messages.read()).trim());
}
