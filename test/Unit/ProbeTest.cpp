//===- ProbeTest.cpp - The probe's programs hold what they measure; its numbers make a machine
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Measure/Probe.h"
#include "Probe/Reading.h"
#include "Probe/Streams.h"
#include "TargetWorld.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

namespace {

MLIRContext &getContext() {
  MLIRContext &context = World::get().context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect,
                      scf::SCFDialect, vector::VectorDialect>();
  return context;
}

/// The lines of the first function's innermost loop: from the label that a later branch goes back
/// to, the branch included.
std::vector<StringRef> loopOf(StringRef assembly) {
  std::vector<StringRef> lines;
  llvm::StringMap<size_t> labels;
  for (StringRef line : llvm::split(assembly, "\n")) {
    lines.push_back(line);
    if (line.starts_with(".L"))
      labels[line.split(':').first] = lines.size();
    auto [mnemonic, operand] = line.trim().split('\t');
    auto label = labels.find(operand.rsplit(' ').second.empty() ? operand.trim()
                                                                : operand.rsplit(' ').second);
    if (!line.starts_with(".") && label != labels.end())
      return {lines.begin() + label->second, lines.end()};
  }
  return {};
}

int64_t countOf(ArrayRef<StringRef> lines, StringRef mnemonic) {
  return llvm::count_if(lines, [&](StringRef line) { return line.contains("\t" + mnemonic.str()); });
}

class StreamTest : public ::testing::TestWithParam<size_t> {
protected:
  const Intrinsic &intrinsic = World::get().intrinsics[GetParam()];

  std::string assemble(const StreamShape &shape) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&getContext()));
    addStream(*module, "stream", intrinsic, shape);
    llvm::cantFail(lowerPrograms(*module, intrinsic.target));
    Target target = *resolveTarget(World::get().library, intrinsic.target);
    return llvm::cantFail(Executable::assemble(*module, codeTargetOf(intrinsic, target)));
  }
};

/// LLVM neither hoists nor merges an execution, and no register goes to memory.
TEST_P(StreamTest, LoopHoldsEachExecution) {
  if (!isHostArchitecture(intrinsic.getTarget().getTriple()) || intrinsic.isStaged)
    GTEST_SKIP() << "of another machine";
  IntrinsicOp op = intrinsic.op;
  std::string chain = assemble(chainOf(intrinsic)), stream = assemble(streamOf(intrinsic));
  int64_t single = countOf(loopOf(chain), op.getMnemonic()) / chainOf(intrinsic).executions;
  EXPECT_GE(single, 1) << chain;
  EXPECT_EQ(countOf(loopOf(chain), op.getMnemonic()), single * chainOf(intrinsic).executions);
  EXPECT_EQ(countOf(loopOf(stream), op.getMnemonic()), single * streamOf(intrinsic).executions)
      << stream;
  EXPECT_EQ(countOf(loopOf(stream), "(%rsp)"), 0) << stream;
  if (std::getenv("SHOW")) { auto s = streamOf(intrinsic); s.additions=40; llvm::errs() << assemble(s); }
}

INSTANTIATE_TEST_SUITE_P(All, StreamTest,
                         ::testing::Range<size_t>(0, World::get().intrinsics.size()),
                         intrinsicName);

} // namespace
