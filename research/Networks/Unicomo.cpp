//===- Unicomo.cpp - UniCoMo: TLP's network over behaviours
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As published, and with any of its departures from what would be expected repaired. Weights name
/// their repairs, so that they score as they were trained.
///
//===----------------------------------------------------------------------===//

#include "SequenceNetwork.h"
#include "ucmoh/CostModel/Safetensors.h"
#include "llvm/ADT/STLExtras.h"

using namespace ucmoh;

static constexpr UnicomoRepair repairs[] = {
    {"mask", "padding is not attended to and not summed"},
    {"log", "extents of loops and strides are logarithms, as all other sizes are"},
    {"implementation", "the intrinsic's latency and throughput on the machine are in its row"},
    {"roofline",
     "a correction of the roofline is learned: of log2(seconds), less its task's best"}};

llvm::ArrayRef<UnicomoRepair> ucmoh::unicomoRepairs() { return repairs; }

/// UniCoMo has the first `published` numbers of a row, and the rest is the implementation's. The
/// others say where the intrinsic's own loops are in the third vector of a behaviour.
static constexpr int64_t published = 179, isIntrinsic = 5, firstLoop = 24, loopNumbers = 15;

/// All numbers of loop nests and index expressions, and the intrinsic's own loops: flags stay as
/// they are, and ids small.
static torch::Tensor logSizes(const torch::Tensor &rows) {
  auto logs = (rows.sign() * rows.abs().log1p() / std::log(2.0)).view({-1, 3, rows.size(1)});
  auto result = rows.clone().view(logs.sizes());
  result.narrow(1, 0, 2).copy_(logs.narrow(1, 0, 2));
  auto hasLoops = result.select(1, 2).narrow(1, isIntrinsic, 1) != 0;
  auto loops = result.select(1, 2).narrow(1, firstLoop, loopNumbers);
  loops.copy_(torch::where(hasLoops, logs.select(1, 2).narrow(1, firstLoop, loopNumbers), loops));
  return result.view(rows.sizes());
}

namespace {

class UnicomoNetwork : public SequenceNetwork {
public:
  UnicomoNetwork(int64_t width, bool hasMask, bool hasLogs)
      : SequenceNetwork(width, /*decoders=*/1, hasMask), hasLogs(hasLogs) {}
  torch::Tensor predict(const RowBatch &batch) override {
    RowBatch own = batch;
    if (hasLogs)
      own.rows = logSizes(batch.rows);
    return SequenceNetwork::predict(own);
  }

private:
  bool hasLogs;
};

} // namespace

/// As scores: minus log2 of how much slower the roofline thinks each program is than the best that
/// its task has on the machine.
static std::vector<float> rooflineOf(const Dataset &data) {
  std::map<std::pair<int32_t, int32_t>, float> best;
  auto bestOf = [&](int64_t program) -> float & {
    return best.try_emplace({data.task[program], data.machine[program]}, INFINITY).first->second;
  };
  for (auto [program, seconds] : llvm::enumerate(data.analytic))
    bestOf(program) = std::min(bestOf(program), seconds);
  std::vector<float> base;
  for (auto [program, seconds] : llvm::enumerate(data.analytic))
    base.push_back(std::log2(bestOf(program) / seconds));
  return base;
}

static RowInputs inputsOf(const Dataset &data, llvm::ArrayRef<std::string> repair) {
  RowInputs inputs(data);
  if (!llvm::is_contained(repair, "implementation"))
    inputs.rows = inputs.rows.narrow(1, 0, published);
  if (llvm::is_contained(repair, "roofline"))
    inputs.base = rooflineOf(data);
  return inputs;
}

llvm::Error ucmoh::fitUnicomo(const Dataset &data, const BaselineOptions &options) {
  return fitNew<UnicomoNetwork>(inputsOf(data, options.repair), RowSettings(), options,
                                llvm::is_contained(options.repair, "mask"),
                                llvm::is_contained(options.repair, "log"));
}

llvm::Expected<std::vector<float>> ucmoh::scoreUnicomo(llvm::StringRef weights,
                                                       const Dataset &data) {
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::read(weights);
  if (!file)
    return file.takeError();
  llvm::SmallVector<llvm::StringRef> names;
  file->metadata("repair").split(names, ',');
  std::vector<std::string> repair(names.begin(), names.end());
  return scoreNew<UnicomoNetwork>(inputsOf(data, repair), weights,
                                  llvm::is_contained(repair, "mask"),
                                  llvm::is_contained(repair, "log"));
}
