//===- Description.cpp - What a compiled function says of itself
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

static json::Array describe(ArrayRef<Parameter> parameters) {
  json::Array rows;
  for (const Parameter &parameter : parameters) {
    std::string type;
    llvm::raw_string_ostream(type) << parameter.elementType;
    json::Array shape; // an open extent as the name of its number
    for (auto [dim, extent] : llvm::enumerate(parameter.shape))
      shape.push_back(ShapedType::isDynamic(extent)
                          ? json::Value(llvm::formatv("e{0}", parameter.extents[dim]).str())
                          : json::Value(extent));
    json::Object row{{"type", type}, {"shape", std::move(shape)}};
    if (parameter.argument)
      row["argument"] = *parameter.argument;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Of open extents: the least and the most that is promised.
static json::Array describe(ArrayRef<ExtentRange> ranges) {
  json::Array rows;
  for (const ExtentRange &range : ranges)
    rows.push_back(json::Array{range.least, range.most});
  return rows;
}

/// Of open extents that are sums of others, by name: "e0 + 1".
static json::Object describe(ArrayRef<std::optional<ExtentSum>> sums) {
  json::Object texts;
  for (auto [number, sum] : llvm::enumerate(sums)) {
    if (!sum)
      continue;
    std::string text;
    for (int64_t term : sum->terms)
      text += llvm::formatv("e{0} + ", term);
    texts[llvm::formatv("e{0}", number).str()] = text + std::to_string(sum->plus);
  }
  return texts;
}

static json::Array describe(ArrayRef<OpInfo> ops) {
  json::Array rows;
  for (auto [index, op] : llvm::enumerate(ops)) {
    bool isChosen = !op.choice.empty();
    rows.push_back(
        json::Object{{"op", static_cast<int64_t>(index)},
                     {"workload", op.workload},
                     {"choice", isChosen ? json::Value(op.choice) : nullptr},
                     {"predicted_seconds", isChosen ? json::Value(op.predictedSeconds) : nullptr}});
  }
  return rows;
}

std::string ucmoh::describe(const CInterface &interface, const LibraryTarget &target) {
  const LoweredFunction &function = *interface.function;
  json::Object description{{"function", function.original.name},
                           {"target", target.name},
                           {"machine", target.machine},
                           {"cpu_features", json::Array(target.features)},
                           {"threads", target.threads},
                           {"inputs", ::describe(interface.inputs)},
                           {"weights", ::describe(interface.weights)},
                           {"outputs", ::describe(function.original.results)},
                           {"extents", ::describe(interface.extents())},
                           {"sums", ::describe(function.original.sums)},
                           {"packed_bytes", interface.block.bytes},
                           {"ops", ::describe(function.ops)}};
  return llvm::formatv("{0}", json::Value(std::move(description))).str();
}
