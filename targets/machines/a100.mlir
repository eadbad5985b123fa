// NVIDIA A100 80 GB (SXM). Nothing here was measured by this project, and the numbers were written down from memory of the
// sources named: check them before relying on one.
// Cores, clock, caches, registers, shared and global memory: NVIDIA A100 Tensor Core GPU Architecture (whitepaper), tables 4 and 5.
// Distances of mma.sync from the same paper's dense peaks, 312 TFLOP/s of f16 and 624 TOP/s of i8: 2048 and 4096
// operations per cycle and multiprocessor. Not measured here: latencies, bandwidth of L2 and of shared memory per
// multiprocessor (128 and 64 bytes per cycle, the widths of their data paths).
ucmoh.machine @a100 cpus ["sm_80"] numbers {
  clock_ghz = 1.41,
  cores = 108,
  l1_bytes = 196608,
  l2_bytes = 41943040,
  l3_bytes = 41943040,
  l1_bytes_per_cycle = 128.0,
  l2_bytes_per_cycle = 64.0,
  l3_bytes_per_cycle = 64.0,
  memory_bytes_per_second = 18.9e9,
  total_memory_bytes_per_second = 2.039e12,
  memory_latency_cycles = 600.0,
  core_shared_memory_bytes = 167936,
  core_registers = 65536,
  core_threads = 2048
} intrinsics {
  "nvidia_sm80::mma_m16n8k16_f16_f32" = {latency_cycles = 33.0, throughput_cycles = 2.0},
  "nvidia_sm80::mma_m16n8k16_f16_f16" = {latency_cycles = 33.0, throughput_cycles = 2.0},
  "nvidia_sm80::mma_m16n8k16_bf16_f32" = {latency_cycles = 33.0, throughput_cycles = 2.0},
  "nvidia_sm80::mma_m16n8k32_s8_s8" = {latency_cycles = 33.0, throughput_cycles = 2.0},
  "nvidia_sm80::mma_m16n8k32_u8_s8" = {latency_cycles = 33.0, throughput_cycles = 2.0},
  "nvidia_sm80::mma_m16n8k32_s8_u8" = {latency_cycles = 33.0, throughput_cycles = 2.0},
  "nvidia_sm80::mma_m16n8k32_u8_u8" = {latency_cycles = 33.0, throughput_cycles = 2.0},
  "nvidia_sm80_tf32::mma_m16n8k8_tf32" = {latency_cycles = 18.0, throughput_cycles = 2.0}
}
