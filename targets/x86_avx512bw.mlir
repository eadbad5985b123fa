// AVX-512 on 16-bit integers: Skylake-SP, which has no VNNI, and later.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// The left operand is read straight from memory, one 32-bit word broadcast to all columns.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i16_view = memref<?x?xi16, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>

ucmoh.target @x86_avx512bw triple("x86_64-unknown-linux-gnu") features("+avx512f,+avx512bw") registers(32 x 512) {
  ucmoh.fragment @broadcast_i8x4 : vector<64xi8>
  load (%a: !i8_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i8_view, vector<4xi8>
    %word = vector.bitcast %steps : vector<4xi8> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<16xi32>
    %fragment = vector.bitcast %words : vector<16xi32> to vector<64xi8>
    ucmoh.yield %fragment : vector<64xi8>
  }

  ucmoh.fragment @panel_i8x64 : vector<64xi8>
  load (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<64xi8>
    ucmoh.yield %fragment : vector<64xi8>
  }

  ucmoh.fragment @broadcast_i16x2 : vector<32xi16>
  load (%a: !i16_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i16_view, vector<2xi16>
    %word = vector.bitcast %steps : vector<2xi16> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<16xi32>
    %fragment = vector.bitcast %words : vector<16xi32> to vector<32xi16>
    ucmoh.yield %fragment : vector<32xi16>
  }

  ucmoh.fragment @panel_i16x32 : vector<32xi16>
  load (%b: !i16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i16_view, vector<32xi16>
    ucmoh.yield %fragment : vector<32xi16>
  }

  ucmoh.fragment @sums_i32x16 : vector<16xi32>
  load (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<16xi32>
    ucmoh.yield %fragment : vector<16xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<16xi32>
    ucmoh.yield %fragment : vector<16xi32>
  }
  store (%d: vector<16xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<16xi32>
    ucmoh.yield
  }

  // s16 x s16, for CPUs without VNNI: exact for bytes that were extended to 16 bits.
  ucmoh.intrinsic @vpmaddwd_512 shape [1, 16, 2] types(si16, si16, si32) mnemonic("vpmaddwd") k_interleave(2) cost(1.5, 1.0)
  lhs @broadcast_i16x2 rhs @panel_i16x32 acc @sums_i32x16
  compute (%a: vector<32xi16>, %b: vector<32xi16>, %c: vector<16xi32>) {
    %products = llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%a, %b) : (vector<32xi16>, vector<32xi16>) -> vector<16xi32>
    %d = arith.addi %c, %products : vector<16xi32>
    ucmoh.yield %d : vector<16xi32>
  }

  // u8 x s8, for CPUs without VNNI: pairs of products are added with saturation at 16 bits.
  ucmoh.intrinsic @vpmaddubsw_512 shape [1, 16, 4] types(ui8, si8, si32) mnemonic("vpmaddubsw") partial_sums(2 x si16) k_interleave(4) cost(1.5, 1.3)
  lhs @broadcast_i8x4 rhs @panel_i8x64 acc @sums_i32x16
  compute (%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) {
    %ones = arith.constant dense<1> : vector<32xi16>
    %pairs = llvm.call_intrinsic "llvm.x86.avx512.pmaddubs.w.512"(%a, %b) : (vector<64xi8>, vector<64xi8>) -> vector<32xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%pairs, %ones) : (vector<32xi16>, vector<32xi16>) -> vector<16xi32>
    %d = arith.addi %c, %products : vector<16xi32>
    ucmoh.yield %d : vector<16xi32>
  }

  // s8 x u8: the same instruction, the panel being its unsigned operand.
  ucmoh.intrinsic @vpmaddubsw_512_su shape [1, 16, 4] types(si8, ui8, si32) mnemonic("vpmaddubsw") partial_sums(2 x si16) k_interleave(4) cost(1.5, 1.3)
  lhs @broadcast_i8x4 rhs @panel_i8x64 acc @sums_i32x16
  compute (%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) {
    %ones = arith.constant dense<1> : vector<32xi16>
    %pairs = llvm.call_intrinsic "llvm.x86.avx512.pmaddubs.w.512"(%b, %a) : (vector<64xi8>, vector<64xi8>) -> vector<32xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%pairs, %ones) : (vector<32xi16>, vector<32xi16>) -> vector<16xi32>
    %d = arith.addi %c, %products : vector<16xi32>
    ucmoh.yield %d : vector<16xi32>
  }
}
