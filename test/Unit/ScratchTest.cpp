//===- ScratchTest.cpp - Buffers in memory of the caller
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile/Scratch.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <map>

using namespace llvm;
using namespace ucmoh;

namespace {

class ScratchTest : public ::testing::Test {
protected:
  /// Places the buffers of @f, whose body is given, in its only argument.
  Expected<int64_t> place(StringRef body) {
    std::string text = ("declare ptr @malloc(i64)\ndeclare void @free(ptr)\n"
                        "define void @f(ptr %memory) {\n" +
                        body + "}\n")
                           .str();
    SMDiagnostic error;
    module = parseAssemblyString(text, error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    nameAllocations(*module);
    Function *function = module->getFunction("f");
    return placeScratch(*function, *function->getArg(0));
  }

  /// Where each stored number went, in bytes from the memory's begin.
  std::map<int64_t, int64_t> stores() {
    std::map<int64_t, int64_t> found;
    for (BasicBlock &block : *module->getFunction("f"))
      for (Instruction &instruction : block)
        if (auto *store = dyn_cast<StoreInst>(&instruction)) {
          APInt offset(64, 0);
          store->getPointerOperand()->stripAndAccumulateConstantOffsets(module->getDataLayout(),
                                                                        offset, true);
          found[cast<ConstantInt>(store->getValueOperand())->getSExtValue()] =
              offset.getSExtValue();
        }
    return found;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
};

using Places = std::map<int64_t, int64_t>;

} // namespace

TEST_F(ScratchTest, BuffersOneAfterTheOtherShare) {
  auto bytes = place("  %a = call ptr @malloc(i64 100)\n  store i8 1, ptr %a\n"
                     "  call void @free(ptr %a)\n  %b = call ptr @malloc(i64 60)\n"
                     "  %c = call ptr @malloc(i64 10)\n  store i8 2, ptr %b\n"
                     "  store i8 3, ptr %c\n  call void @free(ptr %b)\n"
                     "  call void @free(ptr %c)\n  ret void\n");
  ASSERT_TRUE(bool(bytes)) << toString(bytes.takeError());
  EXPECT_EQ(*bytes, 100);
  EXPECT_EQ(stores(), (Places{{1, 0}, {2, 0}, {3, 64}}));
}

/// What a loop allocates is apart from the buffer that is alive around it, and each from the other,
/// but not from what comes later.
TEST_F(ScratchTest, LoopsHaveOnePlace) {
  auto bytes = place("entry:\n  %outer = call ptr @malloc(i64 64)\n  br label %loop\n"
                     "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
                     "  %first = call ptr @malloc(i64 64)\n  store i8 1, ptr %first\n"
                     "  call void @free(ptr %first)\n  %second = call ptr @malloc(i64 64)\n"
                     "  store i8 2, ptr %second\n  call void @free(ptr %second)\n"
                     "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, 9\n"
                     "  br i1 %more, label %loop, label %exit\n"
                     "exit:\n  store i8 3, ptr %outer\n  call void @free(ptr %outer)\n"
                     "  %later = call ptr @malloc(i64 64)\n  store i8 4, ptr %later\n"
                     "  call void @free(ptr %later)\n  ret void\n");
  ASSERT_TRUE(bool(bytes)) << toString(bytes.takeError());
  EXPECT_EQ(*bytes, 192);
  EXPECT_EQ(stores(), (Places{{1, 64}, {2, 128}, {3, 0}, {4, 0}}));
}

TEST_F(ScratchTest, WhatOutlivesItsIterationIsRefused) {
  auto bytes = place("entry:\n  br label %loop\n"
                     "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
                     "  %buffer = call ptr @malloc(i64 64)\n  %next = add i64 %i, 1\n"
                     "  %more = icmp ult i64 %next, 9\n"
                     "  br i1 %more, label %loop, label %exit\n"
                     "exit:\n  call void @free(ptr %buffer)\n  ret void\n");
  EXPECT_EQ(toString(bytes.takeError()), "a loop allocates memory that it does not free");
}

TEST_F(ScratchTest, SizesAreFixed) {
  auto bytes = place("  %size = load i64, ptr %memory\n  %a = call ptr @malloc(i64 %size)\n"
                     "  call void @free(ptr %a)\n  ret void\n");
  EXPECT_EQ(toString(bytes.takeError()), "a buffer has no fixed size");
}
