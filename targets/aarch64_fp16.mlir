// Advanced SIMD on half precision: Cortex-A55, A75, Neoverse N1 and later.
// Semantics: Arm Architecture Reference Manual for A-profile, A64 SIMD&FP instructions, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!f16_view = memref<?x?xf16, strided<[?, 1], offset: ?>>

ucmoh.target @aarch64_fp16 triple("aarch64-unknown-linux-gnu") features("+fullfp16") registers(32 x 128) {
  ucmoh.fragment @sums_f16x8 : vector<8xf16>
  load (%c: !f16_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !f16_view, vector<8xf16>
    ucmoh.yield %fragment : vector<8xf16>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<8xf16>
    ucmoh.yield %fragment : vector<8xf16>
  }
  store (%d: vector<8xf16>, %c: !f16_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !f16_view, vector<8xf16>
    ucmoh.yield
  }

  // f16 x f16, added in f16.
  ucmoh.intrinsic @fmla_h shape [1, 8, 1] types(f16, f16, f16) mnemonic("fmla") cost(2.0, 0.25)
  acc @sums_f16x8
  load_lhs (%a: !f16_view, %i: index, %k: index) {
    %scalar = memref.load %a[%i, %k] : !f16_view
    %fragment = vector.broadcast %scalar : f16 to vector<8xf16>
    ucmoh.yield %fragment : vector<8xf16>
  }
  load_rhs (%b: !f16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !f16_view, vector<8xf16>
    ucmoh.yield %fragment : vector<8xf16>
  }
  compute (%a: vector<8xf16>, %b: vector<8xf16>, %c: vector<8xf16>) {
    %d = vector.fma %b, %a, %c : vector<8xf16>
    ucmoh.yield %d : vector<8xf16>
  }

  // Two steps from one load of lhs, each an operand by element: no broadcast, which would take a vector unit.
  ucmoh.intrinsic @fmla_h_x2 shape [1, 8, 2] types(f16, f16, f16) mnemonic("fmla") cost(4.0, 0.5)
  acc @sums_f16x8
  load_lhs (%a: !f16_view, %i: index, %k: index) {
    %fragment = vector.load %a[%i, %k] : !f16_view, vector<2xf16>
    ucmoh.yield %fragment : vector<2xf16>
  }
  load_rhs (%b: !f16_view, %k: index, %j: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %k, %one : index
    %f0 = arith.constant dense<0.0> : vector<2x8xf16>
    %b0 = vector.load %b[%k, %j] : !f16_view, vector<8xf16>
    %f1 = vector.insert %b0, %f0 [0] : vector<8xf16> into vector<2x8xf16>
    %b1 = vector.load %b[%next, %j] : !f16_view, vector<8xf16>
    %f2 = vector.insert %b1, %f1 [1] : vector<8xf16> into vector<2x8xf16>
    ucmoh.yield %f2 : vector<2x8xf16>
  }
  compute (%a: vector<2xf16>, %b: vector<2x8xf16>, %c: vector<8xf16>) {
    %s0 = vector.extract %a[0] : f16 from vector<2xf16>
    %a0 = vector.broadcast %s0 : f16 to vector<8xf16>
    %b0 = vector.extract %b[0] : vector<8xf16> from vector<2x8xf16>
    %d0 = vector.fma %b0, %a0, %c : vector<8xf16>
    %s1 = vector.extract %a[1] : f16 from vector<2xf16>
    %a1 = vector.broadcast %s1 : f16 to vector<8xf16>
    %b1 = vector.extract %b[1] : vector<8xf16> from vector<2x8xf16>
    %d1 = vector.fma %b1, %a1, %d0 : vector<8xf16>
    ucmoh.yield %d1 : vector<8xf16>
  }
}
