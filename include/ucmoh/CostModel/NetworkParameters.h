//===- NetworkParameters.h - The weights of the network
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_COSTMODEL_NETWORKPARAMETERS_H
#define UCMOH_COSTMODEL_NETWORKPARAMETERS_H

#include "ucmoh/CostModel/Features.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace ucmoh {

/// The network reads so many numbers of a statement: its features, the roofline's nanoseconds for
/// it, and its share of the program's in 1/1024.
constexpr unsigned networkInputCount = featureCount + 2;

/// The groups of the inputs: those of the features, and "roofline" of the two others.
std::vector<FeatureGroup> networkInputGroups();

/// One tensor of weights.
struct NetworkParameter {
  std::string name;                    ///< in files of weights
  llvm::SmallVector<int64_t, 2> shape; ///< row-major
  int64_t offset, size;                ///< in floats, of all weights one behind the other
};

/// In the order in which the network uses them and files have them.
std::vector<NetworkParameter> networkParameters();

/// Floats of all parameters together.
int64_t networkSize();

/// Hash of the features, the inputs made of them, the parameters and the wiring: what weights are
/// made for, e.g. "1-0f3a99c24d1be071".
std::string networkSchema();

/// Appends what the network reads of a program to `inputs`: networkInputCount numbers for each
/// statement, none negative. Returns the log2 of the roofline's nanoseconds, to which the network's
/// output is added; the sum is its prediction.
float networkInputs(llvm::ArrayRef<FeatureRow> program, llvm::SmallVectorImpl<float> &inputs);

} // namespace ucmoh

#endif // UCMOH_COSTMODEL_NETWORKPARAMETERS_H
