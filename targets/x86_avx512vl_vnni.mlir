// AVX512-VNNI on 256-bit registers: the same CPUs; it loses less where a result has few columns.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// fast-dpwssd: LLVM would otherwise split vpdpwssd into vpmaddwd and vpaddd where that shortens a chain.
// The left operand is read straight from memory, one 32-bit word broadcast to all columns.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

ucmoh.target @x86_avx512vl_vnni triple("x86_64-unknown-linux-gnu") features("+avx512f,+avx512vl,+avx512vnni") tuning("+fast-dpwssd") registers(32 x 256) {
  // u8 x s8: four products and the accumulator are added without saturation.
  ucmoh.intrinsic @vpdpbusd_256 shape [1, 8, 4] types(ui8, si8, si32) mnemonic("vpdpbusd") k_interleave(4) cost(4.25, 0.5)
  lhs @x86_avx2_fma::@broadcast_i8x4 rhs @x86_avx2_fma::@panel_i8x32 acc @x86_avx2_fma::@sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%c, %a, %b) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // s8 x u8: the same instruction, the panel being its unsigned operand.
  ucmoh.intrinsic @vpdpbusd_256_su shape [1, 8, 4] types(si8, ui8, si32) mnemonic("vpdpbusd") k_interleave(4) cost(4.25, 0.5)
  lhs @x86_avx2_fma::@broadcast_i8x4 rhs @x86_avx2_fma::@panel_i8x32 acc @x86_avx2_fma::@sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%c, %b, %a) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // s16 x s16; modulo 2^32, as the sum of two products may be 2^31.
  ucmoh.intrinsic @vpdpwssd_256 shape [1, 8, 2] types(si16, si16, si32) mnemonic("vpdpwssd") k_interleave(2) cost(4.25, 0.5)
  lhs @x86_avx2_fma::@broadcast_i16x2 rhs @x86_avx2_fma::@panel_i16x16 acc @x86_avx2_fma::@sums_i32x8
  compute (%a: vector<16xi16>, %b: vector<16xi16>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.256"(%c, %a, %b) : (vector<8xi32>, vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }
}
