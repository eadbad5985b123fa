// Intel Sapphire Rapids (Xeon Scalable, fourth generation). Nothing here was measured by this project, and the numbers
// were written down from memory of the sources named: check them before relying on one.
// Caches and cores: Intel's product data of the Xeon Platinum 8480+ (48 KiB L1D and 2 MiB L2 a core, 105 MiB L3, 56 cores).
// clock_ghz: estimate, between its base clock (2.0) and its turbo clock of all cores (3.0), for AMX and AVX-512 load.
// l1_bytes_per_cycle, l2_bytes_per_cycle: Intel 64 and IA-32 Architectures Optimization Reference Manual, Golden Cove (two
// loads of 64 bytes; 64 bytes peak from L2, 48 sustained). broadcast_bytes_per_cycle: estimate, as L1.
// l3_bytes_per_cycle, memory_bytes_per_second: estimates.
// tdp*: the Optimization Reference Manual, chapter on AMX (latency 52, one in 16 cycles).
// vpdpbusd, vpdpwssd, vfmadd: uops.info for Alder Lake P, the same core (two 512-bit units in the Xeon).
// vdpbf16ps, vpmaddwd: estimates.
// Latency is that of the accumulator: the distance of two executions that add to the same one.
ucmoh.machine @sapphirerapids cpus ["sapphirerapids"] numbers {
  clock_ghz = 2.6,
  l1_bytes = 49152,
  l2_bytes = 2097152,
  l3_bytes = 110100480,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 128.0,
  broadcast_bytes_per_cycle = 128.0,
  l2_bytes_per_cycle = 48.0,
  l3_bytes_per_cycle = 10.0,
  memory_bytes_per_second = 12.0e9,
  cores = 56
} intrinsics {
  "x86_amx_int8::tdpbssd" = {latency_cycles = 52.0, throughput_cycles = 16.0},
  "x86_amx_int8::tdpbsud" = {latency_cycles = 52.0, throughput_cycles = 16.0},
  "x86_amx_int8::tdpbusd" = {latency_cycles = 52.0, throughput_cycles = 16.0},
  "x86_amx_int8::tdpbuud" = {latency_cycles = 52.0, throughput_cycles = 16.0},
  "x86_amx_bf16::tdpbf16ps" = {latency_cycles = 52.0, throughput_cycles = 16.0},
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avxvnni::vpdpbusd_256" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avxvnni::vpdpbusd_256_su" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avxvnni::vpdpwssd_256" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512_bf16::vdpbf16ps_512" = {latency_cycles = 6.0, throughput_cycles = 1.0},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.0, throughput_cycles = 1.0},
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 1.0, throughput_cycles = 0.67}
}
