//===- Network.h - The network of the learned cost model, written once
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `forward` is the only description of the network. What it does depends on the backend: LibTorch
/// trains it (lib/Training), vectors of 16 floats run it in the compiler (lib/CostModel), and
/// NetworkParameters.h lists the weights in the order of the calls.
///
/// A backend B has a type B::Value, a matrix with one row per statement, and
///   log(x)                    log2(1 + x), element by element
///   linear(x, name, in, out)  x * weight[in, out] + bias[out]
///   relu(x), add(x, y)        element by element
///   columns(x, from, count)   a part of each row
///   concat(values, count)     side by side
///   attend(q, k, v)           softmax(q * k^T / sqrt(width)) * v, over the rows of one program
///   sumRows(x)                one row per program
///
/// This file includes nothing: it is compiled for several instruction sets into one library.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_NETWORK_H
#define UCMOH_COSTMODEL_NETWORK_H

namespace ucmoh::network {

/// Part of the schema: another wiring of the same weights is another network.
constexpr int version = 1;

/// Widths of the layers, and the heads of the attention.
constexpr int hidden = 64, heads = 4, headWidth = hidden / heads, scoreWidth = 32;

/// From the inputs of each statement (raw, not negative: NetworkInputs.h) to what is added to the
/// roofline's log2 of nanoseconds.
template <class B> typename B::Value forward(B &b, typename B::Value inputs, int width) {
  using Value = typename B::Value;
  Value h = b.relu(b.linear(b.log(inputs), "embed1", width, hidden));
  h = b.relu(b.linear(h, "embed2", hidden, hidden));
  Value qkv = b.linear(h, "qkv", hidden, 3 * hidden);
  Value attended[heads];
  for (int head = 0; head < heads; ++head) {
    int at = head * headWidth;
    attended[head] = b.attend(b.columns(qkv, at, headWidth), b.columns(qkv, hidden + at, headWidth),
                              b.columns(qkv, 2 * hidden + at, headWidth));
  }
  h = b.add(h, b.linear(b.concat(attended, heads), "attention", hidden, hidden));
  Value pooled = b.sumRows(b.relu(b.linear(h, "pool", hidden, hidden)));
  return b.linear(b.relu(b.linear(pooled, "score1", hidden, scoreWidth)), "score2", scoreWidth, 1);
}

} // namespace ucmoh::network

#endif // UCMOH_COSTMODEL_NETWORK_H
