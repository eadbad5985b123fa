//===- NetworkModel.h - The learned cost model
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_NETWORKMODEL_H
#define UCMOH_COSTMODEL_NETWORKMODEL_H

#include "ucmoh/CostModel/CostModel.h"
#include "ucmoh/CostModel/Safetensors.h"
#include "llvm/Support/Error.h"

namespace ucmoh {

/// The network of Network.h with trained weights. Scores are seconds: the roofline's, corrected.
/// The same program gets the same bits, on every CPU and in every batch.
class NetworkModel : public CostModel {
public:
  /// `name` is followed by '@' and the weights' hash in getName(). Errors: weights for another
  /// schema (both are named), missing or not finite; a list of intrinsics that is none.
  static llvm::Expected<std::unique_ptr<NetworkModel>> create(const SafetensorsFile &file,
                                                              llvm::StringRef name);
  void score(llvm::ArrayRef<ProgramFeatures> programs,
             llvm::MutableArrayRef<float> scores) const override;
  bool predictsSeconds() const override { return true; }
  llvm::ArrayRef<std::string> getTrainedIntrinsics() const override { return intrinsics; }
  llvm::ArrayRef<int64_t> getTrainedThreads() const override { return threads; }
  llvm::StringRef getName() const override { return name; }
  /// The prediction before it becomes seconds: log2 of nanoseconds.
  float logNanoseconds(llvm::ArrayRef<FeatureRow> program) const;

private:
  NetworkModel(std::vector<float> weights, std::vector<std::string> intrinsics,
               std::vector<int64_t> threads, llvm::StringRef name);
  std::vector<float> weights; ///< in the order of networkParameters()
  std::vector<std::string> intrinsics;
  std::vector<int64_t> threads;
  std::string name;
};

/// The metadata "intrinsics" of weights: a JSON list of "target::intrinsic"; empty in files
/// without.
llvm::Expected<std::vector<std::string>> readTrainedIntrinsics(const SafetensorsFile &file);

/// The metadata "threads" of weights: a JSON list of numbers of threads; [1] in files without, which
/// were made before others were measured.
llvm::Expected<std::vector<int64_t>> readTrainedThreads(const SafetensorsFile &file);

/// The weights that are part of the library. Error: it was built without.
llvm::Expected<SafetensorsFile> embeddedWeights();

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_NETWORKMODEL_H
