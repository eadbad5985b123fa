//===- Batch.cpp - Programs of several lists as tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Batch.h"
#include "ucmoh/CostModel/NetworkParameters.h"
#include "ucmoh/Training/Programs.h"

using namespace ucmoh;

template <class T> static torch::Tensor copy(const std::vector<T> &values) {
  return torch::tensor(at::ArrayRef<T>(values));
}

llvm::Expected<NetworkData> NetworkData::create(const Dataset &data) {
  if (llvm::Error error = checkSchema(data))
    return std::move(error);
  NetworkData network;
  int64_t rows = data.offsets.back(), width = networkInputCount;
  network.inputs = torch::empty({rows, width});
  llvm::SmallVector<float, 0> inputs;
  for (int64_t program = 0; program < data.programs(); ++program) {
    inputs.clear();
    network.roofline.push_back(networkInputs(programFeatures(data, program), inputs));
    network.target.push_back(static_cast<float>(std::log2(data.seconds[program] * 1e9)));
    std::copy(inputs.begin(), inputs.end(),
              network.inputs.data_ptr<float>() + data.offsets[program] * width);
  }
  return network;
}

namespace {

/// Groups of consecutive numbers as a padded table: [groups, size of the largest].
struct PaddedTable {
  explicit PaddedTable(llvm::ArrayRef<int64_t> sizes)
      : width(*std::max_element(sizes.begin(), sizes.end())),
        number(torch::zeros({static_cast<int64_t>(sizes.size()), width}, torch::kLong)),
        mask(torch::zeros({static_cast<int64_t>(sizes.size()), width})) {
    auto numbers = number.accessor<int64_t, 2>();
    auto masks = mask.accessor<float, 2>();
    for (size_t group = 0; group < sizes.size(); ++group)
      for (int64_t i = 0; i < sizes[group]; ++i) {
        numbers[group][i] = places.size();
        masks[group][i] = 1;
        places.push_back(group * width + i);
      }
  }
  int64_t width;
  torch::Tensor number, mask;
  std::vector<int64_t> places; ///< where each number stands in the table
};

} // namespace

Batch ucmoh::makeBatch(const Dataset &data, const NetworkData &network,
                       llvm::ArrayRef<ProgramList> lists) {
  std::vector<int64_t> rows, rowCounts, programCounts;
  std::vector<float> roofline, target;
  for (const ProgramList &list : lists) {
    programCounts.push_back(list.programs.size());
    for (int64_t program : list.programs) {
      rowCounts.push_back(data.offsets[program + 1] - data.offsets[program]);
      for (int64_t row = data.offsets[program]; row < data.offsets[program + 1]; ++row)
        rows.push_back(row);
      roofline.push_back(network.roofline[program]);
      target.push_back(network.target[program]);
    }
  }
  PaddedTable byProgram(rowCounts), byList(programCounts);
  return {network.inputs.index_select(0, copy(rows)),
          byProgram.number,
          byProgram.mask,
          copy(byProgram.places),
          copy(roofline),
          copy(target),
          byList.number,
          byList.mask};
}
