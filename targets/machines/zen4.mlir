// AMD Zen 4 (EPYC 9004, Ryzen 7000): one core of a two-core EPYC 9004 virtual machine, otherwise idle.
// Measured by ucmoh-probe on 2026-11-21, in 25 s: the fast end of many samples; one core, unless all.
// clock_ghz: a chain of dependent additions beside a stream of x86_avx512f::vfmadd_512.
// l1, l2, l3, memory: reads with 512-bit registers of 16 KiB, 512 KiB, 4096 KiB, 262144 KiB.
// broadcast: load_lhs of x86_avx512_bf16::vdpbf16ps_512, from L1, one beside each execution.
// memory_streams: the same reads as memory, in four parts of a slice in turns, which bring no more: 35.4e9 both, measured on
// 2026-12-01 on another such machine, as were the intrinsics of f32 by bf16, vpmaddwd of s8 and vpmaddubsw.
// memory_latency_cycles: dependent reads of lines in random order.
// intrinsics: executions of each intrinsic's body, all on one accumulator (latency), on many (throughput).
// Sizes and cores are the operating system's.
ucmoh.machine @zen4 cpus ["znver4"] numbers {
  clock_ghz = 3.70,
  l1_bytes = 32768,
  l2_bytes = 1048576,
  l3_bytes = 33554432,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 60.74,
  broadcast_bytes_per_cycle = 47.95,
  l2_bytes_per_cycle = 31.97,
  l3_bytes_per_cycle = 27.21,
  memory_bytes_per_second = 38.5e9,
  memory_streams_bytes_per_second = 38.5e9,
  cores = 2,
  total_memory_bytes_per_second = 69.3e9,
  memory_latency_cycles = 900.19
} intrinsics {
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx2_fma::vfmadd_256_bf16" = {latency_cycles = 4.00, throughput_cycles = 0.67},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 0.99, throughput_cycles = 0.62},
  "x86_avx2_fma::vpmaddwd_256_s8" = {latency_cycles = 0.99, throughput_cycles = 0.62},
  "x86_avx2_fma::vpmaddubsw_256" = {latency_cycles = 1.00, throughput_cycles = 1.00},
  "x86_avx2_fma::vpmaddubsw_256_su" = {latency_cycles = 1.00, throughput_cycles = 1.00},
  "x86_avx512_bf16::vdpbf16ps_512" = {latency_cycles = 6.00, throughput_cycles = 1.00},
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 4.00, throughput_cycles = 1.00},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 4.00, throughput_cycles = 1.00},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 4.00, throughput_cycles = 1.00},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.52, throughput_cycles = 1.34},
  "x86_avx512bw::vpmaddubsw_512" = {latency_cycles = 2.00, throughput_cycles = 2.00},
  "x86_avx512bw::vpmaddubsw_512_su" = {latency_cycles = 2.00, throughput_cycles = 2.00},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 4.00, throughput_cycles = 1.00},
  "x86_avx512f::vfmadd_512_bf16" = {latency_cycles = 4.00, throughput_cycles = 1.00},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50}
}
