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
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ucmoh {

/// Says what weights were made from. The file's metadata has JSON lists under these names.
struct WeightsOrigin {
  std::vector<std::string> intrinsics; ///< "target::intrinsic"; empty in files without
  std::vector<int64_t> threads = {1};  ///< files without were made before others were measured
  std::vector<std::vector<double>> machines; ///< machineNumbers(); empty in files without

  /// From the metadata of the file. Errors: a list that is none.
  static llvm::Expected<WeightsOrigin> read(const SafetensorsFile &file);
};

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
  llvm::ArrayRef<std::string> getTrainedIntrinsics() const override { return origin.intrinsics; }
  llvm::ArrayRef<int64_t> getTrainedThreads() const override { return origin.threads; }
  /// True for weights whose file does not say on which machines they were made.
  bool knowsMachine(const FeatureRow &row) const override;
  llvm::StringRef getName() const override { return name; }
  /// The prediction before it becomes seconds: log2 of nanoseconds.
  float logNanoseconds(llvm::ArrayRef<FeatureRow> program) const;

private:
  NetworkModel(std::vector<float> weights, WeightsOrigin origin, llvm::StringRef name);
  std::vector<float> weights; ///< in the order of networkParameters()
  WeightsOrigin origin;
  std::string name;
};

/// The weights that are part of the library. Error: it was built without.
llvm::Expected<SafetensorsFile> embeddedWeights();

/// The network's output for one program: `rows` statements (at least one) of `width` inputs,
/// weights in the order of networkParameters(). `scratch` has scratchFloats(rows).
struct VectorNetwork {
  llvm::StringRef name; ///< the instruction set's
  /// Returns the network's output.
  float (*run)(const float *inputs, int rows, int width, const float *weights, float *scratch);
};

/// Returns the networks that this CPU can execute, fastest first. All of them compute the same
/// bits.
llvm::ArrayRef<VectorNetwork> vectorNetworks();

/// Floats of working memory that a program of so many rows needs.
size_t scratchFloats(int rows);

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_NETWORKMODEL_H
