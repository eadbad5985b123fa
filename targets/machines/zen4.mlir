// AMD Zen 4 (EPYC 9004, Ryzen 7000).
// Measured on one core of an EPYC 9004 virtual machine: dependent chains and independent streams of each instruction, reads of
// buffers of 16 KiB, 512 KiB, 8 MiB and 512 MiB.
// Broadcasts: register tiles one vector wide, with a broadcast for each product, reach 75 % of the others' speed, in all
// types.
// Latency is that of the accumulator: the distance of two executions that add to the same one.
ucmoh.machine @zen4 cpus ["znver4"] numbers {
  clock_ghz = 3.7,
  l1_bytes = 32768,
  l2_bytes = 1048576,
  l3_bytes = 33554432,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 60.0,
  broadcast_bytes_per_cycle = 48.0,
  l2_bytes_per_cycle = 32.0,
  l3_bytes_per_cycle = 27.0,
  memory_bytes_per_second = 29.0e9
} intrinsics {
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 4.0, throughput_cycles = 1.0},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 4.0, throughput_cycles = 1.0},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 4.0, throughput_cycles = 1.0},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512_bf16::vdpbf16ps_512" = {latency_cycles = 6.0, throughput_cycles = 1.0},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 4.0, throughput_cycles = 1.0},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.0, throughput_cycles = 1.43},
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 1.0, throughput_cycles = 0.63}
}
