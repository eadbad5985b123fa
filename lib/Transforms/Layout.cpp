//===- Layout.cpp - Networks with channels innermost
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/LayoutRewriter.h"
#include "ucmoh/Transforms/Passes.h"

namespace ucmoh {
#define GEN_PASS_DEF_LAYOUT
#include "ucmoh/Transforms/Passes.h.inc"
} // namespace ucmoh

using namespace mlir;
using namespace ucmoh;

namespace {
struct LayoutPass : ucmoh::impl::LayoutBase<LayoutPass> {
  using Base::Base;
  void runOnOperation() override {
    if (!llvm::hasSingleElement(getOperation().getBody()))
      return;
    LayoutAssignment layouts(getOperation());
    if (!layouts.empty())
      LayoutRewriter(getOperation(), layouts).run();
  }
};
} // namespace
