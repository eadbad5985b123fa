//===- Peak.h - What the core's dot-product units can do ------------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_BENCHMARKS_PEAK_H
#define UCMOH_BENCHMARKS_PEAK_H

#include "Timing.h"
#include "llvm/Support/JSON.h"

namespace bench {

/// Operations per second on registers of independent streams of vpdpbusd ("u8s8s32"), vfmadd
/// ("f32") and vdpbf16ps ("bf16"); what the CPU lacks is left out.
llvm::json::Object measurePeaks(ucmoh::Sentinel &sentinel);

} // namespace bench

#endif // UCMOH_BENCHMARKS_PEAK_H
