//===- VectorKernel.cpp - The network on vectors of 16 floats
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CMake compiles this file for each instruction set, and says how the function is called
/// (UCMOH_RUN_NETWORK) and how many rows fit into registers at a time (UCMOH_ROWS_AT_ONCE).
///
/// Nothing is contracted, so that all of them give the same bits: every output is one chain of
/// fused multiply-adds in a fixed order, every sum over lanes one fixed tree, and exp and log2 are
/// polynomials of our own.
///
/// Where a value is not used again it is overwritten: relu and add.
///
/// All of it is in an unnamed namespace, and nothing but Network.h is included: an inline function
/// that two instruction sets share could be taken from the wrong one by the linker.
///
//===----------------------------------------------------------------------===//

#include "ucmoh/CostModel/Network.h"

namespace {

using Lanes = float __attribute__((vector_size(64)));
using IntLanes = int __attribute__((vector_size(64)));
constexpr int laneCount = 16;

inline Lanes load(const float *from) {
  Lanes value;
  __builtin_memcpy(&value, from, sizeof(value));
  return value;
}
inline void store(float *to, Lanes value) { __builtin_memcpy(to, &value, sizeof(value)); }
inline Lanes splat(float value) { return value - Lanes{}; }
inline Lanes fma(Lanes a, Lanes b, Lanes c) { return __builtin_elementwise_fma(a, b, c); }
inline Lanes max(Lanes a, Lanes b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }

/// Horner's scheme.
template <int N> inline Lanes polynomial(const float (&coefficients)[N], Lanes x) {
  Lanes sum = splat(coefficients[0]);
  for (int i = 1; i < N; ++i)
    sum = fma(sum, x, splat(coefficients[i]));
  return sum;
}

/// exp of what is not positive, by a minimax polynomial on [-ln 2 / 2, ln 2 / 2].
inline Lanes exp(Lanes x) {
  x = max(x, splat(-87));
  // Adding 1.5 * 2^23 rounds to an integer, which is then in the low bits.
  Lanes shifted = fma(x, splat(1.44269504f), splat(12582912.f)), whole = shifted - 12582912.f;
  Lanes rest = fma(whole, splat(2.12194440e-4f), fma(whole, splat(-0.693359375f), x));
  Lanes p = polynomial({1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                        1.6666665459e-1f, 5.0000001201e-1f},
                       rest);
  p = fma(p, rest * rest, rest) + 1.f;
  return p * (Lanes)(((IntLanes)shifted + 127) << 23);
}

/// log2(1 + x) of what is not negative.
inline Lanes log2Of1Plus(Lanes x) {
  IntLanes bits = (IntLanes)(x + 1.f);
  IntLanes exponent = (bits - 0x3f3504f3) >> 23; // so that the rest is in [sqrt(1/2), sqrt(2))
  Lanes t = (Lanes)(bits - (exponent << 23)) - 1.f;
  Lanes p = polynomial({7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f,
                        1.4249322787e-1f, -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f,
                        3.3333331174e-1f},
                       t);
  Lanes square = t * t;
  Lanes log = fma(p * t, square, fma(splat(-0.5f), square, t));
  return fma(log, splat(1.44269504f), __builtin_convertvector(exponent, Lanes));
}

/// One fixed tree over the lanes.
template <class F> inline float fold(Lanes value, F combine) {
  float lanes[laneCount];
  store(lanes, value);
  for (int half = laneCount / 2; half; half /= 2)
    for (int i = 0; i < half; ++i)
      lanes[i] = combine(lanes[i], lanes[i + half]);
  return lanes[0];
}

struct Matrix {
  int rows, columns, stride;
  float *data;
  float *row(int i) const { return data + i * stride; }
};

/// `Rows` rows of x * weight + bias, 32 columns at a time.
template <int Rows>
inline void multiply(const Matrix &x, int at, const float *weight, const float *bias,
                     const Matrix &y) {
  for (int column = 0; column < y.columns; column += 2 * laneCount) {
    Lanes sums[Rows][2];
    for (int i = 0; i < Rows; ++i) {
      sums[i][0] = load(bias + column);
      sums[i][1] = load(bias + column + laneCount);
    }
    for (int k = 0; k < x.columns; ++k) {
      Lanes left = load(weight + k * y.columns + column);
      Lanes right = load(weight + k * y.columns + column + laneCount);
      for (int i = 0; i < Rows; ++i) {
        Lanes factor = splat(x.row(at + i)[k]);
        sums[i][0] = fma(factor, left, sums[i][0]);
        sums[i][1] = fma(factor, right, sums[i][1]);
      }
    }
    for (int i = 0; i < Rows; ++i) {
      store(y.row(at + i) + column, sums[i][0]);
      store(y.row(at + i) + column + laneCount, sums[i][1]);
    }
  }
}

/// One program. Matrices lie in `scratch`, one behind the other, until the next program.
struct VectorBackend {
  using Value = Matrix;
  const float *weights; ///< in the order of the calls
  float *scratch;

  Matrix allocate(int rows, int columns) {
    int stride = (columns + laneCount - 1) / laneCount * laneCount;
    Matrix matrix{rows, columns, stride, scratch};
    scratch += rows * stride;
    return matrix;
  }

