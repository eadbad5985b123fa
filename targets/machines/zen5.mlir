// AMD Zen 5 with 512-bit units (EPYC 9005, Ryzen 9000).
// 512-bit throughputs, clock: measured. Latencies, 256-bit throughputs and bandwidths: estimates.
// Latency is that of the accumulator: the distance of two executions that add to the same one.
ucmoh.machine @zen5 cpus ["znver5"] numbers {
  clock_ghz = 4.2,
  l1_bytes = 49152,
  l2_bytes = 1048576,
  l3_bytes = 33554432,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 120.0,
  l2_bytes_per_cycle = 60.0,
  l3_bytes_per_cycle = 28.0,
  memory_bytes_per_second = 35.0e9
} intrinsics {
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avxvnni::vpdpbusd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avxvnni::vpdpbusd_256_su" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avxvnni::vpdpwssd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512_bf16::vdpbf16ps_512" = {latency_cycles = 6.0, throughput_cycles = 0.5},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.0, throughput_cycles = 1.0},
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 1.0, throughput_cycles = 0.5}
}
