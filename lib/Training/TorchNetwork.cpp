//===- TorchNetwork.cpp - The network in LibTorch
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/TorchNetwork.h"
#include "BlockOperations.h"
#include "ucmoh/CostModel/Network.h"
#include "ucmoh/CostModel/NetworkModel.h"
#include <malloc.h>
#include <torch/torch.h>

using namespace ucmoh;

void ucmoh::prepareTorch(int64_t threads) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  torch::set_num_threads(static_cast<int>(threads));
}

namespace {

/// The backend of Network.h. Values are [R, columns], or [P, columns] behind sumRows. A batch's
/// inputs are logarithms already: they are the same in every epoch.
struct TorchBackend {
  using Value = torch::Tensor;
  const Batch &batch;
  const std::vector<torch::Tensor> weights; ///< in the order of the calls
  size_t next = 0;
  Value divided = {}; ///< the value that was divided into `parts`
  std::vector<Value> parts = {};

  Value log(const Value &x) { return x; }
  Value linear(const Value &x, const char *, int, int) {
    next += 2;
    return torch::addmm(weights[next - 1], x, weights[next - 2]);
  }
  Value relu(const Value &x) { return x.relu(); }
  Value add(const Value &x, const Value &y) { return x + y; }
  /// All parts of a value at once: the gradient of one part alone is as large as the value.
  Value columns(const Value &x, int from, int count) {
    if (!divided.is_same(x)) {
      divided = x;
      parts = x.split(count, 1);
    }
    return parts[from / count];
  }
  Value concat(const Value *parts, int count) {
    return torch::cat(torch::TensorList(parts, count), 1);
  }
  Value attend(const Value &q, const Value &k, const Value &v) {
    return attendRows(q, k, v, batch.blocks);
  }
  Value sumRows(const Value &x) { return ucmoh::sumRows(x, batch.blocks); }
};

} // namespace

static constexpr llvm::StringLiteral meanName = "normalization.mean",
                                     deviationName = "normalization.deviation";

static at::IntArrayRef sizes(const NetworkParameter &parameter) {
  return {parameter.shape.data(), parameter.shape.size()};
}

TorchNetwork::TorchNetwork(const NetworkData &data, uint64_t seed) {
  used = data.used;
  mean = data.inputs.mean(0);
  deviation = data.inputs.std(0, /*unbiased=*/false);
  torch::Tensor varies = deviation > 1e-3;
  deviation = torch::where(varies, deviation, torch::ones_like(deviation));
  auto generator = at::detail::createCPUGenerator(seed);
  for (const NetworkParameter &shape : shapes) {
    torch::Tensor weight = torch::zeros(sizes(shape));
    if (shape.shape.size() == 2)
      weight = torch::randn(sizes(shape), generator) * std::sqrt(2.0 / shape.shape[0]);
    weights.push_back(weight);
  }
  weights[0] = weights[0] * varies.unsqueeze(1);
  weights[weights.size() - 2].zero_(); // the roofline, uncorrected
  for (torch::Tensor &weight : weights)
    weight.requires_grad_();
}

torch::Tensor TorchNetwork::weight(size_t number) const {
  if (number == 0)
    return weights[0] / deviation.unsqueeze(1);
  if (number == 1)
    return weights[1] - torch::matmul(mean / deviation, weights[0]);
  return weights[number];
}

TorchNetwork TorchNetwork::withOwnLast(size_t count) const {
  TorchNetwork other = *this;
  for (torch::Tensor &weight : llvm::MutableArrayRef(other.weights).take_back(count))
    weight = weight.detach().clone().requires_grad_();
  return other;
}

torch::Tensor TorchNetwork::predict(const Batch &batch) const {
  std::vector<torch::Tensor> effective;
  for (size_t number = 0; number < weights.size(); ++number)
    effective.push_back(weight(number));
  TorchBackend backend{batch, effective};
  return batch.roofline + network::forward(backend, batch.inputs, networkInputCount).squeeze(1);
}

llvm::Error TorchNetwork::load(llvm::StringRef path) {
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::read(path);
  if (!file)
    return file.takeError();
  auto checked = NetworkModel::create(*file, path);
  if (!checked)
    return checked.takeError();
  torch::NoGradGuard noGradients;
  for (auto [shape, weight] : llvm::zip_equal(shapes, weights)) {
    std::vector<float> values = llvm::cantFail(file->get<float>(shape.name, shape.shape.size()));
    weight.copy_(torch::from_blob(values.data(), sizes(shape)));
  }
  // Those of the data that the weights come from, if the file has them: few rows may not vary.
  if (file->lookup(meanName) && file->lookup(deviationName)) {
    std::vector<float> means, deviations;
    if (llvm::Error error = file->get<float>(meanName, 1).moveInto(means))
      return error;
    if (llvm::Error error = file->get<float>(deviationName, 1).moveInto(deviations))
      return error;
    if (means.size() != networkInputCount || deviations.size() != networkInputCount)
      return llvm::createStringError(path + ": '" + meanName + "' or '" + deviationName +
                                     "' has another length than the network's inputs");
    mean.copy_(torch::tensor(means));
    deviation.copy_(torch::tensor(deviations));
  }
  weights[0].mul_(used.unsqueeze(1));
  weights[1].add_(torch::matmul(mean, weights[0]));
  weights[0].mul_(deviation.unsqueeze(1));
  return llvm::Error::success();
}

llvm::Error TorchNetwork::save(llvm::StringRef path, TensorMetadata metadata) const {
  torch::NoGradGuard noGradients;
  std::vector<torch::Tensor> effective;
  NamedTensors tensors;
  for (auto [number, shape] : llvm::enumerate(shapes)) {
    torch::Tensor values = effective.emplace_back(weight(number).contiguous());
    llvm::ArrayRef<float> elements(values.data_ptr<float>(), values.numel());
    tensors.push_back({shape.name, TensorView::of<float>(elements, shape.shape)});
  }
  for (auto &[name, values] : {std::pair(meanName, mean), std::pair(deviationName, deviation)}) {
    llvm::ArrayRef<float> elements(values.data_ptr<float>(), values.numel());
    tensors.push_back({name.str(), TensorView::of<float>(elements, {values.numel()})});
  }
  metadata["schema"] = networkSchema();
  return writeSafetensors(path, tensors, metadata);
}
