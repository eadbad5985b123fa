//===- Dequantizations.cpp - Each reader dequantizes for itself
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Quantized networks have one dequantization for all that read a tensor, such as the later levels
/// that a skip connection leads to. It would become part of the op that quantizes, which then
/// writes four times as many bytes for each of them to read. With one of its own, each reads bytes.
///
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "UnaryChain.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ucmoh;

/// Whether the chain makes wide numbers in so few instructions that reading them takes longer.
static bool isDequantization(const UnaryChain &chain) {
  unsigned ops = 0;
  for (linalg::GenericOp op : chain.ops) {
    auto body = op.getBody()->without_terminator();
    if (llvm::any_of(body, [](Operation &inner) { return isCostly(&inner); }))
      return false;
    ops += llvm::range_size(body);
  }
  bool isWeight = matchPattern(chain.source, m_Constant()); // dequantized once for all calls
  return ops <= mostOpsOfReaders && !isWeight && bitsOf(chain.ops.back()->getResult(0)) > 8;
}

/// Makes the chain once more.
static Value cloneChain(OpBuilder &builder, const UnaryChain &chain) {
  IRMapping mapping;
  Operation *made = nullptr;
  for (linalg::GenericOp op : chain.ops)
    made = builder.clone(*op, mapping);
  return made->getResult(0);
}

void ucmoh::dequantizeForEachReader(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op->getNumResults() == 1 && !op->use_empty() && !op->hasOneUse())
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    std::optional<UnaryChain> chain = findUnaryChain(op->getResult(0));
    if (!chain || !isDequantization(*chain))
      continue;
    OpBuilder builder(op->getBlock(), std::next(op->getIterator()));
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
      use.set(cloneChain(builder, *chain));
  }
}
