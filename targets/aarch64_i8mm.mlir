// Matrix products of bytes: Neoverse V1 (Graviton3), N2, V2 (Grace, Graviton4), Cortex-A510 and later, Apple M2.
// The matrix instructions multiply 2 x 8 by 8 x 2; two of them make four columns, so that rows are whole vectors.
// Semantics: Arm Architecture Reference Manual for A-profile, A64 SIMD&FP instructions, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>

ucmoh.target @aarch64_i8mm triple("aarch64-unknown-linux-gnu") features("+i8mm") registers(32 x 128) {
  ucmoh.fragment @rows_2_i8x8 : vector<16xi8>
  load (%a: !i8_view, %i: index, %k: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %row0 = vector.load %a[%i, %k] : !i8_view, vector<8xi8>
    %row1 = vector.load %a[%next, %k] : !i8_view, vector<8xi8>
    %fragment = vector.shuffle %row0, %row1 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi8>, vector<8xi8>
    ucmoh.yield %fragment : vector<16xi8>
  }

  ucmoh.fragment @panel_i8x32 : vector<32xi8>
  load (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }

  ucmoh.fragment @sums_2x4_i32 : vector<2x4xi32>
  load (%c: !i32_view, %i: index, %j: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %row0 = vector.load %c[%i, %j] : !i32_view, vector<4xi32>
    %row1 = vector.load %c[%next, %j] : !i32_view, vector<4xi32>
    %left = vector.shuffle %row0, %row1 [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
    %right = vector.shuffle %row0, %row1 [2, 3, 6, 7] : vector<4xi32>, vector<4xi32>
    %none = arith.constant dense<0> : vector<2x4xi32>
    %half = vector.insert %left, %none [0] : vector<4xi32> into vector<2x4xi32>
    %fragment = vector.insert %right, %half [1] : vector<4xi32> into vector<2x4xi32>
    ucmoh.yield %fragment : vector<2x4xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<2x4xi32>
    ucmoh.yield %fragment : vector<2x4xi32>
  }
  store (%d: vector<2x4xi32>, %c: !i32_view, %i: index, %j: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %left = vector.extract %d[0] : vector<4xi32> from vector<2x4xi32>
    %right = vector.extract %d[1] : vector<4xi32> from vector<2x4xi32>
    %row0 = vector.shuffle %left, %right [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
    %row1 = vector.shuffle %left, %right [2, 3, 6, 7] : vector<4xi32>, vector<4xi32>
    vector.store %row0, %c[%i, %j] : !i32_view, vector<4xi32>
    vector.store %row1, %c[%next, %j] : !i32_view, vector<4xi32>
    ucmoh.yield
  }

  // s8 x s8.
  ucmoh.intrinsic @smmla shape [2, 4, 8] types(si8, si8, si32) mnemonic("smmla") k_interleave(8) cost(1.0, 0.5)
  lhs @rows_2_i8x8 rhs @panel_i8x32 acc @sums_2x4_i32
  compute (%a: vector<16xi8>, %b: vector<32xi8>, %c: vector<2x4xi32>) {
    %c0 = vector.extract %c[0] : vector<4xi32> from vector<2x4xi32>
    %b0 = vector.extract_strided_slice %b {offsets = [0], sizes = [16], strides = [1]} : vector<32xi8> to vector<16xi8>
    %d0 = arm_neon.intr.smmla %c0, %a, %b0 : vector<16xi8> to vector<4xi32>
    %c1 = vector.extract %c[1] : vector<4xi32> from vector<2x4xi32>
    %b1 = vector.extract_strided_slice %b {offsets = [16], sizes = [16], strides = [1]} : vector<32xi8> to vector<16xi8>
    %d1 = arm_neon.intr.smmla %c1, %a, %b1 : vector<16xi8> to vector<4xi32>
    %r0 = vector.insert %d0, %c [0] : vector<4xi32> into vector<2x4xi32>
    %r = vector.insert %d1, %r0 [1] : vector<4xi32> into vector<2x4xi32>
    ucmoh.yield %r : vector<2x4xi32>
  }

  // u8 x u8.
  ucmoh.intrinsic @ummla shape [2, 4, 8] types(ui8, ui8, si32) mnemonic("ummla") k_interleave(8) cost(1.0, 0.5)
  lhs @rows_2_i8x8 rhs @panel_i8x32 acc @sums_2x4_i32
  compute (%a: vector<16xi8>, %b: vector<32xi8>, %c: vector<2x4xi32>) {
    %c0 = vector.extract %c[0] : vector<4xi32> from vector<2x4xi32>
    %b0 = vector.extract_strided_slice %b {offsets = [0], sizes = [16], strides = [1]} : vector<32xi8> to vector<16xi8>
    %d0 = arm_neon.intr.ummla %c0, %a, %b0 : vector<16xi8> to vector<4xi32>
    %c1 = vector.extract %c[1] : vector<4xi32> from vector<2x4xi32>
    %b1 = vector.extract_strided_slice %b {offsets = [16], sizes = [16], strides = [1]} : vector<32xi8> to vector<16xi8>
    %d1 = arm_neon.intr.ummla %c1, %a, %b1 : vector<16xi8> to vector<4xi32>
    %r0 = vector.insert %d0, %c [0] : vector<4xi32> into vector<2x4xi32>
    %r = vector.insert %d1, %r0 [1] : vector<4xi32> into vector<2x4xi32>
    ucmoh.yield %r : vector<2x4xi32>
  }

  // u8 x s8.
  ucmoh.intrinsic @usmmla shape [2, 4, 8] types(ui8, si8, si32) mnemonic("usmmla") k_interleave(8) cost(1.0, 0.5)
  lhs @rows_2_i8x8 rhs @panel_i8x32 acc @sums_2x4_i32
  compute (%a: vector<16xi8>, %b: vector<32xi8>, %c: vector<2x4xi32>) {
    %c0 = vector.extract %c[0] : vector<4xi32> from vector<2x4xi32>
    %b0 = vector.extract_strided_slice %b {offsets = [0], sizes = [16], strides = [1]} : vector<32xi8> to vector<16xi8>
    %d0 = arm_neon.intr.usmmla %c0, %a, %b0 : vector<16xi8> to vector<4xi32>
    %c1 = vector.extract %c[1] : vector<4xi32> from vector<2x4xi32>
    %b1 = vector.extract_strided_slice %b {offsets = [16], sizes = [16], strides = [1]} : vector<32xi8> to vector<16xi8>
    %d1 = arm_neon.intr.usmmla %c1, %a, %b1 : vector<16xi8> to vector<4xi32>
    %r0 = vector.insert %d0, %c [0] : vector<4xi32> into vector<2x4xi32>
    %r = vector.insert %d1, %r0 [1] : vector<4xi32> into vector<2x4xi32>
    ucmoh.yield %r : vector<2x4xi32>
  }

  // u8 x s8 as dot products: by element the instruction is named sudot, after the vector's sign.
  ucmoh.intrinsic @usdot shape [1, 4, 4] types(ui8, si8, si32) mnemonic("sudot") k_interleave(4) cost(1.0, 0.25)
  lhs @aarch64_dotprod::@broadcast_i8x4 rhs @aarch64_dotprod::@panel_i8x16 acc @aarch64_dotprod::@sums_i32x4
  compute (%a: vector<16xi8>, %b: vector<16xi8>, %c: vector<4xi32>) {
    %d = llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"(%c, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    ucmoh.yield %d : vector<4xi32>
  }

  // Two steps from one load of lhs, each an operand by element: no broadcast, which would take a vector unit.
  ucmoh.intrinsic @usdot_x2 shape [1, 4, 8] types(ui8, si8, si32) mnemonic("sudot") k_interleave(4) cost(2.0, 0.5)
  lhs @aarch64_dotprod::@steps_i8x8 rhs @aarch64_dotprod::@panels_2_i8x16 acc @aarch64_dotprod::@sums_i32x4
  compute (%a: vector<8xi8>, %b: vector<2x16xi8>, %c: vector<4xi32>) {
    %words = vector.bitcast %a : vector<8xi8> to vector<2xi32>
    %w0 = vector.extract %words[0] : i32 from vector<2xi32>
    %s0 = vector.broadcast %w0 : i32 to vector<4xi32>
    %a0 = vector.bitcast %s0 : vector<4xi32> to vector<16xi8>
    %b0 = vector.extract %b[0] : vector<16xi8> from vector<2x16xi8>
    %d0 = llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"(%c, %a0, %b0) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    %w1 = vector.extract %words[1] : i32 from vector<2xi32>
    %s1 = vector.broadcast %w1 : i32 to vector<4xi32>
    %a1 = vector.bitcast %s1 : vector<4xi32> to vector<16xi8>
    %b1 = vector.extract %b[1] : vector<16xi8> from vector<2x16xi8>
    %d1 = llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"(%d0, %a1, %b1) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    ucmoh.yield %d1 : vector<4xi32>
  }

  // s8 x u8.
  ucmoh.intrinsic @usdot_su shape [1, 4, 4] types(si8, ui8, si32) mnemonic("usdot") k_interleave(4) cost(1.0, 0.25)
  lhs @aarch64_dotprod::@broadcast_i8x4 rhs @aarch64_dotprod::@panel_i8x16 acc @aarch64_dotprod::@sums_i32x4
  compute (%a: vector<16xi8>, %b: vector<16xi8>, %c: vector<4xi32>) {
    %d = llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"(%c, %b, %a) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    ucmoh.yield %d : vector<4xi32>
  }

  // Two steps from one load of lhs, each an operand by element: no broadcast, which would take a vector unit.
  ucmoh.intrinsic @usdot_su_x2 shape [1, 4, 8] types(si8, ui8, si32) mnemonic("usdot") k_interleave(4) cost(2.0, 0.5)
  lhs @aarch64_dotprod::@steps_i8x8 rhs @aarch64_dotprod::@panels_2_i8x16 acc @aarch64_dotprod::@sums_i32x4
  compute (%a: vector<8xi8>, %b: vector<2x16xi8>, %c: vector<4xi32>) {
    %words = vector.bitcast %a : vector<8xi8> to vector<2xi32>
    %w0 = vector.extract %words[0] : i32 from vector<2xi32>
    %s0 = vector.broadcast %w0 : i32 to vector<4xi32>
    %a0 = vector.bitcast %s0 : vector<4xi32> to vector<16xi8>
    %b0 = vector.extract %b[0] : vector<16xi8> from vector<2x16xi8>
    %d0 = llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"(%c, %b0, %a0) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    %w1 = vector.extract %words[1] : i32 from vector<2xi32>
    %s1 = vector.broadcast %w1 : i32 to vector<4xi32>
    %a1 = vector.bitcast %s1 : vector<4xi32> to vector<16xi8>
    %b1 = vector.extract %b[1] : vector<16xi8> from vector<2x16xi8>
    %d1 = llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"(%d0, %b1, %a1) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
    ucmoh.yield %d1 : vector<4xi32>
  }
}
