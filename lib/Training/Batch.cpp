//===- Batch.cpp - Programs of several lists as tensors
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/Batch.h"
#include "ucmoh/CostModel/NetworkParameters.h"
#include "ucmoh/Training/Programs.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

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
  network.used = torch::ones(width);
  llvm::SmallVector<float, 0> inputs;
  for (int64_t program = 0; program < data.programs(); ++program) {
    inputs.clear();
    network.roofline.push_back(networkInputs(programFeatures(data, program), inputs));
    network.target.push_back(static_cast<float>(std::log2(data.seconds[program] * 1e9)));
    std::copy(inputs.begin(), inputs.end(),
              network.inputs.data_ptr<float>() + data.offsets[program] * width);
  }
  network.inputs.log1p_().mul_(1 / std::log(2.0));
  return network;
}

llvm::Error NetworkData::ablate(llvm::ArrayRef<std::string> names) {
  std::vector<FeatureGroup> groups = networkInputGroups();
  for (const std::string &name : names) {
    auto found =
        llvm::find_if(groups, [&](const FeatureGroup &group) { return group.name == name; });
    if (found == groups.end())
      return llvm::createStringError("there is no group of features '" + name +
                                     "'; ucmoh-train fit --help lists them");
    inputs.narrow(1, found->first, found->count).zero_();
    used.narrow(0, found->first, found->count).zero_();
  }
  return llvm::Error::success();
}

/// The batch's programs, those of as many statements together.
static void sortPrograms(const Dataset &data, llvm::ArrayRef<ProgramList> lists, Batch &batch) {
  for (const ProgramList &list : lists)
    llvm::append_range(batch.programs, list.programs);
  llvm::stable_sort(batch.programs,
                    [&](int64_t a, int64_t b) { return data.rowCount(a) < data.rowCount(b); });
  for (int64_t program : batch.programs) {
    if (batch.blocks.empty() || batch.blocks.back().statements != data.rowCount(program))
      batch.blocks.push_back({0, data.rowCount(program)});
    ++batch.blocks.back().programs;
  }
}

static void padLists(llvm::ArrayRef<ProgramList> lists, Batch &batch) {
  llvm::DenseMap<int64_t, int64_t> positions;
  for (auto [position, program] : llvm::enumerate(batch.programs))
    positions[program] = position;
  size_t width = 0;
  for (const ProgramList &list : lists)
    width = std::max(width, list.programs.size());
  int64_t sizes[] = {static_cast<int64_t>(lists.size()), static_cast<int64_t>(width)};
  batch.programOf = torch::zeros(sizes, torch::kLong);
  batch.programMask = torch::zeros(sizes);
  auto programs = batch.programOf.accessor<int64_t, 2>();
  auto mask = batch.programMask.accessor<float, 2>();
  for (auto [number, list] : llvm::enumerate(lists))
    for (auto [place, program] : llvm::enumerate(list.programs)) {
      programs[number][place] = positions[program];
      mask[number][place] = 1;
    }
}

Batch ucmoh::makeBatch(const Dataset &data, const NetworkData &network,
                       llvm::ArrayRef<ProgramList> lists) {
  Batch batch;
  sortPrograms(data, lists, batch);
  padLists(lists, batch);
  std::vector<int64_t> rows;
  std::vector<float> roofline, target;
  for (int64_t program : batch.programs) {
    for (int64_t row = data.offsets[program]; row < data.offsets[program + 1]; ++row)
      rows.push_back(row);
    roofline.push_back(network.roofline[program]);
    target.push_back(network.target[program]);
  }
  batch.inputs = network.inputs.index_select(0, copy(rows));
  batch.roofline = copy(roofline);
  batch.target = copy(target);
  return batch;
}
