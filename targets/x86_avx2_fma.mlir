// AVX2 with FMA: Haswell, Zen and later.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i16_view = memref<?x?xi16, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>>

ucmoh.target @x86_avx2_fma triple("x86_64-unknown-linux-gnu") features("+avx2,+fma") registers(16 x 256) {
  ucmoh.fragment @broadcast_i8x4 : vector<32xi8>
  load (%a: !i8_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i8_view, vector<4xi8>
    %word = vector.bitcast %steps : vector<4xi8> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<8xi32>
    %fragment = vector.bitcast %words : vector<8xi32> to vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }

  ucmoh.fragment @panel_i8x32 : vector<32xi8>
  load (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }

  ucmoh.fragment @broadcast_i16x2 : vector<16xi16>
  load (%a: !i16_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i16_view, vector<2xi16>
    %word = vector.bitcast %steps : vector<2xi16> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<8xi32>
    %fragment = vector.bitcast %words : vector<8xi32> to vector<16xi16>
    ucmoh.yield %fragment : vector<16xi16>
  }

  ucmoh.fragment @panel_i16x16 : vector<16xi16>
  load (%b: !i16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i16_view, vector<16xi16>
    ucmoh.yield %fragment : vector<16xi16>
  }

  ucmoh.fragment @panel_i8x16 : vector<16xi8>
  load (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<16xi8>
    ucmoh.yield %fragment : vector<16xi8>
  }

  ucmoh.fragment @sums_i32x8 : vector<8xi32>
  load (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  store (%d: vector<8xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield
  }

  // f32 outer product: one element of lhs times a row of rhs.
  ucmoh.intrinsic @vfmadd_256 shape [1, 8, 1] types(f32, f32, f32) mnemonic("vfmadd") cost(4.0, 0.5)
  load_lhs (%a: !f32_view, %i: index, %k: index) {
    %scalar = memref.load %a[%i, %k] : !f32_view
    %fragment = vector.broadcast %scalar : f32 to vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  load_rhs (%b: !f32_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !f32_view, vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  load_acc (%c: !f32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !f32_view, vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  compute (%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>) {
    %d = vector.fma %a, %b, %c : vector<8xf32>
    ucmoh.yield %d : vector<8xf32>
  }
  store (%d: vector<8xf32>, %c: !f32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !f32_view, vector<8xf32>
    ucmoh.yield
  }

  // s16 x s16, for CPUs without VNNI: exact for bytes that were extended to 16 bits.
  ucmoh.intrinsic @vpmaddwd_256 shape [1, 8, 2] types(si16, si16, si32) mnemonic("vpmaddwd") k_interleave(2) cost(1.0, 0.62)
  lhs @broadcast_i16x2 rhs @panel_i16x16 acc @sums_i32x8
  compute (%a: vector<16xi16>, %b: vector<16xi16>, %c: vector<8xi32>) {
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%a, %b) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // s16 x s8: the same instruction for a rhs of bytes, which takes half the memory of one of 16 bits.
  // All rows of a tile share the extension, which the load of a vector does.
  ucmoh.intrinsic @vpmaddwd_256_s8 shape [1, 8, 2] types(si16, si8, si32) mnemonic("vpmaddwd") k_interleave(2) cost(1.0, 0.62)
  lhs @broadcast_i16x2 rhs @panel_i8x16 acc @sums_i32x8
  compute (%a: vector<16xi16>, %b: vector<16xi8>, %c: vector<8xi32>) {
    %extended = arith.extsi %b : vector<16xi8> to vector<16xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%a, %extended) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // u8 x s8, for CPUs without VNNI: pairs of products are added with saturation at 16 bits.
  ucmoh.intrinsic @vpmaddubsw_256 shape [1, 8, 4] types(ui8, si8, si32) mnemonic("vpmaddubsw") partial_sums(2 x si16) k_interleave(4) cost(1.0, 0.95)
  lhs @broadcast_i8x4 rhs @panel_i8x32 acc @sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %ones = arith.constant dense<1> : vector<16xi16>
    %pairs = llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"(%a, %b) : (vector<32xi8>, vector<32xi8>) -> vector<16xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%pairs, %ones) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // s8 x u8: the same instruction, the panel being its unsigned operand.
  ucmoh.intrinsic @vpmaddubsw_256_su shape [1, 8, 4] types(si8, ui8, si32) mnemonic("vpmaddubsw") partial_sums(2 x si16) k_interleave(4) cost(1.0, 0.95)
  lhs @broadcast_i8x4 rhs @panel_i8x32 acc @sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %ones = arith.constant dense<1> : vector<16xi16>
    %pairs = llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"(%b, %a) : (vector<32xi8>, vector<32xi8>) -> vector<16xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%pairs, %ones) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }
}
