//===- Reconvergence.cpp - Where lanes that part meet again ----------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The join of a branch is its immediate postdominator: the first instruction that all ways from it
/// to the end of the kernel go through. Computed as Cooper, Harvey and Kennedy do ("A Simple, Fast
/// Dominance Algorithm"), on the reversed control flow, one node per instruction.
///
//===----------------------------------------------------------------------===//

#include "Kernel.h"

using namespace ucmoh::ptx;

namespace {
class PostDominators {
public:
  explicit PostDominators(const Kernel &kernel) : code(kernel.code), end(code.size()) {
    numberFromEnd();
    solve();
  }
  /// `end` where there is none but the end.
  uint32_t of(uint32_t node) const { return parents[node]; }

private:
  llvm::SmallVector<uint32_t, 2> successors(uint32_t node) const;
  void numberFromEnd();
  void solve();
  uint32_t meet(uint32_t a, uint32_t b) const;

  const std::vector<Instruction> &code;
  uint32_t end;
  std::vector<uint32_t> order;   ///< from the end on, each behind one of its successors
  std::vector<uint32_t> numbers; ///< numbers of nodes in `order`; end + 1 for those that never end
  std::vector<uint32_t> parents;
};
} // namespace

llvm::SmallVector<uint32_t, 2> PostDominators::successors(uint32_t node) const {
  const Instruction &instruction = code[node];
  if (!instruction.isControl)
    return {node + 1};
  uint32_t target = instruction.isBranch ? uint32_t(instruction.offset) : end;
  if (instruction.isGuarded || instruction.isPartial)
    return {node + 1, target};
  return {target};
}

/// A depth-first walk against the control flow, in reverse order of leaving.
void PostDominators::numberFromEnd() {
  std::vector<llvm::SmallVector<uint32_t, 2>> predecessors(end + 1);
  for (uint32_t node = 0; node < end; ++node)
    for (uint32_t next : successors(node))
      predecessors[next].push_back(node);
  numbers.assign(end + 1, end + 1);
  std::vector<bool> seen(end + 1);
  std::vector<std::pair<uint32_t, size_t>> open = {{end, 0}};
  seen[end] = true;
  while (!open.empty()) {
    auto &[node, next] = open.back();
    if (next == predecessors[node].size()) {
      order.push_back(node);
      open.pop_back();
    } else if (uint32_t before = predecessors[node][next++]; !seen[before]) {
      seen[before] = true;
      open.push_back({before, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  for (size_t i = 0; i < order.size(); ++i)
    numbers[order[i]] = i;
}

uint32_t PostDominators::meet(uint32_t a, uint32_t b) const {
  while (a != b) {
    uint32_t &later = numbers[a] > numbers[b] ? a : b;
    later = parents[later];
  }
  return a;
}

void PostDominators::solve() {
  constexpr uint32_t unknown = ~0u;
  parents.assign(end + 1, unknown);
  parents[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t node : llvm::ArrayRef(order).drop_front()) {
      uint32_t parent = unknown;
      for (uint32_t next : successors(node))
        if (parents[next] != unknown)
          parent = parent == unknown ? next : meet(parent, next);
      changed |= parents[node] != parent;
      parents[node] = parent;
    }
  }
  for (uint32_t &parent : parents)
    parent = std::min(parent, end); // these never end
}

void ucmoh::ptx::computeJoins(Kernel &kernel) {
  PostDominators dominators(kernel);
  for (uint32_t i = 0; i < kernel.code.size(); ++i)
    if (kernel.code[i].isBranch)
      kernel.code[i].join = dominators.of(i);
}
