//===- TorchSetup.cpp - What LibTorch needs before it computes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Training/TorchSetup.h"
#include <malloc.h>
#include <torch/torch.h>

void ucmoh::prepareTorch(int64_t threads) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  torch::set_num_threads(static_cast<int>(threads));
}
