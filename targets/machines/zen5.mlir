// AMD Zen 5 with 512-bit units (EPYC 9005, Ryzen 9000): one core of a two-core EPYC 9005 virtual machine.
// Measured by ucmoh-probe on 2026-11-24, in 25 s: the fast end of many samples; one core, unless all.
// clock_ghz: a chain of dependent additions beside a stream of x86_avx512f::vfmadd_512.
// l1, l2, l3, memory: reads with 512-bit registers of 24 KiB, 512 KiB, 4096 KiB, 262144 KiB.
// broadcast: load_lhs of x86_avx512_vnni::vpdpbusd_512, from L1, one beside each execution.
// memory_latency_cycles: dependent reads of lines in random order.
// intrinsics: executions of each intrinsic's body, all on one accumulator (latency), on many (throughput).
// Sizes and cores are the operating system's.
// 0 of 44 numbers differ by more than 5 % between the halves of the time.
ucmoh.machine @zen5 cpus ["znver5"] numbers {
  clock_ghz = 4.54,
  l1_bytes = 49152,
  l2_bytes = 1048576,
  l3_bytes = 33554432,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 127.91,
  broadcast_bytes_per_cycle = 127.92,
  l2_bytes_per_cycle = 63.10,
  l3_bytes_per_cycle = 30.15,
  memory_bytes_per_second = 46.2e9,
  cores = 2,
  total_memory_bytes_per_second = 89.5e9,
  memory_latency_cycles = 633.63
} intrinsics {
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 1.54, throughput_cycles = 0.56},
  "x86_avx2_fma::vpmaddubsw_256" = {latency_cycles = 1.63, throughput_cycles = 1.00},
  "x86_avx2_fma::vpmaddubsw_256_su" = {latency_cycles = 1.63, throughput_cycles = 1.00},
  "x86_avx512_bf16::vdpbf16ps_512" = {latency_cycles = 6.00, throughput_cycles = 0.50},
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.54, throughput_cycles = 0.56},
  "x86_avx512bw::vpmaddubsw_512" = {latency_cycles = 1.63, throughput_cycles = 1.00},
  "x86_avx512bw::vpmaddubsw_512_su" = {latency_cycles = 1.63, throughput_cycles = 1.00},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avxvnni::vpdpbusd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avxvnni::vpdpbusd_256_su" = {latency_cycles = 4.00, throughput_cycles = 0.50},
  "x86_avxvnni::vpdpwssd_256" = {latency_cycles = 4.00, throughput_cycles = 0.50}
}
