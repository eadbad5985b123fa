// Intel Cascade Lake (Xeon Scalable, second generation), two 512-bit units.
// vpdpbusd on 512 bits and clock: measured. The other numbers: estimates, memory_streams by an Ice Lake.
// Latency is that of the accumulator: the distance of two executions that add to the same one.
ucmoh.machine @cascadelake cpus ["cascadelake"] numbers {
  clock_ghz = 2.3,
  l1_bytes = 32768,
  l2_bytes = 1048576,
  l3_bytes = 37486592,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 110.0,
  l2_bytes_per_cycle = 45.0,
  l3_bytes_per_cycle = 10.0,
  memory_bytes_per_second = 11.0e9,
  memory_streams_bytes_per_second = 11.6e9
} intrinsics {
  "x86_avx512_vnni::vpdpbusd_512" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512_vnni::vpdpbusd_512_su" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512_vnni::vpdpwssd_512" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpbusd_256" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpbusd_256_su" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512vl_vnni::vpdpwssd_256" = {latency_cycles = 5.0, throughput_cycles = 0.5},
  "x86_avx512f::vfmadd_512" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx512bw::vpmaddwd_512" = {latency_cycles = 1.0, throughput_cycles = 1.0},
  "x86_avx2_fma::vfmadd_256" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "x86_avx2_fma::vpmaddwd_256" = {latency_cycles = 1.0, throughput_cycles = 0.67}
}
