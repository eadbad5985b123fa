//===- RecordsProcessTest.cpp - Records with several processes, and killed ones
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordsFixture.h"
#include <csignal>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace ucmoh;

namespace {

/// Runs `body` in a process of its own, which ends with it.
template <typename Body> pid_t startProcess(Body body) {
  pid_t pid = fork();
  if (pid == 0) {
    body();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  return pid;
}

bool succeeds(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(RecordsTest, FourProcessesWriteAtOnce) {
  constexpr int processes = 4, rows = 500;
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process)
    children.push_back(startProcess([&] {
      Records records = create();
      for (int row = 0; row < rows; ++row)
        EXPECT_EQ(addRow(records, makeRow(records, process * rows + row)), "");
    }));
  for (pid_t child : children)
    EXPECT_TRUE(succeeds(child));
  Records::Counts counts = valueOf(read().counts());
  EXPECT_EQ(counts.rows, processes * rows);
  EXPECT_EQ(counts.workloads, 1);
  EXPECT_EQ(counts.machines, 1);
}

TEST_F(RecordsTest, KilledWritersLoseNothing) {
  constexpr int kills = 100;
  std::minstd_rand random(1);
  std::vector<int64_t> reported;
  // Adds rows from `next` on and writes the number of each row that was added to `pipe`.
  auto addForever = [](Records records, int64_t next, int pipe) {
    for (;; ++next)
      if (addRow(records, makeRow(records, next)).empty() &&
          write(pipe, &next, sizeof(next)) != sizeof(next))
        return;
  };
  for (int kill = 0; kill < kills; ++kill) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    // Some of the first writers die while they make the file.
    if (kill == 10)
      create();
    pid_t writer = startProcess([&] { addForever(create(), kill * 1'000'000, ends[1]); });
    close(ends[1]);
    usleep(random() % 40'000);
    ::kill(writer, SIGKILL);
    EXPECT_FALSE(succeeds(writer));
    for (int64_t number; ::read(ends[0], &number, sizeof(number)) == sizeof(number);)
      reported.push_back(number);
    close(ends[0]);
  }
  // Opening checks every page.
  Records records = create();
  Records::Row row = makeRow(records, 0);
  llvm::StringSet<> choices = valueOf(records.choices({row.workload, row.machine, row.run}));
  EXPECT_GT(reported.size(), 100u);
  for (int64_t number : reported)
    EXPECT_TRUE(choices.contains(canonicalChoice(makeRow(records, number).choice))) << number;
}

} // namespace
