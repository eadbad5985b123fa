// BFloat16: Neoverse V1 (Graviton3), N2, V2, Cortex-A510 and later, Apple M2.
// Without FEAT_EBF16 subnormal numbers count as zero, and sums of products are rounded to odd.
// Semantics: Arm Architecture Reference Manual for A-profile, A64 SIMD&FP instructions, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!bf16_view = memref<?x?xbf16, strided<[?, 1], offset: ?>>
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>>

ucmoh.target @aarch64_bf16 triple("aarch64-unknown-linux-gnu") features("+bf16") registers(32 x 128) {
  // bf16 x bf16 -> f32: 2 x 4 by 4 x 2, twice.
  ucmoh.intrinsic @bfmmla shape [2, 4, 4] types(bf16, bf16, f32) mnemonic("bfmmla") k_interleave(4) cost(3.0, 0.5)
  load_lhs (%a: !bf16_view, %i: index, %k: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %row0 = vector.load %a[%i, %k] : !bf16_view, vector<4xbf16>
    %row1 = vector.load %a[%next, %k] : !bf16_view, vector<4xbf16>
    %fragment = vector.shuffle %row0, %row1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xbf16>, vector<4xbf16>
    ucmoh.yield %fragment : vector<8xbf16>
  }
  load_rhs (%b: !bf16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !bf16_view, vector<16xbf16>
    ucmoh.yield %fragment : vector<16xbf16>
  }
  load_acc (%c: !f32_view, %i: index, %j: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %row0 = vector.load %c[%i, %j] : !f32_view, vector<4xf32>
    %row1 = vector.load %c[%next, %j] : !f32_view, vector<4xf32>
    %left = vector.shuffle %row0, %row1 [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
    %right = vector.shuffle %row0, %row1 [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
    %none = arith.constant dense<0.0> : vector<2x4xf32>
    %half = vector.insert %left, %none [0] : vector<4xf32> into vector<2x4xf32>
    %fragment = vector.insert %right, %half [1] : vector<4xf32> into vector<2x4xf32>
    ucmoh.yield %fragment : vector<2x4xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<2x4xf32>
    ucmoh.yield %fragment : vector<2x4xf32>
  }
  compute (%a: vector<8xbf16>, %b: vector<16xbf16>, %c: vector<2x4xf32>) {
    %c0 = vector.extract %c[0] : vector<4xf32> from vector<2x4xf32>
    %b0 = vector.extract_strided_slice %b {offsets = [0], sizes = [8], strides = [1]} : vector<16xbf16> to vector<8xbf16>
    %d0 = arm_neon.intr.bfmmla %c0, %a, %b0 : vector<8xbf16> to vector<4xf32>
    %c1 = vector.extract %c[1] : vector<4xf32> from vector<2x4xf32>
    %b1 = vector.extract_strided_slice %b {offsets = [8], sizes = [8], strides = [1]} : vector<16xbf16> to vector<8xbf16>
    %d1 = arm_neon.intr.bfmmla %c1, %a, %b1 : vector<8xbf16> to vector<4xf32>
    %r0 = vector.insert %d0, %c [0] : vector<4xf32> into vector<2x4xf32>
    %r = vector.insert %d1, %r0 [1] : vector<4xf32> into vector<2x4xf32>
    ucmoh.yield %r : vector<2x4xf32>
  }
  store (%d: vector<2x4xf32>, %c: !f32_view, %i: index, %j: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %left = vector.extract %d[0] : vector<4xf32> from vector<2x4xf32>
    %right = vector.extract %d[1] : vector<4xf32> from vector<2x4xf32>
    %row0 = vector.shuffle %left, %right [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
    %row1 = vector.shuffle %left, %right [2, 3, 6, 7] : vector<4xf32>, vector<4xf32>
    vector.store %row0, %c[%i, %j] : !f32_view, vector<4xf32>
    vector.store %row1, %c[%next, %j] : !f32_view, vector<4xf32>
    ucmoh.yield
  }

  // bf16 x bf16 -> f32: two products are added to each sum.
  ucmoh.intrinsic @bfdot shape [1, 4, 2] types(bf16, bf16, f32) mnemonic("bfdot") k_interleave(2) cost(2.0, 0.25)
  acc @aarch64_neon::@sums_f32x4
  load_lhs (%a: !bf16_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !bf16_view, vector<2xbf16>
    %word = vector.bitcast %steps : vector<2xbf16> to vector<1xf32>
    %scalar = vector.extract %word[0] : f32 from vector<1xf32>
    %words = vector.broadcast %scalar : f32 to vector<4xf32>
    %fragment = vector.bitcast %words : vector<4xf32> to vector<8xbf16>
    ucmoh.yield %fragment : vector<8xbf16>
  }
  load_rhs (%b: !bf16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !bf16_view, vector<8xbf16>
    ucmoh.yield %fragment : vector<8xbf16>
  }
  compute (%a: vector<8xbf16>, %b: vector<8xbf16>, %c: vector<4xf32>) {
    %d = llvm.call_intrinsic "llvm.aarch64.neon.bfdot.v4f32.v8bf16"(%c, %b, %a) : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
    ucmoh.yield %d : vector<4xf32>
  }
}
