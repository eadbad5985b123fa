//===- TaskClasses.cpp - The class of the task as features
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "llvm/Support/xxhash.h"

using namespace ucmoh;

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
