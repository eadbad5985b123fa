// Intel Emerald Rapids: a virtual machine of two cores, L3 and memory shared with others; the hypervisor hides AMX.
// Measured by ucmoh-probe on 2026-11-30, in 25 s, the second of two files: the fast end of many samples; one core, unless
// all.
// clock_ghz: a chain of dependent additions beside a stream of x86_avx512f::vfmadd_512.
// l1, l2, l3, memory: reads with 512-bit registers of 24 KiB, 1024 KiB, 8192 KiB, 1064960 KiB.
// broadcast: load_lhs of x86_avx512_vnni::vpdpbusd_512, from L1, one beside each execution.
// memory_streams: the same reads as memory, in four parts of a slice in turns.
// memory_latency_cycles: dependent reads of lines in random order.
// intrinsics: executions of each intrinsic's body, all on one accumulator (latency), on many (throughput).
// Sizes and cores are the operating system's.
ucmoh.machine @emeraldrapids cpus ["emeraldrapids"] numbers {
  clock_ghz = 2.89,
  l1_bytes = 49152,
  l2_bytes = 2097152,
  l3_bytes = 272629760,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 93.18,
  broadcast_bytes_per_cycle = 132.09,
  l2_bytes_per_cycle = 48.09,
  l3_bytes_per_cycle = 10.01,
  memory_bytes_per_second = 15.8e9,
  memory_streams_bytes_per_second = 19.2e9,
  cores = 2,
  total_memory_bytes_per_second = 30.7e9,
  memory_latency_cycles = 958.01
} intrinsics {
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 3.87, throughput_cycles = 0.48},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 1.03, throughput_cycles = 0.68},
  "x86_avx2_fma::vpmaddwd_256_s8" = {latency_cycles = 1.02, throughput_cycles = 0.68},
  "x86_avx2_fma::vpmaddubsw_256" = {latency_cycles = 1.08, throughput_cycles = 1.06},
  "x86_avx2_fma::vpmaddubsw_256_su" = {latency_cycles = 1.08, throughput_cycles = 1.06},
  "x86_avx512_bf16::vdpbf16ps_512" = {latency_cycles = 7.73, throughput_cycles = 2.07},
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 5.59, throughput_cycles = 0.48},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 5.40, throughput_cycles = 0.48},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 5.32, throughput_cycles = 0.48},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.68, throughput_cycles = 0.97},
  "x86_avx512bw::vpmaddubsw_512" = {latency_cycles = 1.69, throughput_cycles = 1.45},
  "x86_avx512bw::vpmaddubsw_512_su" = {latency_cycles = 1.69, throughput_cycles = 1.45},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 3.87, throughput_cycles = 0.52},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 4.83, throughput_cycles = 0.48},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 4.83, throughput_cycles = 0.48},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 4.83, throughput_cycles = 0.48},
  "x86_avxvnni::vpdpbusd_256" = {latency_cycles = 4.83, throughput_cycles = 0.48},
  "x86_avxvnni::vpdpbusd_256_su" = {latency_cycles = 4.83, throughput_cycles = 0.48},
  "x86_avxvnni::vpdpwssd_256" = {latency_cycles = 4.83, throughput_cycles = 0.48}
}
