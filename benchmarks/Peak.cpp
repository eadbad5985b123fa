//===- Peak.cpp - What the core's dot-product units can do ----------------===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peak.h"
#include <algorithm>

using namespace bench;

static constexpr int kIterations = 100000, kStreams = 12;

// Assembly, because a compiler would fold or reorder intrinsics. 12 independent accumulators cover
// the latency.
#define TWELVE(INSTRUCTION)                                                                        \
  asm volatile(                                                                                    \
      INSTRUCTION                                                                                  \
      " %%zmm30, %%zmm31, %%zmm0\n\t" INSTRUCTION " %%zmm30, %%zmm31, %%zmm1\n\t" INSTRUCTION      \
      " %%zmm30, %%zmm31, %%zmm2\n\t" INSTRUCTION " %%zmm30, %%zmm31, %%zmm3\n\t" INSTRUCTION      \
      " %%zmm30, %%zmm31, %%zmm4\n\t" INSTRUCTION " %%zmm30, %%zmm31, %%zmm5\n\t" INSTRUCTION      \
      " %%zmm30, %%zmm31, %%zmm6\n\t" INSTRUCTION " %%zmm30, %%zmm31, %%zmm7\n\t" INSTRUCTION      \
      " %%zmm30, %%zmm31, %%zmm8\n\t" INSTRUCTION " %%zmm30, %%zmm31, %%zmm9\n\t" INSTRUCTION      \
      " %%zmm30, %%zmm31, %%zmm10\n\t" INSTRUCTION " %%zmm30, %%zmm31, %%zmm11" ::                 \
          : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",        \
            "xmm10", "xmm11", "xmm30", "xmm31")

#define STREAM(NAME, INSTRUCTION)                                                                  \
  __attribute__((target("avx512f"))) static void NAME() {                                          \
    asm volatile("vpxord %%zmm30, %%zmm30, %%zmm30\n\tvpxord %%zmm31, %%zmm31, %%zmm31" ::         \
                     : "xmm30", "xmm31");                                                          \
    for (int i = 0; i < kIterations; ++i)                                                          \
      TWELVE(INSTRUCTION);                                                                         \
  }

#ifdef __AVX512F__
STREAM(streamVNNI, "vpdpbusd")
STREAM(streamFMA, "vfmadd231ps")
STREAM(streamBF16, "vdpbf16ps")

static double operationsPerSecond(void (*stream)(), int operationsPerInstruction,
                                  ucmoh::Sentinel &sentinel) {
  Implementation implementation{"", "", stream, nullptr};
  std::vector<Implementation> one{implementation};
  timeInterleaved(one, sentinel, 15, 1e-3);
  if (one[0].seconds.empty())
    return 0;
  double best = *std::min_element(one[0].seconds.begin(), one[0].seconds.end());
  return double(kIterations) * kStreams * operationsPerInstruction / best;
}

llvm::json::Object bench::measurePeaks(ucmoh::Sentinel &sentinel) {
  llvm::json::Object peaks{{"f32", operationsPerSecond(streamFMA, 32, sentinel)}};
  if (__builtin_cpu_supports("avx512vnni"))
    peaks["u8s8s32"] = operationsPerSecond(streamVNNI, 128, sentinel);
  if (__builtin_cpu_supports("avx512bf16"))
    peaks["bf16"] = operationsPerSecond(streamBF16, 64, sentinel);
  return peaks;
}
#else
llvm::json::Object bench::measurePeaks(ucmoh::Sentinel &) { return {}; }
#endif
