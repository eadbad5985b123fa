// AWS Graviton3: Arm Neoverse V1. Nobody has measured anything for this file.
// Latency, throughput and l1_bytes_per_cycle: Arm Neoverse V1 Software Optimization Guide, as LLVM's scheduling model
// AArch64SchedNeoverseV1.td has it: four vector pipelines, two for multiplications of integers to wider ones; three loads
// of 128 bits per cycle. Latency is that with forwarding, from accumulator to accumulator.
// Estimates: clock_ghz (the nominal one), l2_bytes and l3_bytes (as commonly reported), l2_bytes_per_cycle,
// l3_bytes_per_cycle, memory_bytes_per_second, and broadcast_bytes_per_cycle (ld1r takes a load and a vector pipeline).
ucmoh.machine @graviton3 cpus ["neoverse-v1"] numbers {
  clock_ghz = 2.6,
  l1_bytes = 65536,
  l2_bytes = 1048576,
  l3_bytes = 33554432,
  cache_line_bytes = 64,
  l1_bytes_per_cycle = 48.0,
  broadcast_bytes_per_cycle = 32.0,
  l2_bytes_per_cycle = 32.0,
  l3_bytes_per_cycle = 16.0,
  memory_bytes_per_second = 25.0e9
} intrinsics {
  "aarch64_neon::fmla" = {latency_cycles = 2.0, throughput_cycles = 0.25},
  "aarch64_neon::fmla_x2" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "aarch64_neon::smlal" = {latency_cycles = 1.0, throughput_cycles = 1.0},
  "aarch64_fp16::fmla_h" = {latency_cycles = 2.0, throughput_cycles = 0.25},
  "aarch64_fp16::fmla_h_x2" = {latency_cycles = 4.0, throughput_cycles = 0.5},
  "aarch64_dotprod::sdot" = {latency_cycles = 1.0, throughput_cycles = 0.25},
  "aarch64_dotprod::sdot_x2" = {latency_cycles = 2.0, throughput_cycles = 0.5},
  "aarch64_dotprod::udot" = {latency_cycles = 1.0, throughput_cycles = 0.25},
  "aarch64_dotprod::udot_x2" = {latency_cycles = 2.0, throughput_cycles = 0.5},
  "aarch64_i8mm::smmla" = {latency_cycles = 1.0, throughput_cycles = 0.5},
  "aarch64_i8mm::ummla" = {latency_cycles = 1.0, throughput_cycles = 0.5},
  "aarch64_i8mm::usmmla" = {latency_cycles = 1.0, throughput_cycles = 0.5},
  "aarch64_i8mm::usdot" = {latency_cycles = 1.0, throughput_cycles = 0.25},
  "aarch64_i8mm::usdot_x2" = {latency_cycles = 2.0, throughput_cycles = 0.5},
  "aarch64_i8mm::usdot_su" = {latency_cycles = 1.0, throughput_cycles = 0.25},
  "aarch64_i8mm::usdot_su_x2" = {latency_cycles = 2.0, throughput_cycles = 0.5},
  "aarch64_bf16::bfmmla" = {latency_cycles = 3.0, throughput_cycles = 0.5},
  "aarch64_bf16::bfdot" = {latency_cycles = 2.0, throughput_cycles = 0.25}
}
