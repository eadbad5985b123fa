// AVX10.2, products of signed 8-bit integers on 512-bit registers.
// Semantics: Intel Advanced Vector Extensions 10.2 Architecture Specification, vpdpbssd.

ucmoh.target @x86_avx10_2 triple("x86_64-unknown-linux-gnu") features("+avx10.2") registers(32 x 512) {
  // s8 x s8: four products and the accumulator are added without saturation.
  ucmoh.intrinsic @vpdpbssd_512 shape [1, 16, 4] types(si8, si8, si32) mnemonic("vpdpbssd") k_interleave(4)
  lhs @x86_avx512bw::@broadcast_i8x4 rhs @x86_avx512bw::@panel_i8x64 acc @x86_avx512bw::@sums_i32x16
  compute (%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx10.vpdpbssd.512"(%c, %a, %b)
      : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
    ucmoh.yield %d : vector<16xi32>
  }
}
