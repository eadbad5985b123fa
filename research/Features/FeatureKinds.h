//===- FeatureKinds.h - Programs as published systems describe them, by name
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_FEATURES_FEATUREKINDS_H
#define UCMOH_RESEARCH_FEATURES_FEATUREKINDS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ucmoh {

class FeatureKind;

/// Features of a published system: ansor, tlp, unicomo, assignment. Null, and a message with the
/// names in `error`, for another one.
const FeatureKind *findFeatureKind(llvm::StringRef name, std::string &error);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_FEATURES_FEATUREKINDS_H
