//===- FitStateTest.cpp - A training that is interrupted
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitState.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

using namespace ucmoh;

/// One weight that has been moved by an optimizer with a memory.
static FitState train(torch::optim::AdamW &optimizer, torch::Tensor &weight, int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    (weight * weight).sum().backward();
    optimizer.step();
  }
  FitState state;
  state.epoch = steps;
  state.progress = 0.5;
  state.random.discard(7);
  state.weights = {weight.detach().clone()};
  return state;
}

TEST(FitStateTest, GoesOnAsIfItHadNotStopped) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("fit", "state", path));
  llvm::FileRemover remover(path);
  torch::Tensor whole = torch::ones({3}).requires_grad_(), part = torch::ones({3}).requires_grad_();
  torch::optim::AdamW straight({whole}, 0.1), stopped({part}, 0.1);
  train(straight, whole, 5);
  FitState before = train(stopped, part, 3);
  ASSERT_FALSE(bool(writeState(path, "key", before, stopped)));

  torch::Tensor resumed = torch::zeros({3}).requires_grad_();
  torch::optim::AdamW again({resumed}, 0.1);
  EXPECT_FALSE(readState(path, "other", 1, again));
  std::optional<FitState> state = readState(path, "key", 1, again);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->epoch, 3);
  EXPECT_EQ(state->progress, 0.5);
  EXPECT_EQ(state->random(), before.random());
  {
    torch::NoGradGuard noGradients;
    resumed.copy_(state->weights.front());
  }
  train(again, resumed, 2);
  EXPECT_TRUE(resumed.equal(whole));
}

TEST(FitStateTest, DamagedFilesAreNoStates) {
  llvm::SmallString<128> path;
  int file;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("fit", "state", file, path));
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << "no archive";
  torch::Tensor weight = torch::ones({3}).requires_grad_();
  torch::optim::AdamW optimizer({weight}, 0.1);
  EXPECT_FALSE(readState(path, "key", 1, optimizer));
  EXPECT_FALSE(readState("/none", "key", 1, optimizer));
}
