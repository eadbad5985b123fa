//===- BlockOperations.cpp - What the network does across the rows of a program
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockOperations.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

/// The number of rows of each program.
using RowCounts = std::vector<int64_t>;

/// A matrix whose rows lie apart, as a part of wider ones.
struct Matrix {
  float *data;
  int64_t stride, width; ///< between rows, and of a row, in elements

  explicit Matrix(const torch::Tensor &tensor)
      : data(tensor.data_ptr<float>()), stride(tensor.stride(0)), width(tensor.size(1)) {
    TORCH_CHECK(tensor.stride(1) == 1 && tensor.scalar_type() == torch::kFloat);
  }
  float *row(int64_t number) const { return data + number * stride; }
};

} // namespace

static RowCounts rowCounts(llvm::ArrayRef<Batch::Block> blocks) {
  RowCounts counts;
  for (auto [programs, statements] : blocks)
    counts.insert(counts.end(), programs, statements);
  return counts;
}

static torch::Tensor withDenseRows(const torch::Tensor &tensor) {
  return tensor.stride(1) == 1 ? tensor : tensor.contiguous();
}

static float dot(const float *a, const float *b, int64_t width) {
#pragma clang fp reassociate(on)
  float sum = 0;
  for (int64_t i = 0; i < width; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// to += factor * from
static void addScaled(float *to, float factor, const float *from, int64_t width) {
  for (int64_t i = 0; i < width; ++i)
    to[i] += factor * from[i];
}

static void softmax(float *values, int64_t count) {
  float most = *std::max_element(values, values + count), sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += values[i] = std::exp(values[i] - most);
  for (int64_t i = 0; i < count; ++i)
    values[i] /= sum;
}

/// One program's rows: shares [count, count] get the softmax, attended the sums.
static void attendProgram(Matrix query, Matrix key, Matrix value, int64_t first, int64_t count,
                          float *shares, Matrix attended) {
  float scale = 1 / std::sqrt(static_cast<float>(query.width));
  for (int64_t i = 0; i < count; ++i, shares += count) {
    for (int64_t j = 0; j < count; ++j)
      shares[j] = scale * dot(query.row(first + i), key.row(first + j), query.width);
    softmax(shares, count);
    for (int64_t j = 0; j < count; ++j)
      addScaled(attended.row(first + i), shares[j], value.row(first + j), value.width);
  }
}

/// Adds to the gradients of query, key and value what those of one program's sums make of them.
static void differentiateProgram(Matrix query, Matrix key, Matrix value, int64_t first,
                                 int64_t count, const float *shares, Matrix ofAttended,
                                 Matrix ofQuery, Matrix ofKey, Matrix ofValue) {
  float scale = 1 / std::sqrt(static_cast<float>(query.width));
  llvm::SmallVector<float, 64> ofShares(count);
  for (int64_t i = 0; i < count; ++i, shares += count) {
    const float *gradient = ofAttended.row(first + i);
    float mean = 0;
    for (int64_t j = 0; j < count; ++j) {
      ofShares[j] = dot(gradient, value.row(first + j), value.width);
      mean += shares[j] * ofShares[j];
      addScaled(ofValue.row(first + j), shares[j], gradient, value.width);
    }
    for (int64_t j = 0; j < count; ++j) {
      float ofScore = scale * shares[j] * (ofShares[j] - mean);
      addScaled(ofQuery.row(first + i), ofScore, key.row(first + j), query.width);
      addScaled(ofKey.row(first + j), ofScore, query.row(first + i), query.width);
    }
  }
}

namespace {

struct AttendRows : torch::autograd::Function<AttendRows> {
  static torch::Tensor forward(AutogradContext *context, const torch::Tensor &query,
                               const torch::Tensor &key, const torch::Tensor &value,
                               const RowCounts &counts) {
    int64_t pairs = 0, row = 0;
    for (int64_t count : counts)
      pairs += count * count;
    torch::Tensor shares = torch::empty(pairs), attended = torch::zeros(value.sizes());
    Matrix q(query), k(key), v(value), to(attended);
    float *next = shares.data_ptr<float>();
    for (int64_t count : counts) {
      attendProgram(q, k, v, row, count, next, to);
      row += count;
      next += count * count;
    }
    context->save_for_backward({query, key, value, shares});
    context->saved_data["counts"] = counts;
    return attended;
  }

  static variable_list backward(AutogradContext *context, variable_list gradients) {
    variable_list saved = context->get_saved_variables(), found;
    for (const torch::Tensor &input : llvm::ArrayRef(saved).drop_back())
      found.push_back(torch::zeros(input.sizes()));
    torch::Tensor dense = withDenseRows(gradients[0]);
    Matrix q(saved[0]), k(saved[1]), v(saved[2]), gradient(dense);
    Matrix ofQuery(found[0]), ofKey(found[1]), ofValue(found[2]);
    const float *shares = saved[3].data_ptr<float>();
    int64_t row = 0;
    for (int64_t count : context->saved_data["counts"].toIntVector()) {
      differentiateProgram(q, k, v, row, count, shares, gradient, ofQuery, ofKey, ofValue);
      row += count;
      shares += count * count;
    }
    found.emplace_back(); // the counts have none
    return found;
  }
};

struct SumRows : torch::autograd::Function<SumRows> {
  static torch::Tensor forward(AutogradContext *context, const torch::Tensor &rows,
                               const RowCounts &counts) {
    int64_t programs = counts.size(), row = 0;
    torch::Tensor sums = torch::zeros({programs, rows.size(1)});
    Matrix from(rows), to(sums);
    for (auto [program, count] : llvm::enumerate(counts))
      for (int64_t end = row + count; row < end; ++row)
        addScaled(to.row(program), 1, from.row(row), from.width);
    context->saved_data["counts"] = counts;
    return sums;
  }

  static variable_list backward(AutogradContext *context, variable_list gradients) {
    RowCounts counts = context->saved_data["counts"].toIntVector();
    return {gradients[0].repeat_interleave(torch::tensor(counts), 0), {}};
  }
};

} // namespace

torch::Tensor ucmoh::attendRows(const torch::Tensor &query, const torch::Tensor &key,
                                const torch::Tensor &value, llvm::ArrayRef<Batch::Block> blocks) {
  return AttendRows::apply(withDenseRows(query), withDenseRows(key), withDenseRows(value),
                           rowCounts(blocks));
}

torch::Tensor ucmoh::sumRows(const torch::Tensor &rows, llvm::ArrayRef<Batch::Block> blocks) {
  return SumRows::apply(withDenseRows(rows), rowCounts(blocks));
}
