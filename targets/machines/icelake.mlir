// Intel Ice Lake server (Xeon Scalable, third generation): one core of a virtual machine of two, L3 and memory shared.
// Measured by ucmoh-probe on 2026-11-29, in 25 s: the fast end of many samples; one core, unless all.
// clock_ghz: a chain of dependent additions beside a stream of x86_avx512f::vfmadd_512.
// l1, l2, l3, memory: reads with 512-bit registers of 24 KiB, 640 KiB, 5120 KiB, 262144 KiB.
// broadcast: load_lhs of x86_avx512_vnni::vpdpbusd_512, from L1, one beside each execution.
// memory_streams: the same reads as memory, in four parts of a slice in turns.
// memory_latency_cycles: dependent reads of lines in random order.
// intrinsics: executions of each intrinsic's body, all on one accumulator (latency), on many (throughput).
// Sizes and cores are the operating system's.
// 5 of 39 numbers differ by more than 5 % between the halves of the time.
ucmoh.machine @icelake cpus ["icelake-server"] numbers {
  clock_ghz = 3.39,
  l1_bytes = 49152,
  l2_bytes = 1310720,
  l3_bytes = 50331648,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 71.10,
  broadcast_bytes_per_cycle = 70.11,
  l2_bytes_per_cycle = 45.88,
  l3_bytes_per_cycle = 9.35,
  memory_bytes_per_second = 13.7e9,
  memory_streams_bytes_per_second = 14.4e9,
  cores = 2,
  total_memory_bytes_per_second = 27.4e9,
  memory_latency_cycles = 758.43
} intrinsics {
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 3.88, throughput_cycles = 0.48},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 1.49, throughput_cycles = 0.73},
  "x86_avx2_fma::vpmaddwd_256_s8" = {latency_cycles = 1.49, throughput_cycles = 0.73},
  "x86_avx2_fma::vpmaddubsw_256" = {latency_cycles = 1.43, throughput_cycles = 1.10},
  "x86_avx2_fma::vpmaddubsw_256_su" = {latency_cycles = 1.42, throughput_cycles = 1.10},
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 5.10, throughput_cycles = 0.51},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 5.10, throughput_cycles = 0.50},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 5.10, throughput_cycles = 0.50},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.56, throughput_cycles = 1.01},
  "x86_avx512bw::vpmaddubsw_512" = {latency_cycles = 1.58, throughput_cycles = 1.56},
  "x86_avx512bw::vpmaddubsw_512_su" = {latency_cycles = 1.58, throughput_cycles = 1.52},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 3.99, throughput_cycles = 0.50},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 4.85, throughput_cycles = 0.48},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 4.85, throughput_cycles = 0.49},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 4.85, throughput_cycles = 0.48}
}
