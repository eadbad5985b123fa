// Dot products of bytes: Cortex-A55 and A75 from 2018 on, Neoverse N1 and later, Apple M1.
// Semantics: Arm Architecture Reference Manual for A-profile, A64 SIMD&FP instructions, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>

ucmoh.target @aarch64_dotprod triple("aarch64-unknown-linux-gnu") features("+dotprod") registers(32 x 128) {
  ucmoh.fragment @broadcast_i8x4 : vector<16xi8>
  load (%a: !i8_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i8_view, vector<4xi8>
    %word = vector.bitcast %steps : vector<4xi8> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<4xi32>
    %fragment = vector.bitcast %words : vector<4xi32> to vector<16xi8>
    ucmoh.yield %fragment : vector<16xi8>
  }

  ucmoh.fragment @panel_i8x16 : vector<16xi8>
  load (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<16xi8>
    ucmoh.yield %fragment : vector<16xi8>
  }

  ucmoh.fragment @sums_i32x4 : vector<4xi32>
  load (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<4xi32>
    ucmoh.yield %fragment : vector<4xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<4xi32>
    ucmoh.yield %fragment : vector<4xi32>
  }
  store (%d: vector<4xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<4xi32>
    ucmoh.yield
  }

  ucmoh.fragment @steps_i8x8 : vector<8xi8>
  load (%a: !i8_view, %i: index, %k: index) {
    %fragment = vector.load %a[%i, %k] : !i8_view, vector<8xi8>
    ucmoh.yield %fragment : vector<8xi8>
  }

  ucmoh.fragment @panels_2_i8x16 : vector<2x16xi8>
  load (%b: !i8_view, %k: index, %j: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %k, %one : index
    %b0 = vector.load %b[%k, %j] : !i8_view, vector<16xi8>
    %b1 = vector.load %b[%next, %j] : !i8_view, vector<16xi8>
    %f0 = arith.constant dense<0> : vector<2x16xi8>
    %f1 = vector.insert %b0, %f0 [0] : vector<16xi8> into vector<2x16xi8>
    %f2 = vector.insert %b1, %f1 [1] : vector<16xi8> into vector<2x16xi8>
    ucmoh.yield %f2 : vector<2x16xi8>
  }

  // s8 x s8: four products are added to each 32-bit sum, modulo 2^32.
  ucmoh.intrinsic @sdot shape [1, 4, 4] types(si8, si8, si32) mnemonic("sdot") k_interleave(4) cost(1.0, 0.25)
  lhs @broadcast_i8x4 rhs @panel_i8x16 acc @sums_i32x4
  compute (%a: vector<16xi8>, %b: vector<16xi8>, %c: vector<4xi32>) {
    %d = arm_neon.intr.sdot %c, %b, %a : vector<16xi8>, vector<16xi8> to vector<4xi32>
    ucmoh.yield %d : vector<4xi32>
  }

  // Two steps from one load of lhs, each an operand by element: no broadcast, which would take a vector unit.
  ucmoh.intrinsic @sdot_x2 shape [1, 4, 8] types(si8, si8, si32) mnemonic("sdot") k_interleave(4) cost(2.0, 0.5)
  lhs @steps_i8x8 rhs @panels_2_i8x16 acc @sums_i32x4
  compute (%a: vector<8xi8>, %b: vector<2x16xi8>, %c: vector<4xi32>) {
    %words = vector.bitcast %a : vector<8xi8> to vector<2xi32>
    %w0 = vector.extract %words[0] : i32 from vector<2xi32>
    %s0 = vector.broadcast %w0 : i32 to vector<4xi32>
    %a0 = vector.bitcast %s0 : vector<4xi32> to vector<16xi8>
    %b0 = vector.extract %b[0] : vector<16xi8> from vector<2x16xi8>
    %d0 = arm_neon.intr.sdot %c, %b0, %a0 : vector<16xi8>, vector<16xi8> to vector<4xi32>
    %w1 = vector.extract %words[1] : i32 from vector<2xi32>
    %s1 = vector.broadcast %w1 : i32 to vector<4xi32>
    %a1 = vector.bitcast %s1 : vector<4xi32> to vector<16xi8>
    %b1 = vector.extract %b[1] : vector<16xi8> from vector<2x16xi8>
    %d1 = arm_neon.intr.sdot %d0, %b1, %a1 : vector<16xi8>, vector<16xi8> to vector<4xi32>
    ucmoh.yield %d1 : vector<4xi32>
  }

  // u8 x u8.
  ucmoh.intrinsic @udot shape [1, 4, 4] types(ui8, ui8, si32) mnemonic("udot") k_interleave(4) cost(1.0, 0.25)
  lhs @broadcast_i8x4 rhs @panel_i8x16 acc @sums_i32x4
  compute (%a: vector<16xi8>, %b: vector<16xi8>, %c: vector<4xi32>) {
    %d = llvm.call_intrinsic "llvm.aarch64.neon.udot.v4i32.v16i8"(%c, %b, %a) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    ucmoh.yield %d : vector<4xi32>
  }

  // Two steps from one load of lhs, each an operand by element: no broadcast, which would take a vector unit.
  ucmoh.intrinsic @udot_x2 shape [1, 4, 8] types(ui8, ui8, si32) mnemonic("udot") k_interleave(4) cost(2.0, 0.5)
  lhs @steps_i8x8 rhs @panels_2_i8x16 acc @sums_i32x4
  compute (%a: vector<8xi8>, %b: vector<2x16xi8>, %c: vector<4xi32>) {
    %words = vector.bitcast %a : vector<8xi8> to vector<2xi32>
    %w0 = vector.extract %words[0] : i32 from vector<2xi32>
    %s0 = vector.broadcast %w0 : i32 to vector<4xi32>
    %a0 = vector.bitcast %s0 : vector<4xi32> to vector<16xi8>
    %b0 = vector.extract %b[0] : vector<16xi8> from vector<2x16xi8>
    %d0 = llvm.call_intrinsic "llvm.aarch64.neon.udot.v4i32.v16i8"(%c, %b0, %a0) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    %w1 = vector.extract %words[1] : i32 from vector<2xi32>
    %s1 = vector.broadcast %w1 : i32 to vector<4xi32>
    %a1 = vector.bitcast %s1 : vector<4xi32> to vector<16xi8>
    %b1 = vector.extract %b[1] : vector<16xi8> from vector<2x16xi8>
    %d1 = llvm.call_intrinsic "llvm.aarch64.neon.udot.v4i32.v16i8"(%d0, %b1, %a1) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    ucmoh.yield %d1 : vector<4xi32>
  }
}
