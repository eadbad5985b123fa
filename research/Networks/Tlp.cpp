//===- Tlp.cpp - TLP, and MTL-TLP with several decoders
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SequenceNetwork.h"

using namespace ucmoh;

/// MTL-TLP has a decoder for each platform. Lists are of one machine as long as only one was
/// measured: here it is one for each group of element types, which need other intrinsics.
static constexpr int64_t groups = 4;

static int64_t groupOf(llvm::StringRef types) {
  return types.starts_with("f32") ? 0 : types.contains("f16") ? 1 : types.contains("8") ? 2 : 3;
}

static RowInputs groupedInputs(const Dataset &data) {
  RowInputs inputs(data);
  for (int64_t program = 0; program < data.programs(); ++program)
    inputs.head[program] = groupOf(data.tasks[data.task[program]].types);
  return inputs;
}

llvm::Error ucmoh::fitTlp(const Dataset &data, const BaselineOptions &options) {
  return fitNew<SequenceNetwork>(RowInputs(data), RowSettings(), options);
}

llvm::Expected<std::vector<float>> ucmoh::scoreTlp(llvm::StringRef weights, const Dataset &data) {
  return scoreNew<SequenceNetwork>(RowInputs(data), weights);
}

llvm::Error ucmoh::fitMtlTlp(const Dataset &data, const BaselineOptions &options) {
  return fitNew<SequenceNetwork>(groupedInputs(data), RowSettings(), options, groups);
}

llvm::Expected<std::vector<float>> ucmoh::scoreMtlTlp(llvm::StringRef weights,
                                                      const Dataset &data) {
  return scoreNew<SequenceNetwork>(groupedInputs(data), weights, groups);
}
