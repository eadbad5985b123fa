// Intel Sapphire Rapids: a virtual machine of two cores, L3 and memory shared with others.
// The hypervisor reports another model's number; caches and features are those of a Xeon Platinum of 56 cores (105 MiB of L3).
// Measured by ucmoh-probe on 2026-11-22, in 25 s: the fast end of many samples; one core, unless all.
// clock_ghz: a chain of dependent additions beside a stream of x86_amx_bf16::tdpbf16ps.
// l1, l2, l3, memory: reads with 512-bit registers of 24 KiB, 1024 KiB, 8192 KiB, 430080 KiB.
// broadcast: load_lhs of x86_avx512_vnni::vpdpbusd_512_su, from L1, one beside each execution; a later measurement on that day (again: 124.89).
// memory_streams: an estimate, 1.21 times memory as on an Emerald Rapids, whose cores are alike.
// memory_latency_cycles: dependent reads of lines in random order.
// intrinsics: executions of each intrinsic's body, all on one accumulator (latency), on many (throughput).
// Sizes and cores are the operating system's.
ucmoh.machine @sapphirerapids cpus ["sapphirerapids"] numbers {
  clock_ghz = 2.20,
  l1_bytes = 49152,
  l2_bytes = 2097152,
  l3_bytes = 110100480,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 113.71,
  broadcast_bytes_per_cycle = 121.30,
  l2_bytes_per_cycle = 55.94,
  l3_bytes_per_cycle = 7.90,
  memory_bytes_per_second = 12.0e9,
  memory_streams_bytes_per_second = 14.6e9,
  cores = 2,
  total_memory_bytes_per_second = 20.0e9,
  memory_latency_cycles = 318.11
} intrinsics {
  "x86_amx_bf16::tdpbf16ps" = {latency_cycles = 16.02, throughput_cycles = 16.01},
  "x86_amx_int8::tdpbssd" = {latency_cycles = 16.02, throughput_cycles = 16.02},
  "x86_amx_int8::tdpbsud" = {latency_cycles = 16.02, throughput_cycles = 16.02},
  "x86_amx_int8::tdpbusd" = {latency_cycles = 16.02, throughput_cycles = 16.01},
  "x86_amx_int8::tdpbuud" = {latency_cycles = 16.02, throughput_cycles = 16.02},
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 3.54, throughput_cycles = 0.44},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 0.90, throughput_cycles = 0.62},
  "x86_avx2_fma::vpmaddubsw_256" = {latency_cycles = 0.97, throughput_cycles = 0.93},
  "x86_avx2_fma::vpmaddubsw_256_su" = {latency_cycles = 0.96, throughput_cycles = 0.96},
  "x86_avx512_bf16::vdpbf16ps_512" = {latency_cycles = 7.04, throughput_cycles = 1.76},
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 4.94, throughput_cycles = 0.44},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 4.93, throughput_cycles = 0.44},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 4.96, throughput_cycles = 0.44},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.53, throughput_cycles = 0.88},
  "x86_avx512bw::vpmaddubsw_512" = {latency_cycles = 1.53, throughput_cycles = 1.32},
  "x86_avx512bw::vpmaddubsw_512_su" = {latency_cycles = 1.53, throughput_cycles = 1.32},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 3.52, throughput_cycles = 0.44},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 4.40, throughput_cycles = 0.43},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 4.23, throughput_cycles = 0.42},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 4.23, throughput_cycles = 0.42},
  "x86_avxvnni::vpdpbusd_256" = {latency_cycles = 4.23, throughput_cycles = 0.42},
  "x86_avxvnni::vpdpbusd_256_su" = {latency_cycles = 4.23, throughput_cycles = 0.42},
  "x86_avxvnni::vpdpwssd_256" = {latency_cycles = 4.23, throughput_cycles = 0.42}
}