  Matrix log(const Matrix &x) {
    Matrix y = allocate(x.rows, x.columns);
    for (int i = 0; i < x.rows; ++i)
      for (int at = 0; at < x.columns; at += laneCount) {
        Lanes part{};
        __builtin_memcpy(&part, x.row(i) + at, 4 * min(laneCount, x.columns - at));
        store(y.row(i) + at, log2Of1Plus(part));
      }
    return y;
  }

  Matrix linear(const Matrix &x, const char *, int in, int out) {
    Matrix y = allocate(x.rows, out);
    const float *weight = weights, *bias = weights + in * out;
    weights += in * out + out;
    if (out % (2 * laneCount)) {
      narrow(x, weight, bias, y);
      return y;
    }
    int at = 0;
    for (; at + UCMOH_ROWS_AT_ONCE <= x.rows; at += UCMOH_ROWS_AT_ONCE)
      multiply<UCMOH_ROWS_AT_ONCE>(x, at, weight, bias, y);
    for (; at + 2 <= x.rows; at += 2)
      multiply<2>(x, at, weight, bias, y);
    for (; at < x.rows; ++at)
      multiply<1>(x, at, weight, bias, y);
    return y;
  }

  /// The same for few columns.
  static void narrow(const Matrix &x, const float *weight, const float *bias, const Matrix &y) {
    for (int i = 0; i < x.rows; ++i)
      for (int j = 0; j < y.columns; ++j) {
        float sum = bias[j];
        for (int k = 0; k < x.columns; ++k)
          sum = __builtin_fmaf(x.row(i)[k], weight[k * y.columns + j], sum);
        y.row(i)[j] = sum;
      }
  }

  Matrix relu(const Matrix &x) {
    for (int i = 0; i < x.rows * x.stride; i += laneCount)
      store(x.data + i, max(load(x.data + i), Lanes{}));
    return x;
  }

  Matrix add(const Matrix &x, const Matrix &y) {
    for (int i = 0; i < x.rows * x.stride; i += laneCount)
      store(x.data + i, load(x.data + i) + load(y.data + i));
    return x;
  }

  Matrix columns(const Matrix &x, int from, int count) {
    return {x.rows, count, x.stride, x.data + from};
  }

  Matrix concat(const Matrix *parts, int count) {
    Matrix y = allocate(parts[0].rows, count * parts[0].columns);
    for (int part = 0; part < count; ++part)
      for (int i = 0; i < y.rows; ++i)
        __builtin_memcpy(y.row(i) + part * parts[0].columns, parts[part].row(i),
                         4 * parts[0].columns);
    return y;
  }

  /// Keys in groups of 16, one in each lane; lanes behind the last row count nothing.
  Matrix attend(const Matrix &q, const Matrix &k, const Matrix &v) {
    static_assert(ucmoh::network::headWidth == laneCount, "values of a head fill one vector");
    int groups = (k.rows + laneCount - 1) / laneCount;
    Matrix y = allocate(q.rows, laneCount), scores = allocate(1, groups * laneCount);
    Matrix keys = allocate(groups * laneCount, laneCount); // the keys of each group, transposed
    __builtin_memset(keys.data, 0, 4 * keys.rows * keys.stride);
    for (int j = 0; j < k.rows; ++j)
      for (int d = 0; d < laneCount; ++d)
        keys.row(j / laneCount * laneCount + d)[j % laneCount] = k.row(j)[d];
    for (int i = 0; i < q.rows; ++i)
      store(y.row(i), attendOne(q.row(i), keys, v, scores.data));
    return y;
  }

  static Lanes attendOne(const float *query, const Matrix &keys, const Matrix &v, float *scores) {
    float highest = -1e30f;
    for (int group = 0; group < keys.rows; group += laneCount) {
      Lanes sum{};
      for (int d = 0; d < laneCount; ++d)
        sum = fma(splat(query[d]), load(keys.row(group + d)), sum);
      sum = isRow(group, v.rows) ? sum * 0.25f : splat(-1e30f); // 1 / sqrt(headWidth)
      highest = __builtin_fmaxf(highest, fold(sum, [](float a, float b) { return a > b ? a : b; }));
      store(scores + group, sum);
    }
    float total = 0;
    for (int group = 0; group < keys.rows; group += laneCount) {
      Lanes power = isRow(group, v.rows) ? exp(load(scores + group) - highest) : Lanes{};
      total += fold(power, [](float a, float b) { return a + b; });
      store(scores + group, power);
    }
    Lanes sum{};
    for (int j = 0; j < v.rows; ++j)
      sum = fma(splat(scores[j] / total), load(v.row(j)), sum);
    return sum;
  }

  static IntLanes isRow(int from, int rows) {
    IntLanes number = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return number + from < rows;
  }

  Matrix sumRows(const Matrix &x) {
    Matrix y = allocate(1, x.columns);
    for (int at = 0; at < x.columns; at += laneCount) {
      Lanes sum{};
      for (int i = 0; i < x.rows; ++i)
        sum += load(x.row(i) + at);
      store(y.data + at, sum);
    }
    return y;
  }
};

} // namespace

namespace ucmoh {
float UCMOH_RUN_NETWORK(const float *inputs, int rows, int width, const float *weights,
                        float *scratch) {
  VectorBackend backend{weights, scratch};
  Matrix x{rows, width, width, const_cast<float *>(inputs)}; // only read
  return network::forward(backend, x, width).data[0];
}
} // namespace ucmoh
