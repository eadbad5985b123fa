// AVX-VNNI-INT8, products of 8-bit integers of any sign on 256-bit registers: Sierra Forest, Arrow Lake, Lunar Lake.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// The left operand is read straight from memory, one 32-bit word broadcast to all columns.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

ucmoh.target @x86_avxvnniint8 triple("x86_64-unknown-linux-gnu") features("+avx2,+avxvnniint8") registers(16 x 256) {
  // s8 x s8: four products and the accumulator are added without saturation.
  ucmoh.intrinsic @vpdpbssd_256 shape [1, 8, 4] types(si8, si8, si32) mnemonic("vpdpbssd") k_interleave(4) cost(4.25, 0.5)
  lhs @x86_avx2_fma::@broadcast_i8x4 rhs @x86_avx2_fma::@panel_i8x32 acc @x86_avx2_fma::@sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx2.vpdpbssd.256"(%c, %a, %b) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // s8 x u8: four products and the accumulator are added without saturation.
  ucmoh.intrinsic @vpdpbsud_256 shape [1, 8, 4] types(si8, ui8, si32) mnemonic("vpdpbsud") k_interleave(4) cost(4.25, 0.5)
  lhs @x86_avx2_fma::@broadcast_i8x4 rhs @x86_avx2_fma::@panel_i8x32 acc @x86_avx2_fma::@sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx2.vpdpbsud.256"(%c, %a, %b) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // u8 x u8: four products and the accumulator are added without saturation.
  ucmoh.intrinsic @vpdpbuud_256 shape [1, 8, 4] types(ui8, ui8, si32) mnemonic("vpdpbuud") k_interleave(4) cost(4.25, 0.5)
  lhs @x86_avx2_fma::@broadcast_i8x4 rhs @x86_avx2_fma::@panel_i8x32 acc @x86_avx2_fma::@sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx2.vpdpbuud.256"(%c, %a, %b) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }
}
