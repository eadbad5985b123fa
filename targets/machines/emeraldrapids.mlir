// Intel Emerald Rapids: a virtual machine of two cores, L3 and memory shared with others.
// Measured by ucmoh-probe on 2026-12-01, in 25 s: the fast end of many samples, of the faster of two files; one core,
// unless all.
// clock_ghz: a chain of dependent additions beside a stream of x86_amx_bf16::tdpbf16ps. Without AMX the core runs at
// 2.9 to 3.0 GHz, so that vector intrinsics take less than half a cycle of this clock.
// l1, l2, l3, memory: reads with 512-bit registers of 24 KiB, 1024 KiB, 8192 KiB, 1228800 KiB.
// broadcast: load_lhs of x86_avx512_vnni::vpdpbusd_512, from L1, one beside each execution.
// memory_streams: the same reads as memory, in four parts of a slice in turns.
// memory_latency_cycles: dependent reads of lines in random order.
// intrinsics: executions of each intrinsic's body, all on one accumulator (latency), on many (throughput).
// Sizes and cores are the operating system's.
ucmoh.machine @emeraldrapids cpus ["emeraldrapids"] numbers {
  clock_ghz = 2.30,
  l1_bytes = 49152,
  l2_bytes = 2097152,
  l3_bytes = 314572800,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 121.35,
  broadcast_bytes_per_cycle = 160.63,
  l2_bytes_per_cycle = 53.57,
  l3_bytes_per_cycle = 11.97,
  memory_bytes_per_second = 17.8e9,
  memory_streams_bytes_per_second = 22.0e9,
  cores = 2,
  total_memory_bytes_per_second = 33.1e9,
  memory_latency_cycles = 490.21
} intrinsics {
  "x86_amx_bf16::tdpbf16ps" = {latency_cycles = 16.04, throughput_cycles = 16.04},
  "x86_amx_int8::tdpbssd" = {latency_cycles = 16.05, throughput_cycles = 16.04},
  "x86_amx_int8::tdpbsud" = {latency_cycles = 16.05, throughput_cycles = 16.04},
  "x86_amx_int8::tdpbusd" = {latency_cycles = 16.01, throughput_cycles = 16.01},
  "x86_amx_int8::tdpbuud" = {latency_cycles = 16.05, throughput_cycles = 16.04},
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 3.07, throughput_cycles = 0.38},
  "x86_avx2_fma::vfmadd_256_bf16" = {latency_cycles = 3.53, throughput_cycles = 0.65},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 0.80, throughput_cycles = 0.54},
  "x86_avx2_fma::vpmaddwd_256_s8" = {latency_cycles = 0.80, throughput_cycles = 0.54},
  "x86_avx2_fma::vpmaddubsw_256" = {latency_cycles = 0.86, throughput_cycles = 0.84},
  "x86_avx2_fma::vpmaddubsw_256_su" = {latency_cycles = 0.86, throughput_cycles = 0.84},
  "x86_avx512_bf16::vdpbf16ps_512" = {latency_cycles = 6.15, throughput_cycles = 1.65},
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 4.52, throughput_cycles = 0.40},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 4.45, throughput_cycles = 0.39},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 4.33, throughput_cycles = 0.38},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.34, throughput_cycles = 0.77},
  "x86_avx512bw::vpmaddubsw_512" = {latency_cycles = 1.34, throughput_cycles = 1.15},
  "x86_avx512bw::vpmaddubsw_512_su" = {latency_cycles = 1.34, throughput_cycles = 1.15},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 3.07, throughput_cycles = 0.41},
  "x86_avx512f::vfmadd_512_bf16" = {latency_cycles = 3.57, throughput_cycles = 0.41},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 3.84, throughput_cycles = 0.38},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 3.84, throughput_cycles = 0.38},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 3.84, throughput_cycles = 0.38},
  "x86_avxvnni::vpdpbusd_256" = {latency_cycles = 3.84, throughput_cycles = 0.38},
  "x86_avxvnni::vpdpbusd_256_su" = {latency_cycles = 3.84, throughput_cycles = 0.38},
  "x86_avxvnni::vpdpwssd_256" = {latency_cycles = 3.84, throughput_cycles = 0.38}
}
