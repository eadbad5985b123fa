//===- Registry.cpp - Published models by name
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "llvm/Support/xxhash.h"

using namespace ucmoh;

/// Without functions where the build lacks the library.
static constexpr Baseline baselines[] = {
    {"tenset-mlp", "ansor-1", fitTensetMlp, scoreTensetMlp},
    {"transfer-mlp", "ansor-1", fitTransferMlp, scoreTransferMlp},
#ifdef UCMOH_HAS_XGBOOST
    {"xgboost", "ansor-1", fitXgboost, scoreXgboost},
#else
    {"xgboost", "ansor-1", nullptr, nullptr},
#endif
#ifdef UCMOH_HAS_LIGHTGBM
    {"lightgbm", "ansor-1", fitLightgbm, scoreLightgbm},
#else
    {"lightgbm", "ansor-1", nullptr, nullptr},
#endif
    {"tlp", "tlp-1", fitTlp, scoreTlp},
    {"mtl-tlp", "tlp-1", fitMtlTlp, scoreMtlTlp},
    {"unicomo", "unicomo-2", fitUnicomo, scoreUnicomo},
    {"assignment", "assignment-1", fitAssignment, scoreAssignment},
};

llvm::Expected<const Baseline &> ucmoh::findBaseline(llvm::StringRef name, const Dataset &data) {
  std::string names;
  for (const Baseline &baseline : baselines) {
    names += (names.empty() ? "" : ", ") + baseline.name.str();
    if (baseline.name != name)
      continue;
    if (!baseline.fit)
      return llvm::createStringError(
          "this build lacks the library of model '" + name +
          "'; scripts/setup.sh --train installs it: run it, cmake and ninja");
    if (baseline.schema == data.schema)
      return baseline;
    llvm::StringRef kind = baseline.schema.split('-').first;
    return llvm::createStringError("model '" + name + "' wants features of schema " +
                                   baseline.schema + ", the data has " + data.schema +
                                   "; ucmoh-research featurize --features=" + kind + " makes them");
  }
  return llvm::createStringError("there is no model '" + name + "'; use " + names);
}

std::vector<float> ucmoh::trainingLabels(const Dataset &data, const BaselineOptions &options) {
  std::vector<float> labels(data.programs());
  for (const ProgramList &list : listsToLearn(data, options.split, options.without)) {
    double best = INFINITY;
    for (int64_t program : list.programs)
      best = std::min(best, data.seconds[program]);
    for (int64_t program : list.programs)
      labels[program] = static_cast<float>(best / data.seconds[program]);
  }
  return labels;
}

static constexpr int64_t classes = 10;

Dataset ucmoh::withClasses(const Dataset &data) {
  Dataset more = data;
  more.width += classes;
  more.rows.assign(data.offsets.back() * more.width, 0);
  for (int64_t program = 0; program < data.programs(); ++program) {
    const std::string &name = data.tasks[data.task[program]].workloadClass;
    int64_t column = data.width + llvm::xxh3_64bits(name) % classes;
    for (int64_t row = data.offsets[program]; row < data.offsets[program + 1]; ++row) {
      float *to = more.rows.data() + row * more.width;
      std::copy_n(data.rows.data() + row * data.width, data.width, to);
      to[column] = 1;
    }
  }
  return more;
}
