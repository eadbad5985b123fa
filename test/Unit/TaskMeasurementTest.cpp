//===- TaskMeasurementTest.cpp - Candidates whose processes get into trouble
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Collect/TaskMeasurement.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Dialect/Registration.h"
#include "gtest/gtest.h"
#include <sys/mman.h>

using namespace mlir;
using namespace ucmoh;

namespace {

constexpr llvm::StringLiteral product = R"(
func.func @f(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
    outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
})";

class TaskMeasurementTest : public ::testing::Test {
protected:
  TaskMeasurementTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    module = parseSourceString<ModuleOp>(product, &context);
    options.trial.program.target = "host";
    options.gated = false;
    options.rounds = 2;
    options.sampleSeconds = 1e-4;
    options.finalSeconds = 1e-4;
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerExecutableDialects(registry);
    return registry;
  }

  /// The best `count` candidates.
  std::vector<ChoiceAttr> choices(size_t count) {
    Target target = *loadTarget(&context, options.trial.program.target);
    std::string reason;
    std::vector<ChoiceAttr> choices;
    module->walk([&](linalg::MatmulOp op) {
      WorkloadOrReason analyzed = analyzeWorkload(op);
      auto ranked =
          rankCandidates(*analyzed.workload, target, *createCostModel("analytic", reason), reason);
      for (size_t i = 0; i < std::min(count, ranked.size()); ++i)
        choices.push_back(ranked[i].candidate.toAttr(0, ""));
    });
    return choices;
  }

  std::vector<MeasuredCandidate> measure(size_t count) {
    auto reference = TaskReference::begin(*module, "f", options.trial);
    EXPECT_TRUE(bool(reference));
    TaskMeasurement measurement(*module, "f", *reference, choices(count), options);
    measurement.begin();
    EXPECT_FALSE(measurement.run([] {}));
    return measurement.takeCandidates();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  MeasureOptions options;
};

/// The last samples are too long for any time-out, so a child is ended while it takes one.
TEST_F(TaskMeasurementTest, WhatWasMeasuredIsKeptWhenARefinementFails) {
  options.timeoutSeconds = 15;
  options.finalSeconds = 1e9;
  std::vector<MeasuredCandidate> candidates = measure(4);
  ASSERT_EQ(candidates.size(), 4u);
  for (const MeasuredCandidate &candidate : candidates) {
    EXPECT_EQ(candidate.error, "");
    EXPECT_EQ(candidate.seconds.size(), 2u);
  }
}

/// As the driver of a device does, and a sanitizer.
TEST_F(TaskMeasurementTest, ReservedAddressesAreNoMemory) {
  size_t reserved = size_t(64) << 30;
  void *addresses = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(addresses, MAP_FAILED);
  for (const MeasuredCandidate &candidate : measure(2))
    EXPECT_EQ(candidate.error, "");
  munmap(addresses, reserved);
}

} // namespace
