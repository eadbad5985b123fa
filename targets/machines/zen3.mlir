// AMD Zen 3 (EPYC 7003, Ryzen 5000): one core of a two-core EPYC 7003 virtual machine, otherwise idle.
// Measured by ucmoh-probe on 2026-11-23, in 25 s: the fast end of many samples; one core, unless all.
// clock_ghz: a chain of dependent additions beside a stream of x86_avx2_fma::vfmadd_256.
// l1, l2, l3, memory: reads with 256-bit registers of 16 KiB, 256 KiB, 2048 KiB, 262144 KiB.
// broadcast: load_lhs of x86_avx2_fma::vfmadd_256, from L1, one beside each execution.
// memory_streams: the same reads as memory, in four parts of a slice in turns, on 2026-11-29 on another such machine:
// 1.24 times its memory (26.1 and 21.1 GB/s, three runs), and so is the number here.
// memory_latency_cycles: dependent reads of lines in random order.
// intrinsics: executions of each intrinsic's body, all on one accumulator (latency), on many (throughput).
// Sizes and cores are the operating system's.
// vpmaddwd_256_s8 was measured on 2026-11-27, on another such machine, where the others were the same.
// Memory of all cores differs by 5.9 % between the halves of the time, the other numbers by less than 2 %.
ucmoh.machine @zen3 cpus ["znver3"] numbers {
  clock_ghz = 3.25,
  l1_bytes = 32768,
  l2_bytes = 524288,
  l3_bytes = 33554432,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 63.91,
  broadcast_bytes_per_cycle = 63.96,
  l2_bytes_per_cycle = 31.95,
  l3_bytes_per_cycle = 24.31,
  memory_bytes_per_second = 25.4e9,
  memory_streams_bytes_per_second = 31.5e9,
  cores = 2,
  total_memory_bytes_per_second = 47.5e9,
  memory_latency_cycles = 411.53
} intrinsics {
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 1.06, throughput_cycles = 0.62},
  "x86_avx2_fma::vpmaddwd_256_s8" = {latency_cycles = 1.02, throughput_cycles = 0.63},
  "x86_avx2_fma::vpmaddubsw_256" = {latency_cycles = 1.02, throughput_cycles = 1.02},
  "x86_avx2_fma::vpmaddubsw_256_su" = {latency_cycles = 1.01, throughput_cycles = 1.01}
}
