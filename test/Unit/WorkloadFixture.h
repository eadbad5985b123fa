//===- WorkloadFixture.h - Workloads and targets for unit tests
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_UNIT_WORKLOADFIXTURE_H
#define UCMOH_TEST_UNIT_WORKLOADFIXTURE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/Candidates.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

namespace ucmoh {

/// A context with the shipped targets, and modules that live as long as the test.
class WorkloadTest : public ::testing::Test {
protected:
  WorkloadTest() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                    mlir::tensor::TensorDialect, mlir::arith::ArithDialect>();
    registerUCMoH(registry);
    context.appendDialectRegistry(registry);
    library = *TargetLibrary::load(&context);
  }

  Target target(llvm::StringRef name) { return *resolveTarget(library, name); }

  /// The contraction `op`, e.g. "linalg.matmul", of operands of these shapes, e.g. "8x16xi8".
  /// Signed 8-bit integers; the right operand is a weight.
  Workload make(llvm::StringRef op, llvm::StringRef lhs, llvm::StringRef rhs, llvm::StringRef acc,
                llvm::StringRef attributes = "{ucmoh.weight}") {
    std::string text =
        llvm::formatv("func.func @f(%l: tensor<{1}>, %r: tensor<{2}> {4}, %a: tensor<{3}>) -> "
                      "tensor<{3}> {{\n  %0 = {0} ins(%l, %r : tensor<{1}>, tensor<{2}>) "
                      "outs(%a : tensor<{3}>) -> tensor<{3}>\n  return %0 : tensor<{3}>\n}",
                      op, lhs, rhs, acc, attributes);
    return analyze(text);
  }

  /// The last linalg op of a module.
  Workload analyze(llvm::StringRef text) {
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
    WorkloadOrReason found{std::nullopt, "no such op"};
    modules.back()->walk([&](mlir::linalg::LinalgOp op) { found = analyzeWorkload(op); });
    EXPECT_TRUE(found) << found.reason << "\n" << text.str();
    return *found.workload;
  }

  /// Shapes that divide nothing, one row, convolutions with and without channels, batches; integers
  /// and floats; prepacked or not.
  std::vector<Workload> corpus() {
    std::vector<Workload> all;
    for (const char *constant : {"", "{ucmoh.weight}"}) {
      for (const char *type : {"i8", "f32", "bf16"}) {
        std::string t = type, acc = t == "i8" ? "i32" : "f32";
        auto add = [&](llvm::StringRef op, llvm::StringRef l, llvm::StringRef r,
                       llvm::StringRef a) {
          all.push_back(
              make(op, (l + "x" + t).str(), (r + "x" + t).str(), (a + "x" + acc).str(), constant));
        };
        add("linalg.matmul", "128x768", "768x768", "128x768");
        add("linalg.matmul", "197x147", "147x1000", "197x1000");
        add("linalg.matmul", "1x512", "512x1000", "1x1000");
        add("linalg.matmul", "7x27", "27x3", "7x3");
        add("linalg.batch_matmul", "12x49x64", "12x64x49", "12x49x49");
        add("linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}", "1x33x33x3",
            "3x3x3x32", "1x16x16x32");
        add("linalg.conv_2d_nhwc_hwcf", "1x16x16x64", "3x3x64x48", "1x14x14x48");
        add("linalg.conv_2d_nchw_fchw", "1x64x16x16", "48x64x3x3", "1x48x14x14");
      }
    }
    return all;
  }

  static std::string printChoice(const Candidate &candidate) {
    std::string text;
    llvm::raw_string_ostream(text) << candidate.toAttr(0, "");
    return text;
  }

  /// Why the candidate is illegal; empty if it is legal.
  static std::string whyIllegal(const Workload &workload, const Candidate &candidate) {
    std::string why;
    auto note = [&](const llvm::Twine &reason) { why = reason.str(); };
    EXPECT_EQ(succeeded(verifyCandidate(workload, candidate, note)), why.empty());
    EXPECT_EQ(succeeded(verifyCandidate(workload, candidate)), why.empty());
    return why;
  }

  mlir::MLIRContext context;
  std::shared_ptr<TargetLibrary> library;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

} // namespace ucmoh

#endif // UCMOH_TEST_UNIT_WORKLOADFIXTURE_H
