//===- OneDNN.h - The task by oneDNN ---------------------------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_BENCHMARKS_ONEDNN_H
#define UCMOH_BENCHMARKS_ONEDNN_H

#include "Task.h"
#include "Timing.h"

namespace bench {

/// oneDNN with the weights in the format of its choice, reordered ahead (batched matmuls have no
/// weights: all plain). Convolutions twice: with plain channels-last activations ("onednn-plain")
/// and with activations in the format of its choice too, both reorders outside the timed part
/// ("onednn-any").
std::vector<Implementation> makeOneDNN(const Task &task, const Buffer &lhs, const Buffer &rhs);

} // namespace bench

#endif // UCMOH_BENCHMARKS_ONEDNN_H
