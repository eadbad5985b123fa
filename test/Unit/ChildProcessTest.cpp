//===- ChildProcessTest.cpp - Processes that fail, hang and end
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/ChildProcess.h"
#include "ErrorText.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <sys/resource.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using namespace ucmoh;
namespace json = llvm::json;

namespace {

/// Counts its requests; "do" says how it fails.
ChildProcess::Handler makeHandler() {
  auto count = std::make_shared<int64_t>(0);
  return [count](const json::Object &request) -> json::Object {
    llvm::StringRef what = request.getString("do").value_or("");
    if (what == "crash")
      raise(SIGSEGV);
    if (what == "exit")
      _exit(3);
    if (what == "hang")
      std::this_thread::sleep_for(std::chrono::hours(1));
    if (what == "refuse")
      return json::Object{{"error", "no, thanks"}};
    if (what == "long")
      return json::Object{{"text", std::string(200000, 'x')}};
    return json::Object{{"count", ++*count}, {"pid", static_cast<int64_t>(getpid())}};
  };
}

json::Object request(llvm::StringRef what) { return json::Object{{"do", what}}; }

constexpr double enoughSeconds = 60;

class ChildProcessTest : public ::testing::Test {
protected:
  ChildProcessTest() : child(llvm::cantFail(ChildProcess::start(makeHandler))) {}
  std::string whyNot(llvm::StringRef what, double seconds = enoughSeconds) {
    return errorOf(child->ask(request(what), seconds));
  }
  std::unique_ptr<ChildProcess> child;
};

TEST_F(ChildProcessTest, AnswersInAProcessOfItsOwnThatKeepsItsState) {
  for (int64_t i = 1; i <= 3; ++i) {
    auto answer = child->ask(request("count"), enoughSeconds);
    ASSERT_EQ(errorOf(answer), "");
    EXPECT_EQ(answer->getInteger("count"), i);
    EXPECT_NE(answer->getInteger("pid"), static_cast<int64_t>(getpid()));
  }
}

TEST_F(ChildProcessTest, LongAnswersArriveWhole) {
  auto answer = child->ask(request("long"), enoughSeconds);
  ASSERT_EQ(errorOf(answer), "");
  EXPECT_EQ(answer->getString("text")->size(), 200000u);
}

TEST_F(ChildProcessTest, ARefusalIsAnErrorThatTheChildSurvives) {
  EXPECT_EQ(whyNot("refuse"), "no, thanks");
  EXPECT_EQ(whyNot("count"), "");
}

TEST_F(ChildProcessTest, ACrashIsNamedAndFinal) {
  EXPECT_EQ(whyNot("crash"), "the child process died: Segmentation fault");
  EXPECT_EQ(whyNot("count"), "the child process is gone");
}

TEST_F(ChildProcessTest, AnEarlyEndIsNamed) {
  EXPECT_EQ(whyNot("exit"), "the child process ended with exit code 3");
  EXPECT_EQ(whyNot("count"), "the child process is gone");
}

TEST_F(ChildProcessTest, AHangEndsWithTheTimeout) {
  auto answer = child->ask(request("count"), enoughSeconds);
  ASSERT_EQ(errorOf(answer), "");
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(whyNot("hang", 1), "no answer within 1 s; --timeout=SECONDS allows more");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_NE(kill(*answer->getInteger("pid"), 0), 0) << "the child is still there";
  EXPECT_EQ(whyNot("count"), "the child process is gone");
}

/// Whoever handles signals, as a progress line or Ctrl-C does, interrupts each wait.
TEST_F(ChildProcessTest, SignalsLeaveTheTimeoutAlone) {
  struct sigaction handler = {}, before = {};
  handler.sa_handler = [](int) {};
  sigaction(SIGALRM, &handler, &before);
  itimerval often = {{0, 20000}, {0, 20000}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  EXPECT_EQ(whyNot("count"), "");
  EXPECT_EQ(whyNot("long"), "");
  EXPECT_EQ(whyNot("hang", 1), "no answer within 1 s; --timeout=SECONDS allows more");
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
}

/// There are descriptors for one pipe and a half.
TEST_F(ChildProcessTest, WhatCannotStartKeepsNothingOpen) {
  std::vector<int> taken;
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = {64, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  for (int copy; (copy = dup(STDERR_FILENO)) >= 0;)
    taken.push_back(copy);
  for (int i = 0; i < 3; ++i, taken.pop_back())
    close(taken.back());
  std::string message = errorOf(ChildProcess::start(makeHandler));
  int64_t left = 0;
  for (int copy; (copy = dup(STDERR_FILENO)) >= 0; ++left)
    taken.push_back(copy);
  for (int copy : taken)
    close(copy);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(message, "cannot make a pipe");
  EXPECT_EQ(left, 3);
}

TEST_F(ChildProcessTest, EndsWithItsOwner) {
  auto answer = child->ask(request("count"), enoughSeconds);
  ASSERT_EQ(errorOf(answer), "");
  child.reset();
  EXPECT_NE(kill(*answer->getInteger("pid"), 0), 0);
}

TEST_F(ChildProcessTest, OneCrashLeavesOthersAlone) {
  auto other = llvm::cantFail(ChildProcess::start(makeHandler));
  EXPECT_NE(whyNot("crash"), "");
  EXPECT_EQ(errorOf(other->ask(request("count"), enoughSeconds)), "");
}

} // namespace
