// NVIDIA H200 (SXM). Nothing here was measured by this project, and the numbers were written down from memory of the
// sources named: check them before relying on one.
// Cores, caches, registers, shared memory: NVIDIA H100 Tensor Core GPU Architecture (whitepaper); memory: NVIDIA H200 datasheet
// (4.8 TB/s). Clock: the boost clock that the whitepaper's peaks are stated at. Distances: 989 TFLOP/s of f16 make
// 4096 operations per cycle and multiprocessor by wgmma; mma.sync is taken at 0.62 of that, as published
// microbenchmarks of H100 find (Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture", 2024). Not
// measured here: latencies, bandwidth of L2 and of shared memory per multiprocessor.
ucmoh.machine @h200 cpus ["sm_90a", "sm_90"] numbers {
  clock_ghz = 1.83,
  cores = 132,
  l1_bytes = 262144,
  l2_bytes = 52428800,
  l3_bytes = 52428800,
  l1_bytes_per_cycle = 128.0,
  l2_bytes_per_cycle = 64.0,
  l3_bytes_per_cycle = 64.0,
  memory_bytes_per_second = 36.0e9,
  total_memory_bytes_per_second = 4.8e12,
  memory_latency_cycles = 700.0,
  core_shared_memory_bytes = 233472,
  core_registers = 65536,
  core_threads = 2048
} intrinsics {
  "nvidia_sm90a::wgmma_m64n64k16_f16_f32" = {latency_cycles = 64.0, throughput_cycles = 32.0},
  "nvidia_sm90a::wgmma_m64n64k16_bf16_f32" = {latency_cycles = 64.0, throughput_cycles = 32.0},
  "nvidia_sm80::mma_m16n8k16_f16_f32" = {latency_cycles = 33.0, throughput_cycles = 1.6},
  "nvidia_sm80::mma_m16n8k16_f16_f16" = {latency_cycles = 33.0, throughput_cycles = 1.6},
  "nvidia_sm80::mma_m16n8k16_bf16_f32" = {latency_cycles = 33.0, throughput_cycles = 1.6},
  "nvidia_sm80::mma_m16n8k32_s8_s8" = {latency_cycles = 33.0, throughput_cycles = 1.6},
  "nvidia_sm80::mma_m16n8k32_u8_s8" = {latency_cycles = 33.0, throughput_cycles = 1.6},
  "nvidia_sm80::mma_m16n8k32_s8_u8" = {latency_cycles = 33.0, throughput_cycles = 1.6},
  "nvidia_sm80::mma_m16n8k32_u8_u8" = {latency_cycles = 33.0, throughput_cycles = 1.6},
  "nvidia_sm80_tf32::mma_m16n8k8_tf32" = {latency_cycles = 18.0, throughput_cycles = 1.6}
}
