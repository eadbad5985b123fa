//===- Task.cpp - One benchmark task: shape, types, data, reference -------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Task.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

using namespace bench;

unsigned bench::bytesOf(Type type) {
  return type == Type::U8 || type == Type::S8 ? 1 : type == Type::BF16 ? 2 : 4;
}

Buffer::Buffer(size_t wanted) : size((wanted + 4095) / 4096 * 4096) {
  size = std::max<size_t>(size, 4096);
  bytes.reset(static_cast<char *>(std::aligned_alloc(4096, size)));
  std::memset(data(), 0, size);
}

int64_t bench::product(const Sizes &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
}

static Sizes concat(std::initializer_list<Sizes> parts) {
  Sizes result;
  for (const Sizes &part : parts)
    result.insert(result.end(), part.begin(), part.end());
  return result;
}

static Sizes batchDim(const Task &task) { return task.isBatched() ? Sizes{task.batch} : Sizes{}; }

Sizes Task::lhsShape() const { return concat({batchDim(*this), {images}, in, {channels}}); }
Sizes Task::rhsShape() const {
  return concat(
      {batchDim(*this), kernel, isDepthwise ? Sizes{channels} : Sizes{channels, filters}});
}
Sizes Task::resultShape() const { return concat({batchDim(*this), {images}, out, {filters}}); }

int64_t Task::flops() const {
  return 2 * product(resultShape()) * product(kernel) * (isDepthwise ? 1 : channels);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static bool setTypes(Task &task, llvm::StringRef types) {
  if (types == "u8s8s32" || types == "s8s8s32") {
    task.lhs = types == "u8s8s32" ? Type::U8 : Type::S8;
    task.rhs = Type::S8;
    task.result = Type::S32;
    return true;
  }
  task.lhs = task.rhs = types == "bf16" ? Type::BF16 : Type::F32;
  task.result = Type::F32;
  return types == "bf16" || types == "f32";
}

llvm::Expected<Task> bench::parseTask(llvm::StringRef json, llvm::StringRef types) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value)
    return value.takeError();
  Task task;
  llvm::json::Path::Root root("task");
  llvm::json::ObjectMapper map(*value, root);
  if (!map || !map.map("name", task.name) || !map.map("batch", task.batch) ||
      !map.map("images", task.images) || !map.map("channels", task.channels) ||
      !map.map("filters", task.filters) || !map.map("in", task.in) ||
      !map.map("kernel", task.kernel) || !map.map("stride", task.stride) ||
      !map.map("pad", task.pad) || !map.map("dilation", task.dilation) ||
      !map.map("out", task.out) || !map.mapOptional("depthwise", task.isDepthwise))
    return root.getError();
  if (!setTypes(task, types))
    return llvm::createStringError("types must be u8s8s32, s8s8s32, f32 or bf16, not '" + types +
                                   "'");
  return task;
}

//===----------------------------------------------------------------------===//
// Data and reference
//===----------------------------------------------------------------------===//

static uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits >> 16;
}

static double at(const char *data, Type type, int64_t index) {
  switch (type) {
  case Type::U8:
    return reinterpret_cast<const uint8_t *>(data)[index];
  case Type::S8:
    return reinterpret_cast<const int8_t *>(data)[index];
  case Type::S32:
    return reinterpret_cast<const int32_t *>(data)[index];
  case Type::F32:
    return reinterpret_cast<const float *>(data)[index];
  case Type::BF16:
    uint32_t bits = uint32_t(reinterpret_cast<const uint16_t *>(data)[index]) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  llvm_unreachable("all types are handled");
}

void bench::fill(Buffer &buffer, Type type, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> unit(-1, 1);
  for (size_t offset = 0; offset < buffer.size; offset += bytesOf(type)) {
    char *element = buffer.data() + offset;
    if (type == Type::F32)
      *reinterpret_cast<float *>(element) = unit(random);
    else if (type == Type::BF16)
      *reinterpret_cast<uint16_t *>(element) = toBF16(unit(random));
    else
      *element = static_cast<char>(random());
  }
}

/// Row-major indices of position `linear` in `shape`.
static Sizes unravel(int64_t linear, const Sizes &shape) {
  Sizes index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; linear /= shape[dim])
    index[dim] = linear % shape[dim];
  return index;
}

/// One result and the sum of the magnitudes of its products.
static std::pair<double, double> reference(const Task &task, const char *lhs, const char *rhs,
                                           const Sizes &result) {
  size_t spatial = task.in.size(), lead = task.isBatched() ? 2 : 1;
  int64_t batch = task.isBatched() ? result[0] : 0, taps = product(task.kernel);
  double sum = 0, magnitude = 0;
  for (int64_t tap = 0; tap < taps; ++tap) {
    Sizes offset = unravel(tap, task.kernel);
    int64_t pixel = batch * task.images + result[lead - 1];
    bool inside = true;
    for (size_t dim = 0; dim < spatial; ++dim) {
      int64_t position =
          result[lead + dim] * task.stride[dim] + offset[dim] * task.dilation[dim] - task.pad[dim];
      inside &= position >= 0 && position < task.in[dim];
      pixel = pixel * task.in[dim] + position;
    }
    int64_t first = task.isDepthwise ? result.back() : 0;
    int64_t end = task.isDepthwise ? first + 1 : task.channels;
    for (int64_t channel = first; inside && channel < end; ++channel) {
      int64_t row = (batch * taps + tap) * task.channels + channel;
      int64_t weight = task.isDepthwise ? row : row * task.filters + result.back();
      double value = at(lhs, task.lhs, pixel * task.channels + channel) * at(rhs, task.rhs, weight);
      sum += value;
      magnitude += std::abs(value);
    }
  }
  return {sum, magnitude};
}

double bench::maxError(const Task &task, const char *lhs, const char *rhs, const char *result,
                       int64_t positions) {
  Sizes shape = task.resultShape();
  int64_t total = product(shape), count = std::min(total, positions);
  double worst = 0;
  for (int64_t i = 0; i < count; ++i) {
    // A large odd stride visits all regions; the first and the last result are always among them.
    int64_t linear = i + 1 == count ? total - 1 : (i * 2654435761) % total;
    auto [expected, magnitude] = reference(task, lhs, rhs, unravel(linear, shape));
    double error = std::abs(at(result, task.result, linear) - expected);
    // Not a number compares false, so it must be caught by the negation.
    if (!(error <= worst * magnitude))
      worst = magnitude == 0 || std::isnan(error) ? INFINITY : error / magnitude;
  }
  return worst;
}
