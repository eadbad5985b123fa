//===- RowNetwork.cpp - Networks that read rows of features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowNetwork.h"
#include "ucmoh/CostModel/Safetensors.h"
#include "ucmoh/Training/TorchNetwork.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace ucmoh;

template <class T> static torch::Tensor toTensor(llvm::ArrayRef<T> values) {
  return torch::tensor(at::ArrayRef<T>(values.data(), values.size()));
}

RowInputs::RowInputs(const Dataset &data)
    : data(data), rows(torch::from_blob(const_cast<float *>(data.rows.data()),
                                        {data.offsets.back(), data.width})),
      head(data.programs()), base(data.programs()) {}

RowBatch RowInputs::batch(llvm::ArrayRef<int64_t> programs) const {
  std::vector<int64_t> chosen, program, heads;
  std::vector<float> bases;
  for (int64_t number : programs) {
    for (int64_t row = data.offsets[number]; row < data.offsets[number + 1]; ++row) {
      chosen.push_back(row);
      program.push_back(heads.size());
    }
    heads.push_back(head[number]);
    bases.push_back(base[number]);
  }
  return {rows.index_select(0, toTensor<int64_t>(chosen)), toTensor<int64_t>(program),
          toTensor<int64_t>(heads), toTensor<float>(bases), static_cast<int64_t>(programs.size())};
}

torch::Tensor ucmoh::largestOf(const torch::Tensor &rows) {
  auto largest = std::get<0>(rows.abs().max(0));
  return torch::where(largest > 0, largest, torch::ones_like(largest));
}

/// Parameters and buffers by name.
static std::vector<std::pair<std::string, torch::Tensor>> tensorsOf(const RowNetwork &network) {
  std::vector<std::pair<std::string, torch::Tensor>> tensors;
  for (auto &entry : network.named_parameters())
    tensors.push_back({entry.key(), entry.value()});
  for (auto &entry : network.named_buffers())
    tensors.push_back({entry.key(), entry.value()});
  return tensors;
}

llvm::Error ucmoh::saveNetwork(const RowNetwork &network, const Dataset &data,
                               const BaselineOptions &options, int64_t epochs) {
  std::vector<torch::Tensor> kept;
  NamedTensors views;
  for (auto &[name, tensor] : tensorsOf(network)) {
    torch::Tensor values = kept.emplace_back(tensor.detach().contiguous());
    llvm::ArrayRef<float> elements(values.data_ptr<float>(), values.numel());
    views.push_back({name, TensorView::of<float>(
                               elements, llvm::ArrayRef(values.sizes().data(), values.dim()))});
  }
  return writeSafetensors(options.output, views,
                          {{"schema", data.schema},
                           {"data_hash", data.dataHash},
                           {"seed", std::to_string(options.seed)},
                           {"epochs", std::to_string(epochs)},
                           {"rank_tasks", options.ranksTasks ? "1" : ""},
                           {"repair", llvm::join(options.repair, ",")}});
}

static llvm::Error load(RowNetwork &network, llvm::StringRef path) {
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::read(path);
  if (!file)
    return file.takeError();
  torch::NoGradGuard noGradients;
  for (auto &[name, tensor] : tensorsOf(network)) {
    llvm::Expected<std::vector<float>> values = file->get<float>(name, tensor.dim());
    if (!values)
      return values.takeError();
    if (file->lookup(name)->shape != llvm::ArrayRef(tensor.sizes().data(), tensor.dim()))
      return llvm::createStringError(path + ": '" + name +
                                     "' has another shape; these are weights of another model");
    torch::Tensor(tensor).copy_(torch::from_blob(values->data(), tensor.sizes()));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<float>> ucmoh::scoreNetwork(RowNetwork &network, const RowInputs &inputs,
                                                       llvm::StringRef weights) {
  if (llvm::Error error = load(network, weights))
    return std::move(error);
  prepareTorch(/*threads=*/1);
  torch::InferenceMode noGradients;
  std::vector<int64_t> programs(inputs.data.programs());
  std::iota(programs.begin(), programs.end(), 0);
  std::vector<float> scores;
  for (llvm::ArrayRef<int64_t> left = programs; !left.empty();) {
    size_t size = std::min<size_t>(left.size(), 256);
    RowBatch batch = inputs.batch(left.take_front(size));
    torch::Tensor predicted = -(network.predict(batch) + batch.base).contiguous();
    scores.insert(scores.end(), predicted.data_ptr<float>(), predicted.data_ptr<float>() + size);
    left = left.drop_front(size);
  }
  return scores;
}
