//===- Task.h - One benchmark task: shape, types, data, reference ---------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A convolution over any number of spatial dimensions in channels-last layout:
///   lhs[batch][images][in...][channels], rhs[batch][kernel...][channels][filters],
///   result[batch][images][out...][filters].
/// A matmul is one without spatial dimensions: M images, K channels, N filters. A depthwise
/// convolution has as many filters as channels, each of one channel: rhs[kernel...][channels].
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_BENCHMARKS_TASK_H
#define UCMOH_BENCHMARKS_TASK_H

#include "llvm/Support/JSON.h"
#include <memory>
#include <string>
#include <vector>

namespace bench {

enum class Type { U8, S8, S32, BF16, F32 };
unsigned bytesOf(Type type);

/// Bytes on a 64-byte boundary, in whole pages of their own.
struct Buffer {
  explicit Buffer(size_t bytes);
  char *data() const { return bytes.get(); }
  size_t size;

private:
  struct Free {
    void operator()(char *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<char, Free> bytes;
};

using Sizes = std::vector<int64_t>;

struct Task {
  std::string name;
  int64_t batch, images, channels, filters;
  Sizes in, kernel, stride, pad, dilation, out;
  Type lhs, rhs, result;
  bool isDepthwise = false;

  bool isConvolution() const { return !in.empty(); }
  bool isBatched() const { return batch > 1; }
  Sizes lhsShape() const;
  Sizes rhsShape() const;
  Sizes resultShape() const;
  int64_t flops() const;
};

int64_t product(const Sizes &sizes);

/// Reads a line of select_tasks.py. `types` is u8s8s32, s8s8s32, f32 or bf16.
llvm::Expected<Task> parseTask(llvm::StringRef json, llvm::StringRef types);

/// Seeded data: integers over their full range, floats in [-1, 1].
void fill(Buffer &buffer, Type type, uint64_t seed);

/// The largest difference between `result` and plain loops over up to `positions` results, relative
/// to the largest possible magnitude of the sum (so 0 means exact).
double maxError(const Task &task, const char *lhs, const char *rhs, const char *result,
                int64_t positions);

} // namespace bench

#endif // UCMOH_BENCHMARKS_TASK_H
